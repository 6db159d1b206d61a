/** Contents of constants in the model's types. */

import { floatsOfHalves } from './halves.js';
import { isNibbles, unpackedBytes } from './nibbles.js';
import type { HandledDataType } from './tensor.js';

/** The bytes of a constant in the type that stores it. */
export function heldBytes(dataType: HandledDataType, bytes: Uint8Array, shape: readonly number[]): Uint8Array {
  if (dataType === 'float16') return floatsOfHalves(bytes);
  return isNibbles(dataType) ? unpackedBytes(dataType, bytes, shape) : bytes;
}
