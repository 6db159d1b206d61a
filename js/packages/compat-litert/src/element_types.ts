/** Element types of arrays. By name, not for `instanceof`: an array may come from another realm. */

import type { DType, TypedArray } from 'tflite-webnn';

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

/** The element type of an array; null where tensors have no such type. A run may take it as another of the same bytes. */
export function dtypeOf(data: TypedArray): DType | null {
  return DTYPE_OF[data[Symbol.toStringTag]] ?? null;
}
