/** Errors of tasks. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A model is not one for the task, or nothing says how its outputs are to be read. */
export class TaskModelError extends TFLiteWebnnError {
  override readonly name = 'TaskModelError';
  override readonly code = 'TASK_MODEL';
}
