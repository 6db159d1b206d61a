/** What the polyfill uses of this package: TensorFlow Lite in wasm, the check of options, and nothing of models. */

export { WasmTrapError } from './errors.js';
export { ADDRESS, FLAG, type InstanceOf, type OptionSchema, oneOf, TEXT } from './option_schema.js';
export { startPackagedWorker, startWorker } from './support/start_worker.js';
export { validateOptions } from './support/validate_options.js';
export { HeapFile, hasTrapped, MAX_SHARED_BYTES, SharedInstances } from './wasm/wasm_memory.js';
export { loadUncached as loadWasmModule, type WasmInstance, type WasmModule } from './wasm/wasm_module.js';
export { WasmRunner } from './wasm/wasm_runner.js';
