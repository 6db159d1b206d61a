/** Tensors of the engine in the thread that uses it. */

import type { EngineTensor } from '../../engine.js';
import type { OwnBytes } from './worker_protocol.js';

/** Memory of a graph for one of its inputs or outputs: that of the tensor that was last dispatched there. */
export class Place {
  /** The tensor whose content lies here, if one's does. */
  holder: LocalTensor | null = null;
  readonly #bytes: () => Uint8Array;
  /** Empty when its memory has grown. */
  #view: Uint8Array = new Uint8Array();

  /** @param bytes - Gives a view. It is asked again when that has died: graphs do not move what they have in memory. */
  constructor(bytes: () => Uint8Array) {
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    if (this.#view.byteLength === 0) this.#view = this.#bytes();
    return this.#view;
  }

  /** Makes room: another tensor whose content is here takes it with it. */
  vacate(next: LocalTensor | null = null): void {
    if (this.holder !== next) this.holder?.moveOut();
  }
}

/** A tensor. Its content lies where a graph needs it, or where one has computed it, so that runs need not copy it. */
export class LocalTensor implements EngineTensor {
  readonly #sizeBytes: number;
  #place: Place | null = null;
  /** The content, unless it lies in a place; it may be here as well. Without either it is zeros. */
  #own: OwnBytes | null = null;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** The content: a view that dies when wasm runs. */
  get bytes(): Uint8Array {
    if (this.#place !== null) return this.#place.bytes;
    this.#own ??= new Uint8Array(this.#sizeBytes);
    return this.#own;
  }

  write(bytes: Uint8Array): void {
    if (this.#place !== null) {
      this.#place.bytes.set(bytes);
      this.#own = null;
    } else if (this.#own !== null) {
      this.#own.set(bytes);
    } else {
      this.#own = bytes.slice();
    }
  }

  /** Writes an array that the tensor may keep. @returns one that is free in its place, where there is one. */
  swap(content: OwnBytes): OwnBytes | null {
    const own = this.#own;
    if (this.#place !== null) this.write(content);
    else this.#own = content;
    return this.#place === null ? own : content;
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

  /** Brings the content to where a graph reads it. */
  enter(place: Place): void {
    if (this.#place === place) return;
    place.vacate();
    place.bytes.set(this.bytes);
    this.#settle(place);
  }

  /** The content is about to be computed there: what it was before is not needed any more. */
  expect(place: Place): void {
    if (this.#place !== place) this.destroy();
  }

  /** The content has been computed there. */
  take(place: Place): void {
    if (this.#place === place) return;
    this.destroy();
    this.#settle(place);
  }

  /** Leaves the place with the content. */
  moveOut(): void {
    this.#own ??= this.bytes.slice();
    this.#leave();
  }

  /** Leaves with the content, which is the caller's then; null where it is zeros. */
  handOver(): OwnBytes | null {
    if (this.#place !== null) this.moveOut();
    const content = this.#own;
    this.#own = null;
    return content;
  }

  #settle(place: Place): void {
    this.#leave();
    place.holder = this;
    this.#place = place;
  }

  #leave(): void {
    if (this.#place !== null) this.#place.holder = null;
    this.#place = null;
  }
}
