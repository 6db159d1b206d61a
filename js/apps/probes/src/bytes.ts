/** Bytes, base64 and floats of tensors: not every browser has arrays of all types. */

/** Decodes base64. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes as base64. */
export function base64Of(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The numbers of a float tensor. */
export function floatsOf(dataType: 'float32' | 'float16', bytes: Uint8Array<ArrayBuffer>): ArrayLike<number> {
  return dataType === 'float32' ? new Float32Array(bytes.buffer) : Array.from(new Uint16Array(bytes.buffer), ofHalf);
}

function ofHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
