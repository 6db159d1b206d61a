/** A model's file in memory: where it lies, so that it need not lie there twice. */

import { InterpreterError, MEMORY_HINT } from '../errors.js';
import type { BytesPointer, WasmHeap } from './wasm_binding_types.js';
import type { WasmInstance } from './wasm_module.js';

/** The file as its caller gave it, or in the heap of a wasm instance. */
export type ModelFile = Uint8Array | HeapFile;

/** Beyond this many times the file, a heap is too much to keep for the file alone. It grows ahead of what is used. */
const MAX_HEAP_RATIO = 3;

/** What wasm32 can address. */
const MAX_SIZE_BYTES = 2 ** 32 - 1;

/**
 * Memory in the heap of a wasm instance.
 *
 * @throws InterpreterError where there is no more.
 */
export function allocate({ bindings }: WasmInstance, sizeBytes: number): BytesPointer {
  const address = sizeBytes > MAX_SIZE_BYTES ? 0 : bindings._malloc(Math.max(sizeBytes, 1)) >>> 0;
  if (address !== 0) return address as BytesPointer;
  throw new InterpreterError('OUT_OF_MEMORY', `WebAssembly has no ${sizeBytes} bytes for this model. ${MEMORY_HINT}`);
}

/** A file in the heap of a wasm instance: a download goes there directly, and runners in that instance read it there. */
export class HeapFile {
  readonly #instance: WasmInstance;
  #isTaken = false;

  /** Allocates memory in the heap of a fresh instance. */
  static allocate(instance: WasmInstance, byteLength: number): HeapFile {
    return new HeapFile(instance, allocate(instance, byteLength), byteLength);
  }

  constructor(
    instance: WasmInstance,
    readonly address: BytesPointer,
    public byteLength: number,
  ) {
    this.#instance = instance;
  }

  /** A view, which is detached when the heap grows. */
  get bytes(): Uint8Array {
    return new Uint8Array(heapBuffer(this.#instance.bindings), this.address, this.byteLength);
  }

  /** The same file for another runner in this instance. */
  forBorrower(): HeapFile {
    const host = this.#instance;
    return new HeapFile({ ...host, host }, this.address, this.byteLength);
  }

  /** The instance, for the first runner that is opened; null for those after it: a runner's instance is its own. */
  takeInstance(): WasmInstance | null {
    if (this.#isTaken) return null;
    this.#isTaken = true;
    return this.#instance;
  }

  /** Whether the file lies in this instance already. */
  isIn(instance: WasmInstance): boolean {
    return instance.bindings === this.#instance.bindings;
  }

  /** The file without its instance: a copy if most of the heap is something else. */
  compact(): ModelFile {
    const heapBytes = heapBuffer(this.#instance.bindings).byteLength;
    return heapBytes > MAX_HEAP_RATIO * this.byteLength ? this.bytes.slice() : this;
  }
}

/** The bytes of a file; a view that may die when wasm runs. */
export function fileBytes(file: ModelFile): Uint8Array {
  return file instanceof HeapFile ? file.bytes : file;
}

/** The heap of an instance. Views of it die when it grows: fetch it again for each use. With threads it is shared. */
export function heapBuffer({ wasmMemory, HEAPU8 }: WasmHeap): ArrayBuffer {
  return (wasmMemory?.buffer ?? HEAPU8.buffer) as ArrayBuffer;
}
