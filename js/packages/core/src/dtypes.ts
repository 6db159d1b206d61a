/** Element types: one table from which everything that depends on an element type is derived. */

import { InterpreterError, MEMORY_HINT } from './errors.js';
import type { MLOperandDataType } from './webnn_types.js';

// Float16Array where the reader's TypeScript library and browser have it; else the raw bits in a Uint16Array.
type Float16Values = typeof globalThis extends { Float16Array: { prototype: infer Values } } ? Values : Uint16Array;

/** The array of each element type whose values JavaScript can hold. */
export interface ArraysByDType {
  /** Numbers. */
  float32: Float32Array;
  /** Numbers; where the browser has no Float16Array, their bits. */
  float16: Float16Values | Uint16Array;
  /** Numbers. */
  float64: Float64Array;
  /** Integers. */
  int8: Int8Array;
  /** Integers. */
  uint8: Uint8Array;
  /** Integers. */
  int16: Int16Array;
  /** Integers. */
  uint16: Uint16Array;
  /** Integers. */
  int32: Int32Array;
  /** Integers. */
  uint32: Uint32Array;
  /** Integers. */
  int64: BigInt64Array;
  /** Integers. */
  uint64: BigUint64Array;
  /** 0 or 1. */
  bool: Uint8Array;
  /** Real and imaginary parts in turn. */
  complex64: Float32Array;
  /** Real and imaginary parts in turn. */
  complex128: Float64Array;
  /** The bytes that decodeStrings() accepts. */
  string: Uint8Array;
}

/** Arrays that can hold a tensor's values. */
export type TypedArray = ArraysByDType[keyof ArraysByDType] | Uint8ClampedArray;

/** Constructors of {@link TypedArray}. */
export interface TypedArrayConstructor {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
}

/** Element types of TFLite tensors: TFLite's names in lower case. */
export type DType = keyof ArraysByDType | 'int4' | 'uint4' | 'int2' | 'bfloat16' | 'resource' | 'variant';

interface DTypeRow {
  /** WebNN's spelling; null where WebNN has no such type. */
  readonly webnn: MLOperandDataType | null;
  /** The array that holds it in JavaScript; null where values of this type cannot cross (packed types). */
  readonly array: TypedArrayConstructor | null;
  /** Other arrays with the same bytes that are accepted as inputs and outputs too. */
  readonly alsoAccepts?: readonly TypedArrayConstructor[];
}

const float16Array = ((globalThis as { Float16Array?: unknown }).Float16Array ?? Uint16Array) as TypedArrayConstructor;

const DTYPES: Readonly<Record<DType, DTypeRow>> = {
  float32: { webnn: 'float32', array: Float32Array },
  // Raw half-precision bits are accepted everywhere, so that one page works in browsers with and without Float16Array.
  float16: { webnn: 'float16', array: float16Array, alsoAccepts: [Uint16Array] },
  float64: { webnn: null, array: Float64Array },
  int8: { webnn: 'int8', array: Int8Array },
  // A canvas' ImageData.data is a Uint8ClampedArray.
  uint8: { webnn: 'uint8', array: Uint8Array, alsoAccepts: [Uint8ClampedArray] },
  int16: { webnn: null, array: Int16Array },
  uint16: { webnn: null, array: Uint16Array },
  int32: { webnn: 'int32', array: Int32Array },
  uint32: { webnn: 'uint32', array: Uint32Array },
  int64: { webnn: 'int64', array: BigInt64Array },
  uint64: { webnn: 'uint64', array: BigUint64Array },
  bool: { webnn: 'uint8', array: Uint8Array },
  int4: { webnn: 'int4', array: null },
  uint4: { webnn: 'uint4', array: null },
  int2: { webnn: null, array: null },
  bfloat16: { webnn: null, array: null },
  // Real and imaginary parts in turn.
  complex64: { webnn: null, array: Float32Array },
  complex128: { webnn: null, array: Float64Array },
  // The bytes of TFLite's own encoding, see string_tensors.ts.
  string: { webnn: null, array: Uint8Array },
  resource: { webnn: null, array: null },
  variant: { webnn: null, array: null },
};

/** Row of a type; a type that this package does not know yet cannot cross into JavaScript. */
function row(dtype: string): DTypeRow {
  return Object.hasOwn(DTYPES, dtype) ? DTYPES[dtype as DType] : { webnn: null, array: null };
}

/** WebNN's name of `dtype`, or null where WebNN does not have it. */
export function webnnDataType(dtype: string): MLOperandDataType | null {
  return row(dtype).webnn;
}

/** The typed array that holds values of `dtype`, or null where JavaScript has none. */
export function typedArrayConstructor(dtype: string): TypedArrayConstructor | null {
  return row(dtype).array;
}

/**
 * The arrays that hold each type, derived once for all runs. By name, not for `instanceof`: an array may come from
 * another realm (an iframe, Node's vm).
 */
const ARRAY_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(DTYPES).map(([dtype, { array, alsoAccepts = [] }]) => [
    dtype,
    array === null ? [] : [array, ...alsoAccepts].map(({ name }) => name),
  ]),
);

/** Whether `data` has exactly the element type `dtype`: nothing is ever converted silently. */
export function holdsDType(data: TypedArray, dtype: string): boolean {
  return ARRAY_NAMES.get(dtype)?.includes(data?.[Symbol.toStringTag]) ?? false;
}

/** Whether `value` is a typed array (a DataView is not). */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** The bytes of a typed array, without a copy. */
export function bytesOf(data: TypedArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The values in a buffer whose length cannot change: WebNN accepts no others. They are copied only if necessary. */
export function fixedValues(values: TypedArray): TypedArray {
  const { resizable, growable } = values.buffer as ArrayBufferLike & { resizable?: boolean; growable?: boolean };
  return resizable || growable ? values.slice() : values;
}

/** TFLite's kernels accept 8 dimensions at most; some ops only pass tensors of more on. */
export const MAX_RANK = 64;

/** Whether `value` is a shape, in a list or a typed array. TFLite's sizes are int32. */
export function isShape(value: unknown): value is readonly number[] {
  if ((!Array.isArray(value) && !isTypedArray(value)) || value.length > MAX_RANK) return false;
  return (value as number[]).every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 31);
}

/** Number of elements of a shape; 1 for a scalar. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/**
 * An array of zeros whose length a model's file decides.
 *
 * @param owner - What it is for, e.g. `output y`.
 * @throws InterpreterError where JavaScript has no memory for it.
 */
export function newArray<A extends TypedArray>(
  array: { readonly BYTES_PER_ELEMENT: number; new (length: number): A },
  length: number,
  owner: string,
): A {
  try {
    return new array(length);
  } catch (cause) {
    const sizeBytes = length * array.BYTES_PER_ELEMENT;
    throw new InterpreterError('OUT_OF_MEMORY', `JavaScript has no ${sizeBytes} bytes for ${owner}. ${MEMORY_HINT}`, {
      cause,
    });
  }
}
