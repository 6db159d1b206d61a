/** Errors of working with MLTensors. */

import { type ErrorContext, TFLiteWebnnError } from '../errors.js';

/** The model does not run wholly on WebNN, so it cannot read and write MLTensors itself. */
export class TensorIoUnavailableError extends TFLiteWebnnError {
  override readonly name = 'TensorIoUnavailableError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_IO_UNAVAILABLE', message, context);
  }
}

/** An MLTensor was made on another context than the one that the model runs on now. */
export class TensorContextError extends TFLiteWebnnError {
  override readonly name = 'TensorContextError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_CONTEXT', message, context);
  }
}

/** An MLTensor was used after its destroy(). */
export class TensorDestroyedError extends TFLiteWebnnError {
  override readonly name = 'TensorDestroyedError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_DESTROYED', message, context);
  }
}

/** An MLTensor has another data type or shape than the model's input or output, or an array does not fit an MLTensor. */
export class TensorMismatchError extends TFLiteWebnnError {
  override readonly name = 'TensorMismatchError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_MISMATCH', message, context);
  }
}

/** An MLTensor was made without the flag that this use needs, or is used as an input and an output at once. */
export class TensorUsageError extends TFLiteWebnnError {
  override readonly name = 'TensorUsageError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_USAGE', message, context);
  }
}

/** Inputs or outputs of a dispatch are missing, unknown or too many. */
export class TensorNameError extends TFLiteWebnnError {
  override readonly name = 'TensorNameError';

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super('TENSOR_NAME', message, context);
  }
}
