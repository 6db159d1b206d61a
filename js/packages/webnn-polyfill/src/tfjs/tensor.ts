/** MLTensor's content: written bytes, or a graph's result on the GPU. */

import type { EngineTensor } from '../engine.js';
import type { OperandDescriptor } from '../graph.js';
import { bytesOf, tensorOf, zeros } from './data.js';
import type { Device } from './device.js';
import * as tf from './tf.js';

export class TfjsTensor implements EngineTensor {
  /** Written bytes that no graph has needed yet: read back unchanged. */
  #bytes: Uint8Array | null;
  #tensor: tf.Tensor | null = null;
  /** Why there is no content: its computation failed. */
  #failure: unknown = null;
  #isDestroyed = false;

  constructor(
    protected readonly device: Device,
    readonly descriptor: OperandDescriptor,
    private readonly onDestroy: (tensor: TfjsTensor) => void,
  ) {
    this.#bytes = zeros(descriptor);
  }

  write(bytes: Uint8Array): void {
    this.#clear();
    this.#bytes = bytes.slice();
  }

  async read(): Promise<Uint8Array> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#bytes !== null) return this.#bytes.slice();
    // A separate reference: the tensor may be overwritten or destroyed during the read.
    const share = this.device.run(() => (this.#tensor as tf.Tensor).clone());
    try {
      return await bytesOf(share, this.descriptor);
    } finally {
      share.dispose();
    }
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#clear();
    this.onDestroy(this);
  }

  /** The value for a graph; it remains this tensor's. Called while the device runs. */
  value(): tf.Tensor {
    if (this.#failure !== null) throw this.#failure;
    this.#tensor ??= tf.keep(tensorOf(this.#bytes as Uint8Array, this.descriptor));
    this.#bytes = null;
    return this.#tensor;
  }

  /** Stores a graph's result. */
  replace(tensor: tf.Tensor): void {
    this.#clear();
    if (this.#isDestroyed) tensor.dispose();
    else this.#tensor = tensor;
  }

  /** Records why a graph has no result. */
  fail(reason: unknown): void {
    this.#clear();
    this.#failure = reason;
  }

  #clear(): void {
    this.#tensor?.dispose();
    this.#tensor = null;
    this.#bytes = null;
    this.#failure = null;
  }
}
