/** What a model answers, as numbers. */

import { ResultOptionError, ResultShapeError } from './errors.js';

/** Values of one output: what `run()` returns, or anything else of this form. */
export interface Result {
  /** Name of the output, for messages. */
  readonly name?: string;
  /** Values in row-major order. */
  readonly data: ArrayLike<number | bigint>;
  /** Shape of the values. */
  readonly shape: readonly number[];
  /** How integers stand for real numbers; not needed where they do not. */
  readonly quantization?: { readonly scales: readonly number[]; readonly zeroPoints: readonly number[] } | null;
}

/**
 * The real values of a result: dequantized where it is quantized, else as they are.
 *
 * @param result - What `run()` returns of one output.
 */
export function realValues({ data, quantization }: Result): ArrayLike<number> {
  const scale = quantization?.scales[0];
  const isFloat = data instanceof Float32Array || data instanceof Float64Array;
  if (isFloat) return data;
  if (scale === undefined) return Array.from(data, Number);
  const zeroPoint = quantization?.zeroPoints[0] ?? 0;
  const values = new Float32Array(data.length); // from() with a function takes many times as long
  for (let index = 0; index < values.length; index++) values[index] = (Number(data[index]) - zeroPoint) * scale;
  return values;
}

/** Shape of a result without a batch of 1. */
export function sizesOf({ shape }: Result): readonly number[] {
  return shape[0] === 1 ? shape.slice(1) : shape;
}

/** The error of a result that has not the expected shape. */
export function wrongShape({ name, shape }: Result, expected: string): ResultShapeError {
  return new ResultShapeError(`The result${name ? ` ${name}` : ''} is [${shape.join(', ')}]: it must be ${expected}.`);
}

/** Checks an option that is a number from 0 to 1 or unlimited. */
export function checkNumber(value: number, name: string): void {
  if (Number.isNaN(value) || typeof value !== 'number')
    throw new ResultOptionError(`${name} is ${value}: it must be a number.`);
}

/** Log-odds as a probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
