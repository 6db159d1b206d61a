/** Errors of reading results. */

import { type ErrorContext, TFLiteWebnnError } from 'tflite-webnn';

/** A result has another shape or element type than what reads it expects. */
export class ResultShapeError extends TFLiteWebnnError {
  override readonly name = 'ResultShapeError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('RESULT_SHAPE', message, context);
  }
}

/** There are more or fewer labels than classes. */
export class LabelCountError extends TFLiteWebnnError {
  override readonly name = 'LabelCountError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('LABEL_COUNT', message, context);
  }
}

/** An option is out of its range, e.g. a threshold that is NaN. */
export class ResultOptionError extends TFLiteWebnnError {
  override readonly name = 'ResultOptionError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('RESULT_OPTION', message, context);
  }
}
