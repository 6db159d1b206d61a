/** Errors of the vision tasks. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** An option of a task or of one call is missing, or none that the task can take. */
export class VisionOptionError extends TFLiteWebnnError {
  override readonly name = 'VisionOptionError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('VISION_OPTION', message, context);
  }
}

/** A call is for the other running mode. */
export class RunningModeError extends TFLiteWebnnError {
  override readonly name = 'RunningModeError';

  /** @internal */
  constructor(wanted: 'IMAGE' | 'VIDEO') {
    super(
      'RUNNING_MODE',
      `The task is not in the running mode ${wanted}: await setOptions({ runningMode: '${wanted}' }).`,
    );
  }
}

/** The time of a frame is not after that of the frame before it. */
export class TimestampError extends TFLiteWebnnError {
  override readonly name = 'TimestampError';

  /** @internal */
  constructor(timestamp: number, last: number) {
    super(
      'TIMESTAMP',
      `The frame's timestamp is ${timestamp} ms: it must be a number over the last frame's, ${last} ms.`,
      {
        details: { timestamp, last },
      },
    );
  }
}

/** A task or a mask was used after `close()`. */
export class TaskClosedError extends TFLiteWebnnError {
  override readonly name = 'TaskClosedError';

  /** @internal */
  constructor(what: string) {
    super('TASK_CLOSED', `${what} is closed and cannot be used.`);
  }
}

/** The file of a task has not the models that the task runs. */
export class TaskFileError extends TFLiteWebnnError {
  override readonly name = 'TaskFileError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TASK_FILE', message, context);
  }
}
