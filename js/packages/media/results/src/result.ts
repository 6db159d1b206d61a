/** What a model answers, as numbers. */

import { checkArguments, OutputError } from 'tflite-webnn';
import { having, type Kind, listOf, NUMBER, NUMBERS, optional, TEXT, whole } from '../../../core/src/argument_kinds.js';

/** Values of one output: what `run()` returns, or anything else of this form. */
export interface Result {
  /** Name of the output, for messages. */
  readonly name?: string;
  /** Values in row-major order. */
  readonly data: ArrayLike<number | bigint>;
  /** Shape of the values. */
  readonly shape: readonly number[];
  /** Element type; needed of `float16` whose `data` are bits, which a Uint16Array has. */
  readonly dtype?: string;
  /** How integers stand for real numbers; not needed where they do not. */
  readonly quantization?: ResultQuantization | null;
}

/** Affine quantization: one scale and zero point, or one for each index of a dimension. */
export interface ResultQuantization {
  readonly scales: readonly number[];
  readonly zeroPoints: readonly number[];
  /** The dimension along which they vary, where there are several. Default: the last one. */
  readonly quantizedDimension?: number;
}

const QUANTIZATION = having({
  scales: listOf(NUMBER),
  zeroPoints: listOf(NUMBER),
  quantizedDimension: optional(whole(0, 7)),
});
const DATA: Kind = ['an array of numbers', (value) => NUMBERS[1](value) || isOfBigInts(value)];
/** @internal What run() returns of one output. */
export const RESULT = {
  data: DATA,
  shape: listOf(NUMBER),
  name: optional(TEXT),
  dtype: optional(TEXT),
  quantization: ['null or scales and zero points', (value) => value == null || QUANTIZATION[1](value)] as Kind,
};

/** Those of int64, also as an array that is none of types. */
function isOfBigInts(value: unknown): boolean {
  const isNumeric = (element: unknown) => typeof element === 'number' || typeof element === 'bigint';
  return ArrayBuffer.isView(value) || (Array.isArray(value) && value.every(isNumeric));
}

/** Checks a result that is an argument. @throws OutputError */
export function checkResult(call: string, result: Result): void {
  checkArguments(call, { result }, { result: RESULT }, (...given) => new OutputError('RESULT_SHAPE', ...given));
}

/**
 * The real values of a result: dequantized where it is quantized, else as they are.
 *
 * @param result - What `run()` returns of one output.
 * @throws OutputError where it has no data.
 */
export function realValues(result: Result): ArrayLike<number> {
  checkResult('realValues', result);
  const { data, dtype, shape, quantization } = result;
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (dtype === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, floatOfBits);
  if (!quantization || quantization.scales.length === 0) return Array.from(data, Number);
  const { scales, zeroPoints, quantizedDimension = shape.length - 1 } = quantization;
  const values = new Float32Array(data.length); // from() with a function takes many times as long
  const stride = shape.slice(quantizedDimension + 1).reduce((product, size) => product * size, 1);
  let [channel, left] = [0, scales.length === 1 ? values.length : stride];
  for (let index = 0; index < values.length; index++, left--) {
    if (left === 0) [channel, left] = [(channel + 1) % scales.length, stride];
    values[index] = (Number(data[index]) - (zeroPoints[channel] ?? 0)) * (scales[channel] as number);
  }
  return values;
}

const MIN_NORMAL_EXPONENT = 2 ** -14;

/** The number of a float16's bits. */
function floatOfBits(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 0x400;
  if (exponent === 0) return sign * fraction * MIN_NORMAL_EXPONENT;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}

/** Shape of a result without a batch of 1. */
export function sizesOf({ shape }: Result): readonly number[] {
  return shape[0] === 1 ? shape.slice(1) : shape;
}

/** The error of a result that has not the expected shape. */
export function wrongShape({ name, shape }: Result, expected: string): OutputError {
  return new OutputError(
    'RESULT_SHAPE',
    `The result${name ? ` ${name}` : ''} is [${shape.join(', ')}]: it must be ${expected}.`,
  );
}

/** Log-odds as a probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
