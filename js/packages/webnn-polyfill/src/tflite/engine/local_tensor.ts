/** The engine's tensors in the calling thread. */

import type { EngineTensor } from '../../engine.js';
import type { OwnBytes } from './timeline_protocol.js';

/** A graph's memory for one input or output, with the content of the last dispatched tensor. */
export class GraphStorage {
  /** The tensor whose content is here, if any. */
  holder: LocalTensor | null = null;
  readonly #bytes: () => Uint8Array;
  /** Empty after memory growth. */
  #view: Uint8Array = new Uint8Array();

  /**
   * @param bytes - Returns a view, again after the old one is detached: graphs do not move their memory.
   * @param isOutput - Whether only the graph may write it: TensorFlow Lite computes outputs of constants only once.
   */
  constructor(
    bytes: () => Uint8Array,
    readonly isOutput = false,
  ) {
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    if (this.#view.byteLength === 0) this.#view = this.#bytes();
    return this.#view;
  }

  /** Frees the storage: a tensor with its content here moves it out. */
  vacate(next: LocalTensor | null = null): void {
    if (this.holder !== next) this.holder?.moveOut();
  }
}

/** A tensor. Its content remains where a graph needs or computes it, so that runs need not copy it. */
export class LocalTensor implements EngineTensor {
  readonly #sizeBytes: number;
  #storage: GraphStorage | null = null;
  /** The content, unless it is in the storage of a graph, or a copy of that; zeros if neither exists. */
  #own: OwnBytes | null = null;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** The content: a view that is detached by the next call into wasm. */
  get bytes(): Uint8Array {
    if (this.#storage !== null) return this.#storage.bytes;
    this.#own ??= new Uint8Array(this.#sizeBytes);
    return this.#own;
  }

  write(bytes: Uint8Array): void {
    if (this.#storage?.isOutput) this.destroy();
    if (this.#storage !== null) {
      this.#storage.bytes.set(bytes);
      this.#own = null;
    } else if (this.#own !== null) {
      this.#own.set(bytes);
    } else {
      this.#own = bytes.slice();
    }
  }

  /** Writes an array that the tensor may keep. @returns the array that it replaces, if any. */
  swap(content: OwnBytes): OwnBytes | null {
    if (this.#storage?.isOutput) this.destroy();
    const own = this.#own;
    if (this.#storage !== null) this.write(content);
    else this.#own = content;
    return this.#storage === null ? own : content;
  }

  read<Target extends Uint8Array = OwnBytes>(target?: Target): Target | OwnBytes {
    if (target === undefined) return this.bytes.slice();
    target.set(this.bytes);
    return target;
  }

  destroy(): void {
    this.#leave();
    this.#own = null;
  }

  /** Moves the content to a graph's input. */
  enter(storage: GraphStorage): void {
    if (this.#storage === storage) return;
    storage.vacate();
    storage.bytes.set(this.bytes);
    this.#settle(storage);
  }

  /** Before a computation into the storage: drops the old content. */
  expect(storage: GraphStorage): void {
    if (this.#storage !== storage) this.destroy();
  }

  /** After a computation into the storage: adopts the content. */
  adopt(storage: GraphStorage): void {
    if (this.#storage === storage) return;
    this.destroy();
    this.#settle(storage);
  }

  /** Moves out of the storage, with the content. */
  moveOut(): void {
    this.#own ??= this.bytes.slice();
    this.#leave();
  }

  /** Hands the content to the caller; null if it is zeros. */
  handOver(): OwnBytes | null {
    if (this.#storage !== null) this.moveOut();
    const content = this.#own;
    this.#own = null;
    return content;
  }

  #settle(storage: GraphStorage): void {
    this.#leave();
    storage.holder = this;
    this.#storage = storage;
  }

  #leave(): void {
    if (this.#storage !== null) this.#storage.holder = null;
    this.#storage = null;
  }
}
