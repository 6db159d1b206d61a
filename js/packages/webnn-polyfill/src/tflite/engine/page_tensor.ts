/** Tensors of pages: in the page's thread until a graph in the worker needs them. */

import type { EngineTensor } from '../../engine.js';
import { LocalTensor } from './local_tensor.js';
import type { WorkerTensor } from './worker_tensor.js';

/**
 * A tensor that moves to the worker on its first use there, and remains there: so all its operations happen in call
 * order, without waiting for the worker.
 */
export class PageTensor implements EngineTensor {
  readonly #createInWorker: () => WorkerTensor;
  #tensor: LocalTensor | WorkerTensor;

  constructor(sizeBytes: number, createInWorker: () => WorkerTensor) {
    this.#tensor = new LocalTensor(sizeBytes);
    this.#createInWorker = createInWorker;
  }

  /** The tensor, unless it is in the worker. */
  get here(): LocalTensor | null {
    return this.#tensor instanceof LocalTensor ? this.#tensor : null;
  }

  /** The tensor in the worker; moves it there if necessary. */
  inWorker(): WorkerTensor {
    if (!(this.#tensor instanceof LocalTensor)) return this.#tensor;
    const content = this.#tensor.handOver();
    const tensor = this.#createInWorker();
    if (content !== null) tensor.transfer(content);
    this.#tensor = tensor;
    return tensor;
  }

  write(bytes: Uint8Array): void {
    this.#tensor.write(bytes);
  }

  read(target?: Uint8Array): Uint8Array | Promise<Uint8Array> {
    return this.#tensor.read(target);
  }

  destroy(): void {
    this.#tensor.destroy();
  }
}
