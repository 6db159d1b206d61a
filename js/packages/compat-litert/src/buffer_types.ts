/** Where LiteRT.js has tensors: its names and numbers. */

import { kindOf } from 'tflite-webnn';

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
