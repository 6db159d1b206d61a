/** Errors of working with MLTensors. */

import { TFLiteWebnnError } from '../errors.js';

/** The model does not run wholly on WebNN, so it cannot read and write MLTensors itself. */
export class TensorIoUnavailableError extends TFLiteWebnnError {
  override readonly name = 'TensorIoUnavailableError';
  override readonly code = 'TENSOR_IO_UNAVAILABLE';
}

/** An MLTensor was made on another context than the one that the model runs on now. */
export class TensorContextError extends TFLiteWebnnError {
  override readonly name = 'TensorContextError';
  override readonly code = 'TENSOR_CONTEXT';
}

/** An MLTensor was used after its destroy(). */
export class TensorDestroyedError extends TFLiteWebnnError {
  override readonly name = 'TensorDestroyedError';
  override readonly code = 'TENSOR_DESTROYED';
}

/** An MLTensor has another data type or shape than the model's input or output, or an array does not fit an MLTensor. */
export class TensorMismatchError extends TFLiteWebnnError {
  override readonly name = 'TensorMismatchError';
  override readonly code = 'TENSOR_MISMATCH';
}

/** An MLTensor was made without the flag that this use needs, or is used as an input and an output at once. */
export class TensorUsageError extends TFLiteWebnnError {
  override readonly name = 'TensorUsageError';
  override readonly code = 'TENSOR_USAGE';
}

/** Inputs or outputs of a dispatch are missing, unknown or too many. */
export class TensorNameError extends TFLiteWebnnError {
  override readonly name = 'TensorNameError';
  override readonly code = 'TENSOR_NAME';
}
