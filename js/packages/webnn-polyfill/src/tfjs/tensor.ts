/**
 * Values of MLTensors: written bytes, or a graph's result on the GPU. TensorFlow.js has float32 and int32, and some of its
 * kernels do not compile for int32: narrower integers are stored in float32, which represents them exactly.
 */

import { byteLength, elementCount } from '../data_types.js';
import type { EngineTensor, ExportableEngineTensor, OperandDescriptor } from '../engine.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { Device } from './backends.js';
import * as tf from './tf.js';

/** Data types that the engine has. */
type HandledDataType = 'float32' | 'int32' | 'int8' | 'uint8';

type Values = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
type ValuesConstructor = new (source: ArrayBuffer | ArrayLike<number>) => Values;

const ARRAYS: Readonly<Record<HandledDataType, ValuesConstructor>> = {
  float32: Float32Array,
  int32: Int32Array,
  int8: Int8Array,
  uint8: Uint8Array,
};

/** The TensorFlow.js data type for a WebNN data type. */
function heldAs(dataType: MLOperandDataType): 'float32' | 'int32' {
  return dataType === 'int32' ? 'int32' : 'float32';
}

function arrayOf(dataType: MLOperandDataType): ValuesConstructor {
  const array = ARRAYS[dataType as HandledDataType];
  if (array === undefined) throw new TypeError(`This engine has no data type ${dataType}.`);
  return array;
}

/** Creates a tensor of values in row-major order, and takes over the bytes. */
export function tensorOf(bytes: Uint8Array, { dataType, shape }: OperandDescriptor): tf.Tensor {
  const array = arrayOf(dataType);
  const isFull = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  const buffer = isFull && bytes.buffer instanceof ArrayBuffer ? bytes.buffer : bytes.slice().buffer;
  const values = new array(buffer);
  const isHeldAsItIs = dataType === 'float32' || dataType === 'int32';
  const held = isHeldAsItIs ? (values as Float32Array | Int32Array) : Float32Array.from(values);
  return tf.tensor(held, [...shape], heldAs(dataType));
}

/** A tensor's values as bytes, which the caller may keep. */
async function bytesOf(tensor: tf.Tensor, { dataType, shape }: OperandDescriptor): Promise<Uint8Array> {
  const array = arrayOf(dataType);
  // TensorFlow.js may keep the array that it returns, and a buffer of the GPU may be longer than its content.
  const values = (await tensor.data()).subarray(0, elementCount(shape));
  return new Uint8Array(new array(values).buffer);
}

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
    this.#bytes = new Uint8Array(byteLength(descriptor));
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
