/**
 * int4 and uint4: two values per byte for pages, the first in the lower half; one byte each inside the model,
 * because kernels hardly support them.
 */

import { reshaped } from './broadcast.js';
import { add, binary, cast, concatenated, div, mul, padded, slicedAxis, sub } from './calls.js';
import type { Net } from './net.js';
import { type HandledDataType, HELD_TYPES, sizeOf, type Tensor } from './tensor.js';

type NibbleType = 'int4' | 'uint4';

export function isNibbles(dataType: HandledDataType): dataType is NibbleType {
  return dataType === 'int4' || dataType === 'uint4';
}

/** The packed size in bytes. */
export function packedSize(shape: readonly number[]): number {
  return Math.ceil(sizeOf(shape) / 2);
}

/** The content of a constant, one byte per value. */
export function unpackedBytes(dataType: NibbleType, packed: Uint8Array, shape: readonly number[]): Uint8Array {
  const isSigned = dataType === 'int4';
  return Uint8Array.from({ length: sizeOf(shape) }, (_, index) => {
    const nibble = ((packed[index >> 1] ?? 0) >> (4 * (index & 1))) & 15;
    return isSigned && nibble > 7 ? nibble - 16 : nibble;
  });
}

/** The values of an input, one byte each. */
export function unpacked(net: Net, packed: Tensor, dataType: NibbleType, shape: readonly number[]): Tensor {
  const bytes = cast(net, reshaped(net, packed, [packedSize(shape), 1]), 'INT32');
  const halves = [binary(net, 'FLOOR_MOD', bytes, 16), div(net, bytes, 16)];
  const all = reshaped(net, concatenated(net, halves, 1), [2 * packedSize(shape)]);
  const nibbles = reshaped(net, slicedAxis(net, all, 0, 0, sizeOf(shape)), shape);
  return cast(net, dataType === 'int4' ? signed(net, nibbles) : nibbles, HELD_TYPES[dataType]);
}

/** Maps 0 to 15 to -8 to 7. */
function signed(net: Net, nibbles: Tensor): Tensor {
  return sub(net, binary(net, 'FLOOR_MOD', add(net, nibbles, 8), 16), 8);
}

/** Packs an output: two values per byte. */
export function packed(net: Net, tensor: Tensor): Tensor {
  const size = sizeOf(tensor.shape);
  const nibbles = binary(net, 'FLOOR_MOD', cast(net, reshaped(net, tensor, [size]), 'INT32'), 16);
  const pairs = reshaped(net, padded(net, nibbles, [0], [size % 2]), [packedSize(tensor.shape), 2]);
  const bytes = add(net, slicedAxis(net, pairs, 1, 0, 1), mul(net, slicedAxis(net, pairs, 1, 1, 1), 16));
  return cast(net, reshaped(net, bytes, [packedSize(tensor.shape)]), 'UINT8');
}
