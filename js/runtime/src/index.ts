/**
 * TensorFlow Lite in the browser, delegated to WebNN.
 *
 * @packageDocumentation
 */

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
export type { LoadPhase, LoadProgress, ProgressListener } from './load/load_watch.js';
export { loadTFLiteModel } from './load/loader.js';
export type { ModelSource } from './load/model_source.js';
export type { ProfileItem } from './model/run_profile.js';
export type { ExecutionMode } from './model/schedule.js';
export type { GivenShapes, InputShapes } from './model/shaped_models.js';
export type { SignatureInputs, SignatureOutputs } from './model/signatures.js';
export type { TFLiteModel } from './model/tflite_model.js';
export type {
  DelegateOptions,
  DevicePreference,
  PolyfillEngine,
  PowerPreference,
  TFLiteModelOptions,
  WebnnDelegateOptions,
} from './options.js';
export { renderReport } from './report/render_report.js';
export type {
  LoadTimings,
  ModelReport,
  PartitionReport,
  ReportTotals,
  ThreadsReport,
  WebnnReport,
  XnnpackReport,
} from './report/report.js';
export type { ModelInputs, ShapedValues, TensorInput, TensorValues } from './tensors/inputs.js';
export type { PortKey, PortValues } from './tensors/model_ports.js';
export type { InKind, TfInputs } from './tensors/predict.js';
export type { StreamOptions, StreamSource } from './tensors/stream.js';
export { decodeByteStrings, decodeStrings, encodeStrings } from './tensors/string_tensors.js';
export * from './tensors/tensor_errors.js';
export type { DispatchInputs, DispatchOutputs, TensorFlags } from './tensors/tensor_io.js';
export {
  getDTypeFromTFLiteType,
  type TfDType,
  type TfLibrary,
  type TfTensor,
  type TfValues,
} from './tensors/tf_tensors.js';
export {
  type GpuBuffer,
  type GpuCommandEncoder,
  type GpuDevice,
  type GpuQueue,
  WebgpuTensor,
  type WebgpuTensorOptions,
} from './tensors/webgpu_tensor.js';
export { getWasmFeatures, type WasmFeatures, type WasmVariant } from './wasm/wasm_features.js';
export { setWasmPath } from './wasm/wasm_module.js';
export type { DeniedNode } from './webnn/denied_nodes.js';
export type { DispatchTimes } from './webnn/dispatch_clock.js';
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
