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
  const { scales = [1], zeroPoints = [0], quantizedDimension = shape.length - 1 } = quantization ?? {};
  const values = new Float32Array(data.length); // from() with a function takes many times as long
  const stride = scales.length === 1 ? values.length : elementCount(shape.slice(quantizedDimension + 1));
  for (let index = 0, channel = 0, end = stride; index < values.length; index++) {
    if (index === end) {
      channel = (channel + 1) % scales.length;
      end += stride;
    }
    values[index] = (Number(data[index]) - (zeroPoints[channel] ?? 0)) * (scales[channel] as number);
  }
  return values;
}

/** The number that half-precision bits stand for. */
function floatOfBits(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const finite = (exponent === 0 ? 2 * fraction : 0x400 + fraction) * 2 ** (exponent - 25);
  const size = exponent < 0x1f ? finite : fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return bits >> 15 ? -size : size;
}
