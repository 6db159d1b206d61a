/** Half-precision numbers, for engines without Float16Array. @petamoriken/float16 has 1.7 kB with gzip for this, not 0.3. */

/** The bits of the nearest half-precision number; of two the even one. */
export function float16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const size = Math.min(Math.abs(value), 2 ** 16); // from 65,520 on it is infinity
  // Numbers are multiples of 2^-10 times their power of two, below 2^-14 of 2^-24.
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const multiple = size * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52; // rounds
  return (value < 0 || Object.is(value, -0) ? 0x8000 : 0) + multiple + (exponent + 14) * 1024;
}

/** The number that half-precision bits stand for. */
export function floatOfBits(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const finite = (exponent === 0 ? 2 * fraction : 0x400 + fraction) * 2 ** (exponent - 25);
  const size = exponent < 0x1f ? finite : fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return bits >> 15 ? -size : size;
}
