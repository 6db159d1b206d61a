/**
 * TensorFlow Lite in the browser, delegated to WebNN.
 *
 * @packageDocumentation
 */

export type { DeniedNode } from './denied_nodes.js';
export type {
  NodeInfo,
  PartitionInfo,
  Placement,
  QuantizationInfo,
  QuantizedForm,
  SignatureInfo,
  SignatureTensor,
  SubgraphInfo,
  TensorInfo,
} from './description.js';
export type { DType, TypedArray } from './dtypes.js';
export * from './errors.js';
export type { DispatchTimes } from './execution/dispatch_clock.js';
export type { ProfileItem } from './execution/run_profile.js';
export type { ExecutionMode } from './execution/schedule.js';
export type { ModelInputs, ShapedValues, TensorInput, TensorValues } from './inputs.js';
export type { LoadPhase, LoadProgress, ProgressListener } from './load_watch.js';
export { loadTFLiteModel } from './loader.js';
export type { ModelSource } from './model_source.js';
export type {
  DelegateOptions,
  DevicePreference,
  PolyfillEngine,
  PowerPreference,
  TFLiteModelOptions,
  WebnnDelegateOptions,
} from './options.js';
export type { InKind, TfInputs } from './predict.js';
export { renderReport } from './render_report.js';
export type {
  LoadTimings,
  ModelReport,
  PartitionReport,
  ReportTotals,
  ThreadsReport,
  WebnnReport,
  XnnpackReport,
} from './report.js';
export type { GivenShapes, InputShapes } from './shaped_models.js';
export type { SignatureInputs, SignatureOutputs } from './signatures.js';
export { decodeByteStrings, decodeStrings, encodeStrings } from './string_tensors.js';
export type { PortKey, PortValues } from './tensor_io/model_ports.js';
export type { StreamOptions, StreamSource } from './tensor_io/stream.js';
export * from './tensor_io/tensor_errors.js';
export type { DispatchInputs, DispatchOutputs, TensorFlags } from './tensor_io/tensor_io.js';
export {
  type GpuBuffer,
  type GpuCommandEncoder,
  type GpuDevice,
  type GpuQueue,
  WebgpuTensor,
  type WebgpuTensorOptions,
} from './tensor_io/webgpu_tensor.js';
export {
  getDTypeFromTFLiteType,
  type TfDType,
  type TfLibrary,
  type TfTensor,
  type TfValues,
} from './tf_tensors.js';
export type { TFLiteModel } from './tflite_model.js';
export { getWasmFeatures, type WasmFeatures, type WasmVariant } from './wasm_features.js';
export { setWasmPath } from './wasm_module.js';
export type {
  MLContext,
  MLContextLostInfo,
  MLGraph,
  MLOperandDataType,
  MLOperandDescriptor,
  MLOpSupportLimits,
  MLTensor,
  MLTensorDescriptor,
} from './webnn_types.js';
export type { TransferOptions } from './worker/crossing.js';
export { TFLiteWorker, type TFLiteWorkerOptions } from './worker/tflite_worker.js';
export type { WorkerModel } from './worker/worker_model.js';
