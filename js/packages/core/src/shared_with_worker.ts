/**
 * What worker.mjs, read_files.mjs and the tasks import from index.mjs instead of having it twice: error classes, state, larger
 * parts.
 */

/** @internal */
export { bytesOf } from './dtypes.js';
/** @internal */
export { kindOf, messageOf, missingScript, printable } from './errors.js';
/** @internal */
export { metadataReaders, prepareMetadata } from './load/metadata_on_demand.js';
/** @internal */
export { checkSource, fetchFile } from './load/model_source.js';
/** @internal */
export { oneByOne, runThrough } from './ml_tensors/stream.js';
/** @internal */
export { runOptions, streamOptions, TRANSFER_SCHEMA } from './model/run_options.js';
/** @internal */
export { checkShapes } from './model/shapes.js';
/** @internal */
export { findSignature, outputsInOrder } from './model/signatures.js';
/** @internal */
export { foreign, resolveStateValues, stateDisposed, stateTensorNamed } from './model/state.js';
/** @internal */
export { stateIO, stateTensorsOf } from './model/state_names.js';
/** @internal */
export { checkOptions, MODEL_OPTIONS_SCHEMA } from './options.js';
/** @internal */
export { bytesIn, isArchive } from './support/download.js';
/** @internal */
export { LoadMonitor, orAbort, Queue } from './support/tasks.js';
/** @internal */
export { validateOptions } from './support/validate_options.js';
/** @internal */
export {
  CallerIO,
  checkOutputs,
  checkOutputType,
  inputsByPosition,
  resolveInputs,
  resolveOutput,
  resolveOutputs,
} from './tensors/inputs_outputs.js';
/** @internal */
export { asInputs } from './tensors/model_tensors.js';
/** @internal */
export { inSameStructure, tensorResult } from './tensors/results.js';
/** @internal */
export { wasmPathNow } from './wasm/wasm_module.js';
