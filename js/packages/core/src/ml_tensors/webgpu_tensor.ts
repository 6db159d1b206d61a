/** A tensor on which WebNN and WebGPU alternate. */

import { ModelDisposedError, messageOf, TensorError } from '../errors.js';
import { FUNCTION, NUMBERS, OBJECT, TEXT } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';
import type { MLContext, MLOperandDescriptor, MLTensor } from '../webnn_types.js';
import { checkNotOwnedByGpu, setOwnedByGpu } from './tensor_checks.js';

/** The part of a GPUBuffer that is used here. */
export interface GpuBuffer {
  /** Its size in bytes. */
  readonly size: number;
  /**
   * Makes its memory readable.
   *
   * @param mode - `GPUMapMode.READ`.
   */
  mapAsync(mode: number): Promise<unknown>;
  /** Provides the memory that was made readable. */
  getMappedRange(): ArrayBuffer;
  /** Releases the memory. */
  unmap(): void;
  /** Frees it. */
  destroy(): void;
}

/** The part of a GPUDevice that is used here; the browser's own fits. */
export interface GpuDevice<Buffer extends GpuBuffer = GpuBuffer> {
  /** Its queue. */
  readonly queue: GpuQueue<Buffer>;
  /**
   * Creates a buffer.
   *
   * @param descriptor - Its size in bytes, and flags of GPUBufferUsage.
   */
  createBuffer(descriptor: { size: number; usage: number }): Buffer;
  /** Creates an encoder of commands. */
  createCommandEncoder(): GpuCommandEncoder<Buffer>;
  /**
   * Catches errors of the calls that follow, e.g. of a buffer that was destroyed.
   *
   * @param filter - Which ones.
   */
  pushErrorScope?(filter: 'validation'): void;
  /** Returns the error that was caught. */
  popErrorScope?(): Promise<{
    /** What is wrong. */
    readonly message: string;
  } | null>;
}

/** The part of a GPUQueue that is used here. */
export interface GpuQueue<Buffer extends GpuBuffer = GpuBuffer> {
  /**
   * Queues a copy into a buffer.
   *
   * @param buffer - The buffer.
   * @param offset - Where the bytes go.
   * @param data - The bytes.
   */
  writeBuffer(buffer: Buffer, offset: number, data: ArrayBufferLike | ArrayBufferView): void;
  /**
   * Queues commands.
   *
   * @param commands - What encoders have finished.
   */
  submit(commands: never[]): void;
}

/** The part of a GPUCommandEncoder that is used here. */
export interface GpuCommandEncoder<Buffer extends GpuBuffer = GpuBuffer> {
  /**
   * Copies between buffers.
   *
   * @param source - Where the bytes come from.
   * @param from - Their offset in `source`.
   * @param target - Where they go.
   * @param to - Their offset in `target`.
   * @param size - How many there are.
   */
  copyBufferToBuffer(source: Buffer, from: number, target: Buffer, to: number, size: number): void;
  /** Ends the encoding and returns the commands. */
  finish(): unknown;
}

// The numbers of GPUBufferUsage and GPUMapMode: so that nothing here needs a WebGPU global.
const MAP_MODE_READ = 1;
const USAGE_MAP_READ = 0x1;
const USAGE_COPY_SRC = 0x4;
const USAGE_COPY_DST = 0x8;
const USAGE_STORAGE = 0x80;

const WORD_BYTES = 4;

const LOST = 'If the GPUDevice was lost, request another one.';

const KINDS = {
  context: { createTensor: FUNCTION },
  descriptor: { dataType: TEXT, shape: NUMBERS },
  device: OBJECT,
};

/**
 * A tensor for WebNN and WebGPU, which is copied from one to the other. One of them has it at a time: first WebNN, as
 * `tensor`; after `toGpu()` WebGPU, as the GPUBuffer that it returns; after `toWebnn()` WebNN again.
 *
 * @group Models
 */
export class WebgpuTensor<Buffer extends GpuBuffer = GpuBuffer> {
  /** From the call of toGpu() to the end of toWebnn(). */
  #isOnGpu = false;
  #isDisposed = false;
  /** WebGPU's, while it has the tensor. */
  #buffer: Buffer | null = null;
  #sizeBytes = 0;

  /**
   * Creates a tensor.
   *
   * @param context - The context of the models that use it.
   * @param descriptor - E.g. `model.inputTensorDescriptor('image')`.
   * @param device - The GPUDevice.
   * @throws OptionError; TensorError if the browser cannot create it.
   */
  static async create<Buffer extends GpuBuffer>(
    context: MLContext,
    descriptor: MLOperandDescriptor,
    device: GpuDevice<Buffer>,
  ): Promise<WebgpuTensor<Buffer>> {
    checkArguments('WebgpuTensor.create', { context, descriptor, device }, KINDS);
    const { dataType, shape } = descriptor;
    const flags = { dataType, shape: [...shape], readable: true, writable: true };
    try {
      return new WebgpuTensor(context, device, await context.createTensor(flags));
    } catch (error) {
      throw unavailable('WebNN cannot create it', error, 'Pass a descriptor of the model.');
    }
  }

  private constructor(
    private readonly context: MLContext,
    private readonly device: GpuDevice<Buffer>,
    private readonly mlTensor: MLTensor,
  ) {}

  /**
   * For dispatches, writes and reads. From the call of `toGpu()` until `toWebnn()` has settled, these throw.
   *
   * @throws TensorError while WebGPU has the tensor.
   */
  get tensor(): MLTensor {
    this.#checkUsable();
    checkNotOwnedByGpu(this.mlTensor);
    return this.mlTensor;
  }

  /**
   * Hands the tensor to WebGPU once the WebNN work before is done.
   *
   * @throws TensorError where WebGPU has it already, or cannot get it.
   * @returns A buffer for storage and copies, with the elements packed in row-major order.
   */
  async toGpu(): Promise<Buffer> {
    this.#checkUsable();
    if (this.#isOnGpu) throw new TensorError('TENSOR_USAGE', 'The tensor is on WebGPU already: call toWebnn() first.');
    this.#setOnGpu(true);
    try {
      const buffer = await this.#copyOut();
      if (this.#isDisposed) {
        buffer.destroy();
        throw new Error('it was disposed of');
      }
      this.#buffer = buffer;
      return buffer;
    } catch (error) {
      this.#setOnGpu(false);
      throw unavailable('WebGPU cannot get the tensor', error, 'Make another one.');
    }
  }

  /**
   * Takes the tensor back for WebNN, after the GPU work that was submitted before. The buffer is destroyed.
   *
   * @throws TensorError where WebGPU does not have it, and where the buffer cannot be read:
   *   the tensor then has its values from before `toGpu()`.
   */
  async toWebnn(): Promise<void> {
    this.#checkUsable();
    const buffer = this.#buffer;
    if (buffer === null) throw new TensorError('TENSOR_USAGE', 'The tensor is not on WebGPU: call toGpu() first.');
    this.#buffer = null;
    try {
      await this.#copyBack(buffer);
    } catch (error) {
      throw unavailable(
        'The GPUBuffer could not be read',
        error,
        `The tensor has its values from before toGpu(). ${LOST}`,
      );
    } finally {
      buffer.destroy();
      this.#setOnGpu(false);
    }
  }

  /** Frees the tensor and the buffer. */
  dispose(): void {
    this.#isDisposed = true;
    this.#setOnGpu(false);
    this.#buffer?.destroy();
    this.#buffer = null;
    this.mlTensor.destroy();
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
  }

  #checkUsable(): void {
    if (this.#isDisposed) throw new ModelDisposedError('The tensor has been disposed. Make a new one.');
  }

  #setOnGpu(isOnGpu: boolean): void {
    this.#isOnGpu = isOnGpu;
    setOwnedByGpu(this.mlTensor, isOnGpu);
  }

  async #copyOut(): Promise<Buffer> {
    const data = await this.context.readTensor(this.mlTensor);
    this.#sizeBytes = data.byteLength;
    const size = Math.ceil(data.byteLength / WORD_BYTES) * WORD_BYTES;
    const buffer = this.device.createBuffer({ size, usage: USAGE_STORAGE | USAGE_COPY_SRC | USAGE_COPY_DST });
    this.device.queue.writeBuffer(buffer, 0, padded(data, size));
    return buffer;
  }

  async #copyBack(buffer: Buffer): Promise<void> {
    const { device } = this;
    const staging = device.createBuffer({ size: buffer.size, usage: USAGE_MAP_READ | USAGE_COPY_DST });
    try {
      device.pushErrorScope?.('validation');
      let scope: Promise<{ message: string } | null> | undefined;
      try {
        const encoder = device.createCommandEncoder();
        encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
        device.queue.submit([encoder.finish() as never]);
      } finally {
        scope = device.popErrorScope?.();
      }
      const error = await scope;
      if (error) throw new Error(error.message);
      await staging.mapAsync(MAP_MODE_READ);
      const bytes = new Uint8Array(staging.getMappedRange(), 0, this.#sizeBytes);
      this.context.writeTensor(this.mlTensor, bytes);
      staging.unmap();
    } finally {
      staging.destroy();
    }
  }
}

function unavailable(what: string, cause: unknown, hint: string): TensorError {
  return new TensorError('TENSOR_IO_UNAVAILABLE', `${what} (${messageOf(cause)}). ${hint}`, { cause });
}

/** WebGPU writes words only, of four bytes. */
function padded(data: ArrayBuffer, size: number): Uint8Array {
  if (data.byteLength === size) return new Uint8Array(data);
  const words = new Uint8Array(size);
  words.set(new Uint8Array(data));
  return words;
}
