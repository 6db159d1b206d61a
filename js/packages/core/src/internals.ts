/** What the other packages of js/ take of this one besides its exports. They import this file, and none below it. */

export type { Kinds } from './argument_kinds.js';
export { BlockingHelper, HelperContext, startHelperWorker, whyCannotBlock } from './blocking/blocking_helper.js';
export { type HelperWebnn, helperWebnn } from './blocking/blocking_webnn.js';
export { listen, serveHelper } from './blocking/helper.js';
export { WebnnHost } from './blocking/webnn_host.js';
export type { GraphPort, InputShapes, SignatureInfo, TensorInfo, WebnnGraph } from './description.js';
export { bytesOf, type TypedArray, typedArrayConstructor } from './dtypes.js';
/** @internal */
export {
  BlockingError,
  ContextLostError,
  InputError,
  InterpreterError,
  ModelDisposedError,
  messageOf,
  OptionError,
  OutputError,
  TFLiteWebnnError,
  WasmLoadError,
  WebnnRunError,
} from './errors.js';
export { BROWSER_BUGS } from './generated/browser_bugs.js';
export { DELEGATE_OPTIONS } from './generated/delegate_options.js';
export { readArchive } from './metadata/archive.js';
export { inflate } from './metadata/inflate.js';
export { findMetadata } from './metadata/metadata_parts.js';
export type { Labels, ModelMetadata, ScoreCalibration, TensorMetadata } from './metadata/model_metadata.js';
export { readMetadata } from './metadata/read_metadata.js';
export { prepareHosted } from './model/prepare_model.js';
export { PreparedModel } from './model/prepared_model.js';
export { RecoveringModel } from './model/recovering_model.js';
export { type SyncRunOptions, syncRunOptions } from './model/run_options.js';
export { onWebnn, runnerOptions } from './model/runner_options.js';
export { makeSchedule, whyNothing } from './model/schedule.js';
export { ShapedModels } from './model/shapes.js';
export type { TFLiteModelOptions, WebnnDelegateOptions } from './options.js';
export { MODEL_OPTION_KINDS } from './options.js';
export { type ModelReport, makeReport, reportOn } from './report/report.js';
export { bytesIn } from './support/download.js';
export { checkArguments, checkGiven, instead } from './support/option_check.js';
export { type ModelInputs, type OutputBuffers, takeInputs, takeOutputs } from './tensors/inputs_outputs.js';
export { distinct, inSameStructure, type ResultsOf, type TensorResult } from './tensors/results.js';
export { decodeStrings, encodeStrings } from './tensors/string_tensors.js';
export { allocate, HeapFile, type ModelFile } from './wasm/model_file.js';
export type {
  BytesPointer,
  CompiledModule,
  WasmBindings,
  WasmModuleArguments,
  WasmModuleFactory,
} from './wasm/wasm_binding_types.js';
export {
  instantiateNow,
  loadWasmModule,
  openWasmModule,
  type WasmInstance,
  type WasmModule,
} from './wasm/wasm_module.js';
export { type NodeTime, WasmRunner } from './wasm/wasm_runner.js';
export { endThreads } from './wasm/wasm_threads.js';
export { chooseVariant, getWasmFeatures } from './wasm/wasm_variants.js';
export { ContextLosses } from './webnn/context_losses.js';
export { opSupportLimitsText, workaroundsFor } from './webnn/delegate_context.js';
export { type DeniedNode, denyAndRetry, isWebnnFailure } from './webnn/denied_nodes.js';
export { FaultGuard } from './webnn/fault_guard.js';
export { GpuFaults } from './webnn/gpu_faults.js';
export { buildGraph, type HeapReader } from './webnn/graph_executor.js';
export type { WebnnScope } from './webnn/webnn_context.js';
export {
  chooseWebnn,
  closeWebnn,
  missingWebnn,
  openWebnn,
  type PageWebnn,
  type WebnnUnavailable,
} from './webnn/webnn_context.js';
export type {
  ML,
  MLContext,
  MLGraphBuilder,
  MLGraphBuilderConstructor,
  MLOpSupportLimits,
  MLTensor,
} from './webnn_types.js';
