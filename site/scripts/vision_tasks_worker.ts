/** Tasks of the worker of the home page and of the image demos, whose models are single files. */

import { CLASSIFICATION } from './vision/classification.js';
import { DETECTION } from './vision/detection.js';
import { CLASSES, PERSON } from './vision/segmentation.js';
import { serveTasks } from './vision/serve_tasks.js';
import type { WorkerTask } from './vision/worker_task.js';

serveTasks({
  classification: CLASSIFICATION as WorkerTask,
  detection: DETECTION as WorkerTask,
  classes: CLASSES as WorkerTask,
  person: PERSON as WorkerTask,
});
