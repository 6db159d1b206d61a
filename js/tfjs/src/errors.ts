/** Errors of tensors of TensorFlow.js. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A result cannot become a tensor of TensorFlow.js without loss, or TensorFlow.js is not there. */
export class TfTensorError extends TFLiteWebnnError {
  override readonly name = 'TfTensorError';
  override readonly code = 'TF_TENSOR';
}
