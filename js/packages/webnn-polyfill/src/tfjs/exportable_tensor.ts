/** MLTensors that can be exported to WebGPU. */

import { byteLength } from '../data_types.js';
import type { ExportableEngineTensor } from '../engine.js';
import type { OperandDescriptor } from '../graph.js';
import { heldAs } from './data.js';
import type { Device } from './device.js';
import { TfjsTensor } from './tensor.js';
import * as tf from './tf.js';

/**
 * WebGPU gets a separate buffer, whose content is copied back: two copies inside the GPU. The tensors themselves
 * are not exported, because several may share one buffer.
 */
export class ExportableTensor extends TfjsTensor implements ExportableEngineTensor {
  #buffer: GPUBuffer | null = null;

  constructor(
    private readonly webgpu: tf.WebGPUBackend,
    device: Device,
    descriptor: OperandDescriptor,
    onDestroy: (tensor: TfjsTensor) => void,
  ) {
    const { dataType } = descriptor;
    // Narrower integers are stored in float32: their buffers would not be what pages expect.
    if (dataType !== heldAs(dataType)) throw new Error(`its data type is ${dataType}, not float32 or int32`);
    super(device, descriptor, onDestroy);
  }

  get isExported(): boolean {
    return this.#buffer !== null;
  }

  exportToGPU(): GPUBuffer {
    this.#buffer ??= this.#exported();
    return this.#buffer;
  }

  override destroy(): void {
    const buffer = this.#buffer;
    this.#buffer = null;
    super.destroy();
    buffer?.destroy();
  }

  #exported(): GPUBuffer {
    const buffer = this.device.run(() => this.#copyOut());
    const destroy = () => {
      if (this.#buffer === buffer) this.#reclaim(buffer);
      GPUBuffer.prototype.destroy.call(buffer);
    };
    Object.defineProperty(buffer, 'destroy', { value: destroy });
    return buffer;
  }

  #copyOut(): GPUBuffer {
    const { webgpu } = this;
    const { dataId } = this.value();
    const size = byteLength(this.descriptor);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = webgpu.device.createBuffer({ size, usage });
    webgpu.uploadToGPU(dataId); // written data may not be uploaded yet
    const { resource } = webgpu.tensorMap.get(dataId);
    // The kernels that compute it are queued before the copy.
    webgpu.ensureCommandEncoderReady();
    webgpu.endComputePassEncoder();
    webgpu.submitQueue();
    const encoder = webgpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(resource as GPUBuffer, 0, buffer, 0, size);
    webgpu.queue.submit([encoder.finish()]);
    return buffer;
  }

  #reclaim(buffer: GPUBuffer): void {
    this.#buffer = null;
    const { dataType, shape } = this.descriptor;
    this.device.run(() => this.replace(tf.keep(tf.tensor({ buffer }, [...shape], heldAs(dataType)))));
  }
}
