/** Values of the model under construction, their types, and contents of constants. */

import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { Quantization } from './model.js';
import { ELEMENT_BYTES, type TensorType } from './schema.js';

/** A value: a node's result, an input of the model, or a constant. */
export interface Tensor {
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly data?: Uint8Array | undefined;
  readonly quantization?: Quantization | undefined;
  readonly isSparse?: true | undefined;
}

/** A tensor whose content is known. */
export interface ConstantTensor extends Tensor {
  readonly data: Uint8Array;
}

export function isConstant(tensor: Tensor): tensor is ConstantTensor {
  return tensor.data !== undefined;
}

/** The data types of this engine: all. */
export type HandledDataType = MLOperandDataType;

/**
 * The type that stores a data type inside the model. TensorFlow Lite's kernels hardly support halves and
 * unsigned integers: halves are computed as float32, unsigned ones are stored in the signed type of the same size, and
 * four-bit ones as bytes.
 */
export const HELD_TYPES: Readonly<Record<HandledDataType, TensorType>> = {
  float32: 'FLOAT32',
  float16: 'FLOAT32',
  int32: 'INT32',
  uint32: 'INT32',
  int64: 'INT64',
  uint64: 'INT64',
  int8: 'INT8',
  uint8: 'UINT8',
  int4: 'INT8',
  uint4: 'UINT8',
};

/** The type of a data type at the boundaries of the model; one byte has two four-bit values. */
export const BOUNDARY_TYPES: Readonly<Record<HandledDataType, TensorType>> = {
  float32: 'FLOAT32',
  float16: 'FLOAT16',
  int32: 'INT32',
  uint32: 'UINT32',
  int64: 'INT64',
  uint64: 'UINT64',
  int8: 'INT8',
  uint8: 'UINT8',
  int4: 'UINT8',
  uint4: 'UINT8',
};

/** Number of elements of a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dimension) => product * dimension, 1);
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dimension, axis) => dimension === b[axis]);
}

/** The size of an existing axis. */
export function dimension(shape: readonly number[], axis: number): number {
  const value = shape[axis];
  if (value === undefined) throw new RangeError(`shape [${shape}] has no axis ${axis}`);
  return value;
}

type TypedArray =
  | Float32Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Int8Array
  | Uint8Array
  | Uint16Array;

const ARRAYS = {
  FLOAT32: Float32Array,
  FLOAT16: Uint16Array,
  INT32: Int32Array,
  UINT32: Uint32Array,
  INT64: BigInt64Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  UINT8: Uint8Array,
  BOOL: Uint8Array,
} as const satisfies Record<TensorType, new (length: number) => TypedArray>;

/** The content of a constant as numbers; 64-bit ones are rounded to doubles. */
export function numbersOf({ type, data }: ConstantTensor): Float64Array {
  const isAligned = data.byteOffset % ELEMENT_BYTES[type] === 0;
  const bytes = isAligned ? data : data.slice();
  const values = new ARRAYS[type](
    bytes.buffer as ArrayBuffer,
    bytes.byteOffset,
    bytes.byteLength / ELEMENT_BYTES[type],
  );
  const isWide = values instanceof BigInt64Array || values instanceof BigUint64Array;
  return isWide ? Float64Array.from(values, Number) : new Float64Array(values);
}

/** Bytes of a constant. Integers beyond the type's range wrap around. */
export function bytesOf(type: TensorType, values: ArrayLike<number | bigint>): Uint8Array {
  if (type === 'INT64' || type === 'UINT64') {
    return bytesIn(BigInt64Array.from(Array.from(values, (value) => BigInt.asIntN(64, BigInt(value)))));
  }
  const numbers = values instanceof Float64Array ? values : Float64Array.from(Array.from(values, Number));
  return bytesIn(new ARRAYS[type](numbers));
}

function bytesIn(array: TypedArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
