/** Where LiteRT.js has tensors, by its names and numbers, and the element types of arrays. */

import { type DType, kindOf, type TypedArray } from 'tflite-webnn';

/** Kinds of memory that hold tensors. */
export const TensorBufferType = {
  /** Memory of JavaScript: all tensors are there. */
  HOST_MEMORY: 1,
  /** A GPUBuffer. */
  WEB_GPU_BUFFER: 20,
  /** A GPUBuffer of float16. */
  WEB_GPU_BUFFER_FP16: 21,
  /** A GPUBuffer without padding. */
  WEB_GPU_BUFFER_PACKED: 26,
} as const;

/** One of {@link TensorBufferType}'s numbers. */
export type TensorBufferType = (typeof TensorBufferType)[keyof typeof TensorBufferType];

/** Where a tensor is. */
export type Accelerator = 'webgpu' | 'wasm';

const DEFAULT_BUFFER: Readonly<Record<string, TensorBufferType | undefined>> = {
  wasm: TensorBufferType.HOST_MEMORY,
  webgpu: TensorBufferType.WEB_GPU_BUFFER_PACKED,
};

/** The kind of memory that a destination means; undefined where there is no such destination. */
export function bufferTypeOf(destination: Accelerator | TensorBufferType): TensorBufferType | undefined {
  return typeof destination === 'string' ? DEFAULT_BUFFER[destination] : destination;
}

/** Its name, for messages. */
export function bufferTypeName(type: TensorBufferType): string {
  const name = Object.entries(TensorBufferType).find(([, value]) => value === type)?.[0];
  return name ?? textOf(type);
}

/** A value in messages. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? kindOf(value) : String(value);
}

const DTYPE_OF: Readonly<Record<string, DType>> = {
  Float16Array: 'float16',
  Float32Array: 'float32',
  Float64Array: 'float64',
  Int8Array: 'int8',
  Uint8Array: 'uint8',
  Uint8ClampedArray: 'uint8',
  Int16Array: 'int16',
  Uint16Array: 'uint16',
  Int32Array: 'int32',
  Uint32Array: 'uint32',
  BigInt64Array: 'int64',
  BigUint64Array: 'uint64',
};

/** Whether `data` is a typed array (a DataView is not). */
export function isTypedArray(data: unknown): data is TypedArray {
  return ArrayBuffer.isView(data) && !(data instanceof DataView);
}

/**
 * The element type of an array; null if tensors have no such type. A run may interpret it as another of the same size.
 */
export function dtypeOf(data: TypedArray): DType | null {
  return DTYPE_OF[data[Symbol.toStringTag]] ?? null;
}

/** A GPUDevice. */
export type WebGpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer Device } } ? Device : object;

/** A GPUBuffer. */
export type WebGpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Values } } ? Values : object;
