/** Contents of constants in the model's types. */

import { isNibbles, unpackedBytes } from './nibbles.js';
import type { HandledDataType } from './tensor.js';

/** The bytes of a constant in the type that stores it. */
export function heldBytes(dataType: HandledDataType, bytes: Uint8Array, shape: readonly number[]): Uint8Array {
  if (dataType === 'float16') return floatsOfHalves(bytes);
  return isNibbles(dataType) ? unpackedBytes(dataType, bytes, shape) : bytes;
}

/** float16 constants: WebNN passes their bits, little-endian. The result is exact. */
function floatsOfHalves(halves: Uint8Array): Uint8Array {
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const floats = new Float32Array(halves.byteLength / 2);
  for (let index = 0; index < floats.length; index++) floats[index] = floatOfHalf(view.getUint16(2 * index, true));
  return new Uint8Array(floats.buffer);
}

function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
