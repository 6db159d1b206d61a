/** The checksum of zip archives. */

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let remainder = ~0;
  for (let index = 0; index < bytes.length; index++) {
    remainder = (remainder >>> 8) ^ (TABLE[(remainder ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~remainder >>> 0;
}
