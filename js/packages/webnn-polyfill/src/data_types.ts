/** Element types, with one table for everything that depends on them, and shapes. */

import { float16Bits, floatOfBits } from 'tflite-webnn/tensors/float16';
import type { OperandDescriptor } from './engine.js';
import type { MLNumber, MLOperandDataType } from './generated/webnn_types.js';

interface DataTypeRow {
  readonly sizeBits: number;
  /** Names of the typed arrays that can hold it; a Uint8Array always can, as raw bytes. */
  readonly views: readonly string[];
  /** Smallest and largest value of an integer type. */
  readonly range?: readonly [bigint, bigint];
  /** Writes a cast value, little endian. */
  write(view: DataView, value: MLNumber): void;
}

const DATA_TYPES: Readonly<Record<MLOperandDataType, DataTypeRow>> = {
  float32: {
    sizeBits: 32,
    views: ['Float32Array'],
    write: (view, value) => view.setFloat32(0, Number(value), true),
  },
  float16: {
    sizeBits: 16,
    // Also as raw bits: not every browser has a Float16Array.
    views: ['Float16Array', 'Uint16Array'],
    write: (view, value) => view.setUint16(0, float16Bits(Number(value)), true),
  },
  int32: {
    sizeBits: 32,
    views: ['Int32Array'],
    range: signedRange(32n),
    write: (view, value) => view.setInt32(0, Number(value), true),
  },
  uint32: {
    sizeBits: 32,
    views: ['Uint32Array'],
    range: unsignedRange(32n),
    write: (view, value) => view.setUint32(0, Number(value), true),
  },
  int64: {
    sizeBits: 64,
    views: ['BigInt64Array'],
    range: signedRange(64n),
    write: (view, value) => view.setBigInt64(0, BigInt(value), true),
  },
  uint64: {
    sizeBits: 64,
    views: ['BigUint64Array'],
    range: unsignedRange(64n),
    write: (view, value) => view.setBigUint64(0, BigInt(value), true),
  },
  int8: {
    sizeBits: 8,
    views: ['Int8Array'],
    range: signedRange(8n),
    write: (view, value) => view.setInt8(0, Number(value)),
  },
  // Packed: the first of two is in the lower half of their byte.
  int4: {
    sizeBits: 4,
    views: [],
    range: signedRange(4n),
    write: (view, value) => view.setUint8(0, Number(value) & 15),
  },
  uint4: {
    sizeBits: 4,
    views: [],
    range: unsignedRange(4n),
    write: (view, value) => view.setUint8(0, Number(value)),
  },
  uint8: { sizeBits: 8, views: [], range: unsignedRange(8n), write: (view, value) => view.setUint8(0, Number(value)) },
};

/** All element types. */
export const ALL_DATA_TYPES = Object.keys(DATA_TYPES) as readonly MLOperandDataType[];

function signedRange(bits: bigint): readonly [bigint, bigint] {
  return [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

function unsignedRange(bits: bigint): readonly [bigint, bigint] {
  return [0n, (1n << bits) - 1n];
}

/** Number of elements of a shape; 1 for a scalar. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Whether two shapes are equal. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  // Not every(), which engines do not inline here: dispatching compares the shapes of all tensors.
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** Size of a tensor in bytes. */
export function byteLength({ dataType, shape }: OperandDescriptor): number {
  return Math.ceil((elementCount(shape) * DATA_TYPES[dataType].sizeBits) / 8);
}

/** Whether a view may hold values of the type. */
export function isViewOf(view: ArrayBufferView, dataType: MLOperandDataType): boolean {
  const name = (view as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
  return name === 'Uint8Array' || DATA_TYPES[dataType].views.includes(name);
}

/** Bytes of one value after a cast to the type. */
export function scalarBytes(value: MLNumber, dataType: MLOperandDataType): Uint8Array {
  const { write } = DATA_TYPES[dataType];
  const bytes = new Uint8Array(byteLength({ dataType, shape: [] }));
  write(new DataView(bytes.buffer), castNumber(value, dataType));
  return bytes;
}

/**
 * https://www.w3.org/TR/webnn/#algorithms-casting; 64-bit integers are bigints. As in browsers and in the W3C's tests,
 * a bigint is not cast to a floating point type, and casts to integers truncate fractions.
 */
export function castNumber(value: MLNumber, dataType: MLOperandDataType): MLNumber {
  const { range, sizeBits } = DATA_TYPES[dataType];
  if (range === undefined) {
    if (typeof value === 'bigint') throw new TypeError(`The bigint ${value} is no value of the type ${dataType}.`);
    return dataType === 'float16' ? floatOfBits(float16Bits(value)) : Math.fround(value);
  }
  const integer = clampedInteger(value, range);
  return sizeBits === 64 ? integer : Number(integer);
}

function clampedInteger(value: MLNumber, [min, max]: readonly [bigint, bigint]): bigint {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 0n;
    if (value <= Number(min)) return min;
    if (value >= Number(max)) return max;
    return BigInt(Math.trunc(value));
  }
  if (value < min) return min;
  return value > max ? max : value;
}

/** The nearest integer; of two equally near, the even one. */
export function roundEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
