/** The memory of a wasm instance. */

import type { WasmHeap } from './wasm_binding_types.js';

/** The heap of an instance. Views of it die when it grows: fetch it again for each use. With threads it is shared. */
export function heapBuffer({ wasmMemory, HEAPU8 }: WasmHeap): ArrayBuffer {
  return (wasmMemory?.buffer ?? HEAPU8.buffer) as ArrayBuffer;
}
