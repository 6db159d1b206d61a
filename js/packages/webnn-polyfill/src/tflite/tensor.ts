/** Values of the model under construction, and contents of constants. */

import type { Quantization, TensorType } from './model.js';

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

/** Size of an element. */
export function elementBytes(type: TensorType): number {
  return ARRAYS[type].BYTES_PER_ELEMENT;
}

/** The content of a constant as numbers; 64-bit ones are rounded to doubles. */
export function numbersOf({ type, data }: ConstantTensor): Float64Array {
  const size = elementBytes(type);
  const bytes = data.byteOffset % size === 0 ? data : data.slice();
  const values = new ARRAYS[type](bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / size);
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
