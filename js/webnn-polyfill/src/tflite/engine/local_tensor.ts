/** Tensors of the engine in the thread that uses it. */

import type { EngineTensor } from '../../engine.js';

/** The memory of a graph that a result lies in, which belongs to a tensor until the graph runs again. */
export class ResultPlace {
  /** The tensor whose content lies here, if one's does. */
  holder: LocalTensor | null = null;
  readonly #bytes: () => Uint8Array;

  /** @param bytes - Gives a view, which may die when wasm runs. */
  constructor(bytes: () => Uint8Array) {
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes();
  }

  /** Makes room: the tensor whose content is here keeps a copy, unless it is about to get another content. */
  vacate(next: LocalTensor | null): void {
    if (this.holder !== next) this.holder?.moveOut();
  }
}

/**
 * A tensor. Its content is not moved before it has to be: what has been written stays in the array that came, and what
 * a graph has computed stays in the graph's memory.
 */
export class LocalTensor implements EngineTensor {
  readonly #sizeBytes: number;
  /** Absent where the content lies in a place, and where it has never been written: then it is zeros. */
  #own: Uint8Array | null = null;
  #place: ResultPlace | null = null;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** The content: a view that dies when the tensor is written to, or wasm runs. */
  get bytes(): Uint8Array {
    if (this.#place !== null) return this.#place.bytes;
    this.#own ??= new Uint8Array(this.#sizeBytes);
    return this.#own;
  }

  write(bytes: Uint8Array): void {
    this.#drop();
    this.#own = bytes;
  }

  async read(): Promise<Uint8Array> {
    return this.bytes.slice();
  }

  destroy(): void {
    this.#drop();
  }

  /** The content is what has just been computed there. */
  moveTo(place: ResultPlace): void {
    if (this.#place === place) return;
    this.#drop();
    place.holder = this;
    this.#place = place;
  }

  /** Copies the content out of the place that it lies in. */
  moveOut(): void {
    this.write(this.bytes.slice());
  }

  #drop(): void {
    if (this.#place !== null) this.#place.holder = null;
    this.#place = null;
    this.#own = null;
  }
}
