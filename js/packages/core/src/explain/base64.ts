/** Base64, which `Uint8Array` itself knows in new browsers only. */

/** `String.fromCharCode` takes only so many arguments. A multiple of 3: each piece but the last has no padding. */
const PIECE_BYTES = 3 * 8192;

/** Writes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES))));
  }
  return pieces.join('');
}
