/**
 * TensorFlow Lite in the browser, delegated to WebNN.
 *
 * @module tflite-webnn
 */

export type {
  CustomOp,
  CustomOpInput,
  CustomOpInputOf,
  CustomOpNode,
  CustomOpOutput,
  CustomOpOutputInfo,
  CustomOps,
  CustomOpTensor,
  CustomOpTensorOf,
} from './custom_op.js';
export type {
  CompositeInfo,
  InputShapes,
  NodeInfo,
  PartitionInfo,
  PatternInfo,
  Placement,
  QuantizationInfo,
  QuantizedForm,
  SignatureInfo,
  SignatureTensor,
  SubgraphInfo,
  TensorInfo,
  XnnpackReport,
} from './description.js';
export type { ArraysByDType, DType, TypedArray } from './dtypes.js';
export {
  ArchiveError,
  BlockingError,
  CodedError,
  ContextLostError,
  DeviceUnavailableError,
  type ErrorDetails,
  InputError,
  InterpreterError,
  MalformedModelError,
  MetadataError,
  ModelDisposedError,
  ModelFetchError,
  NotATFLiteModelError,
  OptionError,
  OutputError,
  SignatureError,
  StateError,
  StateLostError,
  TensorError,
  TFLiteWebnnError,
  UnsupportedOpError,
  WasmLoadError,
  WasmTrapError,
  WebnnRunError,
  WorkerFailedError,
} from './errors.js';
export type { ReadOptions } from './load/file_to_read.js';
export { loadTFLiteModel, preloadTFLite } from './load/load_tflite_model.js';
export { openTaskBundle, readModelMetadata } from './load/metadata_on_demand.js';
export type { Model } from './load/model.js';
export type { ModelSource } from './load/model_source.js';
export type { TFLiteModel } from './load/tflite_model.js';
export type { ArchiveEntry } from './metadata/archive.js';
export { labelsFor } from './metadata/label_files.js';
export type * from './metadata/model_metadata.js';
export type { TaskBundle } from './metadata/task_bundle.js';
export type { PerTensor, TensorKey } from './ml_tensors/direct_graph.js';
export type { StreamSource } from './ml_tensors/stream.js';
export type { DispatchInputs, DispatchOutputs, TensorFlags } from './ml_tensors/tensor_io.js';
export type { CallOptions, RunOptions, StreamOptions, SyncRunOptions, TransferOptions } from './model/run_options.js';
export type { ProfileItem } from './model/run_profile.js';
export type { ExecutionMode } from './model/schedule.js';
export type { RequestedShapes } from './model/shapes.js';
export type { SignatureInputs, SignatureOutputs } from './model/signatures.js';
export type { ModelState } from './model/state.js';
export type { StateTensors } from './model/state_names.js';
export type { StateTensorInfo } from './model/state_tensor.js';
export type {
  DelegateOptions,
  Device,
  DevicePreference,
  PolyfillEngine,
  PowerPreference,
  TFLiteModelOptions,
  WasmVariant,
  WebnnDelegateOptions,
} from './options.js';
export { renderReport } from './report/render_report.js';
export type {
  LoadTimings,
  ModelReport,
  PartitionReport,
  ReportTotals,
  SubgraphReport,
  ThreadsReport,
  WebnnReport,
} from './report/report.js';
/** @internal */
export * from './shared_with_worker.js';
export { type CachedFile, type CacheOptions, deleteCachedModel, listCachedModels } from './support/file_cache.js';
export type { LoadPhase, LoadProgress, ProgressListener } from './support/tasks.js';
/** @internal */
export { checkArguments, checkValues } from './support/validate_options.js';
export type {
  ModelInputs,
  OutputArrays,
  OutputBuffers,
  ShapedValues,
  TensorInput,
  TensorValues,
} from './tensors/inputs_outputs.js';
export type { InputInfo } from './tensors/model_tensors.js';
export type { ListedResults, NamedResults, ResultOf, ResultsOf, TensorResult } from './tensors/results.js';
/** @internal */
export { realNumbers } from './tensors/results.js';
export { decodeByteStrings, decodeStrings, encodeStrings } from './tensors/string_tensors.js';
export { setWasmPath } from './wasm/wasm_module.js';
export { getWasmFeatures, type WasmFeatures } from './wasm/wasm_variants.js';
export type { ExcludedNode } from './webnn/excluded_nodes.js';
export type { DispatchTimes } from './webnn/graph_executor.js';
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
