/** Replaces Emscripten's part of the wasm module, which js/scripts/bundling bundles. */

import type { WasmModuleArguments, WasmModuleFactory } from 'tflite-webnn/wasm/wasm_binding_types';

/** The arguments of each call of the factory. */
export const calls: WasmModuleArguments[] = [];

const factory: WasmModuleFactory = async (moduleArguments) => {
  calls.push(moduleArguments);
  return { HEAPU8: new Uint8Array(16) } as Awaited<ReturnType<WasmModuleFactory>>;
};

export default factory;
