/** The memory of wasm with blocks that begin anywhere, and what a runner lets others do with it. */

import type { BytesPointer } from '../../src/wasm/wasm_binding_types.js';
import type { WasmRunner } from '../../src/wasm/wasm_runner.js';

/** Bytes that are 255 at first, as nobody clears what malloc returns. */
export class FakeHeap {
  readonly bytes = new Uint8Array(4096).fill(255);
  /** Sizes of the blocks that were not freed, by address. */
  readonly blocks = new Map<number, number>();
  /** Whether another model has crashed it. */
  isOrphaned = false;
  #top = 8;

  get runner(): WasmRunner {
    return this as unknown as WasmRunner;
  }

  allocate(sizeBytes: number): BytesPointer {
    const address = this.#top;
    this.#top += sizeBytes + 8;
    this.blocks.set(address, sizeBytes);
    return address as BytesPointer;
  }

  free(address: number): void {
    if (!this.blocks.delete(address)) throw new Error(`there is no block at ${address}`);
  }

  heapBytes(address: number, sizeBytes: number): Uint8Array {
    return this.bytes.subarray(address, address + sizeBytes);
  }
}
