/**
 * TFLite's encoding of string tensors: an int32 with the number of strings, the int32 offset of each from the beginning
 * and of the end, then the bytes of all strings. Little-endian, as wasm is.
 */

import { InputError } from '../errors.js';
import { BYTES, listOf } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';

const STRINGS = listOf(['a string or a Uint8Array', (value) => typeof value === 'string' || BYTES[1](value)]);

/**
 * Encodes strings for a string tensor, as UTF-8, or bytes as they are.
 *
 * @param strings - As many as the tensor has elements, in row-major order.
 * @throws OptionError
 */
export function encodeStrings(strings: readonly (string | Uint8Array)[]): Uint8Array {
  checkArguments('encodeStrings', { strings }, { strings: STRINGS });
  const encoder = new TextEncoder();
  const parts = strings.map((text) => (typeof text === 'string' ? encoder.encode(text) : text));
  const headerBytes = 4 * (parts.length + 2);
  const encoded = new Uint8Array(parts.reduce((sum, part) => sum + part.length, headerBytes));
  const header = new DataView(encoded.buffer);
  header.setInt32(0, parts.length, true);
  let position = headerBytes;
  parts.forEach((part, index) => {
    header.setInt32(4 * (index + 1), position, true);
    encoded.set(part, position);
    position += part.length;
  });
  header.setInt32(4 * (parts.length + 1), position, true);
  return encoded;
}

/**
 * Decodes a string tensor into the bytes of its strings, as views.
 *
 * @param encoded - A string output as run() returns it.
 * @throws InputError where the bytes are no string tensor.
 */
export function decodeByteStrings(encoded: Uint8Array): Uint8Array[] {
  checkArguments('decodeStrings', { encoded }, { encoded: BYTES });
  if (encoded.byteLength === 0) return [];
  const header = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const count = encoded.byteLength < 4 ? -1 : header.getInt32(0, true);
  if (count < 0 || 4 * (count + 2) > encoded.byteLength) {
    throw new InputError('INPUT_VALUE', `${encoded.byteLength} encoded bytes cannot be a tensor of ${count} strings`);
  }
  return Array.from({ length: count }, (_, index) => {
    const start = header.getInt32(4 * (index + 1), true);
    const end = header.getInt32(4 * (index + 2), true);
    if (start < 0 || end < start || end > encoded.byteLength) {
      throw new InputError(
        'INPUT_VALUE',
        `string ${index} of the tensor has the impossible offsets ${start} and ${end}`,
      );
    }
    return encoded.subarray(start, end);
  });
}

/**
 * Decodes a string tensor, as UTF-8.
 *
 * @param encoded - A string output as run() returns it.
 * @throws InputError where the bytes are no string tensor.
 */
export function decodeStrings(encoded: Uint8Array): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // U+FEFF is a character
  return decodeByteStrings(encoded).map((bytes) => decoder.decode(bytes));
}
