/** What the polyfill takes of this package: TensorFlow Lite in wasm, and nothing of WebNN or of models. */

export { HeapFile } from './wasm/model_file.js';
export { loadWasmModule, type WasmInstance, type WasmModule } from './wasm/wasm_module.js';
export { WasmRunner } from './wasm/wasm_runner.js';
