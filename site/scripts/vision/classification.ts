/** Image classification, as the vision worker runs it. */

import { type Category, ImageClassifier } from 'tflite-webnn/vision';
import { FILESET, type WorkerTask } from './worker_task.js';

const MOST = 5;

/** The most probable classes, best first. */
export const CLASSIFICATION: WorkerTask<readonly Category[], ImageClassifier> = {
  create: (options) => ImageClassifier.createFromOptions(FILESET, { ...options, maxResults: MOST }),

  async look(task, image, timestamp) {
    const { classifications } = await (timestamp === null
      ? task.classifyAsync(image)
      : task.classifyForVideoAsync(image, timestamp));
    return { result: classifications[0]?.categories ?? [] };
  },
};
