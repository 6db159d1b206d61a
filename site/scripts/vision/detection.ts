/** Detection, as the vision worker runs it. */

import type { Detection } from 'tflite-webnn/results';
import { ObjectDetector } from 'tflite-webnn/tasks';
import { detectorHead } from '../common/heads.js';
import { drawBoxes } from './boxes.js';
import { modelTask } from './model_task.js';

/** What was found, in pixels of the image, highest score first. */
export const DETECTION = modelTask<readonly Detection[]>('boxes', async (model, options, { head }) => {
  const detector = await ObjectDetector.create(model, { ...detectorHead(head), ...options });
  return async (image) => {
    const result = await detector.detect(image);
    return { result, draw: (drawing) => drawBoxes(drawing, result) };
  };
});
