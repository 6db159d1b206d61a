/** Errors of tasks. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** A model is not one for the task, or nothing says how its outputs are to be read. */
export class TaskModelError extends TFLiteWebnnError {
  override readonly name = 'TaskModelError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TASK_MODEL', message, context);
  }
}
