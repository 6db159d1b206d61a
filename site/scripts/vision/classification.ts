/** Image classification, as the vision worker runs it. */

import type { Category } from 'tflite-webnn/results';
import { ImageClassifier } from 'tflite-webnn/tasks';
import { modelTask } from './model_task.js';

const MAX_CLASSES = 5;

/** The most probable classes, best first. */
export const CLASSIFICATION = modelTask<readonly Category[]>('classes', async (model, options) => {
  const classifier = await ImageClassifier.create(model, { ...options, k: MAX_CLASSES });
  return async (image) => ({ result: await classifier.classify(image) });
});
