/** What the values of a tensor stand for. */

import type { QuantizationInfo } from '../description.js';
import { elementCount } from '../dtypes.js';

/** Values with what says how they stand for real numbers. */
export interface StoredValues {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: readonly number[];
  readonly dtype?: string;
  /** Its dimension is by default the last one, its zero points 0. */
  readonly quantization?: Partial<QuantizationInfo> | null;
}

/** The real numbers that values stand for; integers beyond 2^24 are rounded. */
export function realNumbers({ data, shape, dtype, quantization }: StoredValues): Float32Array {
  // Without a Float16Array the array for float16 holds bits.
  if (dtype === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, floatOfBits);
  const { scales = [1], zeroPoints = [], quantizedDimension = shape.length - 1 } = quantization ?? {};
  const values = new Float32Array(data.length); // from() with a function takes many times as long
  const stride = elementCount(shape.slice(quantizedDimension + 1));
  let [channel, left] = [0, scales.length === 1 ? values.length : stride];
  for (let index = 0; index < values.length; index++, left--) {
    if (left === 0) [channel, left] = [(channel + 1) % scales.length, stride];
    values[index] = (Number(data[index]) - (zeroPoints[channel] ?? 0)) * (scales[channel] as number);
  }
  return values;
}

/** The number that half-precision bits stand for. */
function floatOfBits(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
