/** Errors of the vision tasks. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** An option of a task or of one call is missing, or none that the task can take. */
export class VisionOptionError extends TFLiteWebnnError {
  override readonly name = 'VisionOptionError';
  override readonly code = 'VISION_OPTION';
}

/** A call is for the other running mode. */
export class RunningModeError extends TFLiteWebnnError {
  override readonly name = 'RunningModeError';
  override readonly code = 'RUNNING_MODE';

  /** @internal */
  constructor(wanted: 'IMAGE' | 'VIDEO') {
    super(`The task is not in the running mode ${wanted}: await setOptions({ runningMode: '${wanted}' }).`);
  }
}

/** The time of a frame is not after that of the frame before it. */
export class TimestampError extends TFLiteWebnnError {
  override readonly name = 'TimestampError';
  override readonly code = 'TIMESTAMP';

  /** @internal */
  constructor(timestamp: number, last: number) {
    super(
      `The frame's timestamp is ${typeof timestamp === 'number' ? timestamp : typeof timestamp} ms: it must be a number over the last frame's, ${last} ms.`,
      {
        details: { timestamp, last },
      },
    );
  }
}

/** A task was used after `close()`. */
export class TaskClosedError extends TFLiteWebnnError {
  override readonly name = 'TaskClosedError';
  override readonly code = 'TASK_CLOSED';

  /** @internal */
  constructor() {
    super('The task is closed.');
  }
}

/** The file of a task has not the models that the task runs. */
export class TaskFileError extends TFLiteWebnnError {
  override readonly name = 'TaskFileError';
  override readonly code = 'TASK_FILE';
}
