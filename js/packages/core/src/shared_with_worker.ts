/** What worker.mjs imports from index.mjs instead of having it twice: error classes, state, and the larger parts. */

export { bytesOf } from './dtypes.js';
export * from './errors.js';
export { checkOptions, MODEL_OPTION_KINDS } from './load/check_options.js';
export { checkSource, fetchFile } from './load/model_source.js';
export { openMetadata } from './metadata/open_metadata.js';
export { oneByOne, runThrough } from './ml_tensors/stream.js';
export * from './ml_tensors/tensor_errors.js';
export { findSignature } from './model/find_signature.js';
export { foreign, stateDisposed, stateTensorNamed, takeStateValues } from './model/model_state.js';
export { runOptions, streamOptions, TRANSFER_KINDS } from './model/run_options.js';
export { checkShapes } from './model/shaped_models.js';
export { outputsInOrder, signaturePorts } from './model/signatures.js';
export { stateTensorsOf } from './model/state_names.js';
export { OpenPorts, statePorts } from './model/state_ports.js';
export { orAbort } from './support/abort.js';
export { bytesIn } from './support/download.js';
export { LoadWatch } from './support/load_watch.js';
export { checkGiven, shown, unknownOption } from './support/option_check.js';
export { asInputs } from './tensors/input_info.js';
export { inputsByPosition, takeInputs } from './tensors/inputs.js';
export { checkOutputs, checkOutputType, takeOutput, takeOutputs } from './tensors/outputs.js';
export { inSameStructure, tensorResult } from './tensors/results.js';
export { wasmPathNow } from './wasm/wasm_module.js';
