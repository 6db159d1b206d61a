/**
 * How the model stores data types that TensorFlow Lite's kernels hardly support: halves as float32, unsigned integers in
 * the signed type of the same size, and int4 and uint4 as bytes. Pages pack two of these in a byte, the first in the
 * lower half.
 */

import { floatOfBits } from 'tflite-webnn/tensors/float16';
import { elementCount } from '../data_types.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import { reshaped } from './broadcast.js';
import { add, binary, cast, concatenated, div, mul, padded, slicedAxis, sub } from './calls.js';
import type { TensorType } from './model.js';
import type { Net } from './net.js';
import type { Tensor } from './tensor.js';

/** The type that stores a data type inside the model. */
export const HELD_TYPES: Readonly<Record<MLOperandDataType, TensorType>> = {
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
export const BOUNDARY_TYPES: Readonly<Record<MLOperandDataType, TensorType>> = {
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

/** The bytes of a constant in the type that stores it. */
export function heldBytes(dataType: MLOperandDataType, bytes: Uint8Array, shape: readonly number[]): Uint8Array {
  if (dataType === 'float16') return floatsOfHalves(bytes);
  return isNibbles(dataType) ? unpackedBytes(dataType, bytes, shape) : bytes;
}

/** float16 constants: WebNN passes their bits, little-endian. The result is exact. */
function floatsOfHalves(halves: Uint8Array): Uint8Array {
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const floats = new Float32Array(halves.byteLength / 2);
  for (let index = 0; index < floats.length; index++) floats[index] = floatOfBits(view.getUint16(2 * index, true));
  return new Uint8Array(floats.buffer);
}

type NibbleType = 'int4' | 'uint4';

export function isNibbles(dataType: MLOperandDataType): dataType is NibbleType {
  return dataType === 'int4' || dataType === 'uint4';
}

/** The packed size in bytes. */
export function packedSize(shape: readonly number[]): number {
  return Math.ceil(elementCount(shape) / 2);
}

/** The content of a constant, one byte per value. */
export function unpackedBytes(dataType: NibbleType, packed: Uint8Array, shape: readonly number[]): Uint8Array {
  const isSigned = dataType === 'int4';
  return Uint8Array.from({ length: elementCount(shape) }, (_, index) => {
    const nibble = ((packed[index >> 1] ?? 0) >> (4 * (index & 1))) & 15;
    return isSigned && nibble > 7 ? nibble - 16 : nibble;
  });
}

/** The values of an input, one byte each. */
export function unpacked(net: Net, packed: Tensor, dataType: NibbleType, shape: readonly number[]): Tensor {
  const bytes = cast(net, reshaped(net, packed, [packedSize(shape), 1]), 'INT32');
  const halves = [binary(net, 'FLOOR_MOD', bytes, 16), div(net, bytes, 16)];
  const all = reshaped(net, concatenated(net, halves, 1), [2 * packedSize(shape)]);
  const nibbles = reshaped(net, slicedAxis(net, all, 0, 0, elementCount(shape)), shape);
  return cast(net, dataType === 'int4' ? signed(net, nibbles) : nibbles, HELD_TYPES[dataType]);
}

/** Maps 0 to 15 to -8 to 7. */
function signed(net: Net, nibbles: Tensor): Tensor {
  return sub(net, binary(net, 'FLOOR_MOD', add(net, nibbles, 8), 16), 8);
}

/** Packs an output: two values per byte. */
export function packed(net: Net, tensor: Tensor): Tensor {
  const size = elementCount(tensor.shape);
  const nibbles = binary(net, 'FLOOR_MOD', cast(net, reshaped(net, tensor, [size]), 'INT32'), 16);
  const pairs = reshaped(net, padded(net, nibbles, [0], [size % 2]), [packedSize(tensor.shape), 2]);
  const bytes = add(net, slicedAxis(net, pairs, 1, 0, 1), mul(net, slicedAxis(net, pairs, 1, 1, 1), 16));
  return cast(net, reshaped(net, bytes, [packedSize(tensor.shape)]), 'UINT8');
}
