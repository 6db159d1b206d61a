/**
 * Models on tensors of TensorFlow.js, with the predict() of tfjs-tflite.
 *
 * @module tflite-webnn/tfjs
 */

export {
  getDTypeFromTFLiteType,
  type TfDType,
  type TfLibrary,
  type TfTensor,
  type TfValues,
} from './tf_tensors.js';
export {
  loadTFLiteModel,
  type SameStructure,
  TFLiteModel,
  type TfInputs,
  type TfModelOptions,
  type TfOptions,
} from './tflite_model.js';
