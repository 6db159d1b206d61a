/** MLTensor. */

import { byteLength } from '../data_types.js';
import type { EngineTensor, ExportableEngineTensor } from '../engine.js';
import { exception } from '../errors.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperandDescriptor } from '../graph.js';
import type { Owner } from './owner.js';
import { own, release } from './reclaim.js';

/** A tensor of the engine or, for a constant, its bytes, which become part of graphs. */
export type Content = { readonly engineTensor: EngineTensor | ExportableEngineTensor } | { readonly bytes: Uint8Array };

/** What a page may do with a tensor. */
interface Usage {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** A tensor that lives on the context's timeline. */
export class Tensor implements OperandDescriptor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly byteLength: number;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  /** Pending reads; each entry aborts one. */
  readonly pending = new Set<() => void>();
  #content: Content | null;

  constructor(
    readonly context: Owner,
    { dataType, shape }: OperandDescriptor,
    content: Content,
    { readable, writable }: Usage = { readable: false, writable: false },
  ) {
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
    this.byteLength = byteLength({ dataType, shape });
    this.readable = readable;
    this.writable = writable;
    this.constant = 'bytes' in content;
    this.#content = content;
    if ('engineTensor' in content) own(this, content.engineTensor);
  }

  /** Also true after the loss of the context, which destroys all its tensors. */
  get isDestroyed(): boolean {
    return this.#content === null || this.context.isLost;
  }

  /** The engine's tensor. Throws for a destroyed tensor and for a constant. */
  get engineTensor(): EngineTensor {
    const content = this.#usable();
    if ('bytes' in content) throw new TypeError('The tensor is a constant.');
    const { engineTensor } = content;
    if ('isExported' in engineTensor && engineTensor.isExported) {
      throw exception('InvalidStateError', 'WebGPU has the tensor: destroy the GPUBuffer of exportToGPU() first.');
    }
    return engineTensor;
  }

  /** Content of a constant. Throws for a destroyed tensor and for others. */
  get bytes(): Uint8Array {
    const content = this.#usable();
    if ('engineTensor' in content) throw new TypeError('The tensor is no constant.');
    return content.bytes;
  }

  /** Exports the tensor to WebGPU. */
  exportToGPU(): GPUBuffer {
    const content = this.#usable();
    if (!('engineTensor' in content && 'isExported' in content.engineTensor)) {
      throw new TypeError('The tensor was not created by createExportableTensor().');
    }
    return content.engineTensor.exportToGPU();
  }

  #usable(): Content {
    if (this.#content === null || this.context.isLost) {
      throw exception('InvalidStateError', 'The tensor has been destroyed.');
    }
    return this.#content;
  }

  destroy(): void {
    const content = this.#content;
    if (content === null) return;
    this.#content = null;
    for (const abort of this.pending) abort();
    if ('engineTensor' in content) release(this, content.engineTensor);
  }
}
