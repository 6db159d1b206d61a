/** Stands where js/scripts.py puts Emscripten's part of the wasm module. */

import type { WasmModuleArguments, WasmModuleFactory } from '../../../runtime/src/internals.js';

/** What the factory was called with. */
export const calls: WasmModuleArguments[] = [];

const factory: WasmModuleFactory = async (moduleArguments) => {
  calls.push(moduleArguments);
  return { HEAPU8: new Uint8Array(16) } as Awaited<ReturnType<WasmModuleFactory>>;
};

export default factory;
