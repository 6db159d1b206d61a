/** Errors of working with tensors. */

import { CodedError } from '../errors.js';

/** What is wrong with a tensor. */
type TensorCode =
  | 'TENSOR_IO_UNAVAILABLE'
  | 'TENSOR_CONTEXT'
  | 'TENSOR_DESTROYED'
  | 'TENSOR_MISMATCH'
  | 'TENSOR_USAGE'
  | 'TENSOR_NAME'
  | 'LITERT_TENSOR'
  | 'TF_TENSOR';

/**
 * An MLTensor cannot be used: the model does not run wholly on WebNN, the tensor is of another context, destroyed, of another
 * type or shape, without the flag that the use needs, or missing, unknown or too many. Or a tensor of another library cannot
 * have the values.
 */
export class TensorError extends CodedError<TensorCode> {
  override readonly name = 'TensorError';
}
