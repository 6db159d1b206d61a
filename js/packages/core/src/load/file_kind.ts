/** Recognizes models, and what servers send in their place. */

/** Bytes that {@link isTFLite} needs. */
export const IDENTIFIER_END = 8;

/** Whether a file begins as TFLite models do: flatbuffers have their identifier behind a 32-bit offset. */
export function isTFLite(head: Uint8Array): boolean {
  return latin1(head.subarray(4, IDENTIFIER_END)) === 'TFL3';
}

const ARCHIVE_STARTS = ['PK\x03\x04', 'PK\x05\x06'];
const MAX_ZEROS = 3;

/** Bytes that {@link isArchive} needs. */
export const ARCHIVE_START_BYTES = 7;

/**
 * Whether a file begins as zip archives do: with the first file in it or, without files, with its end. MediaPipe puts up
 * to three zeros before, so that the files in a bundle are aligned.
 */
export function isArchive(head: Uint8Array): boolean {
  const start = head.findIndex((byte) => byte !== 0);
  return start <= MAX_ZEROS && ARCHIVE_STARTS.includes(latin1(head.subarray(start, start + 4)));
}

/** Bytes that {@link describeHead} makes use of. */
export const HEAD_BYTES = 64;

const KINDS: readonly (readonly [RegExp | string, string])[] = [
  [/^\s*</, 'an error page'],
  [/^[\b]\p{Cc}[\p{Cc}:]/u, 'an ONNX model (convert it to TFLite, e.g. with onnx2tf)'],
  ['\x89HDF', 'a Keras model in HDF5 (convert it with tf.lite.TFLiteConverter)'],
  [/^\s*[{[]/, 'JSON'],
  ['version https://git-lfs', 'a Git LFS pointer, which is not the file itself,'],
  ['\x1f\x8b', 'gzip-compressed data without a Content-Encoding'],
];

/** How a file begins, and what begins so: `begins with "<!doctype html>", as an error page does`. */
export function describeHead(head: Uint8Array): string {
  if (head.length === 0) return 'is empty (0 bytes)';
  const text = latin1(head);
  const found = KINDS.find(([start]) => (typeof start === 'string' ? text.startsWith(start) : start.test(text)));
  const kind = isArchive(head) ? 'a zip archive (a .task bundle has its .tflite inside)' : found?.[1];
  const isText = head.every((byte) => (byte >= 0x20 && byte < 0x7f) || [0x09, 0x0a, 0x0d].includes(byte));
  const hex = Array.from(head.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const start = isText ? JSON.stringify(text) : `the bytes ${hex}`;
  return `begins with ${start}${kind === undefined ? '' : `, as ${kind} does`}`;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
