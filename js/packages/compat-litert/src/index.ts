/**
 * The API of LiteRT.js (`@litertjs/core`) on tflite-webnn: a program switches by its import.
 *
 * @module tflite-webnn/litert
 */

export type { DType } from 'tflite-webnn';
export type { CompileOptions, CpuOptions, GpuOptions, WebNNOptions } from './compile_options.js';
export { CompiledModel } from './compiled_model.js';
export {
  Environment,
  type EnvironmentOptions,
  getDefaultEnvironment,
  isWebGPUSupported,
  supportsFeature,
} from './environment.js';
export { LiteRtNotLoadedError, LiteRtUnsupportedError } from './errors.js';
export {
  getGlobalLiteRt,
  getGlobalLiteRtPromise,
  getWebGpuDevice,
  loadAndCompile,
  loadLiteRt,
  loadModelAndWeights,
  setWebGpuDevice,
  unloadLiteRt,
} from './global_litert.js';
export { LiteRt, type LoadLiteRtOptions } from './litert.js';
export type { SignatureRunner, TensorDetails } from './signature_runner.js';
export {
  type CopyOptions,
  type Dimensions,
  Tensor,
  type TensorCopyFn,
  type TensorType,
  type TypedArray,
} from './tensor.js';
export { type Accelerator, TensorBufferType } from './tensor_types.js';
