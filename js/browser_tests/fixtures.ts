/** Models, numbers of native LiteRT, and what compares results with them. */

import type { Model, TensorResult } from 'tflite-webnn';
import { expect } from 'vitest';

export * from './addresses.js';

/** Zeros for the first input of a model of floats. */
export const zerosFor = ({ inputs: [first] }: Pick<Model, 'inputs'>): Float32Array<ArrayBuffer> =>
  new Float32Array((first?.sizeBytes ?? 0) / 4);

/** What the model `sin` computes: sin(x) + x + sin(2x). */
export const sines = (x: Iterable<number>): number[] => Array.from(x, (v) => Math.sin(v) + v + Math.sin(2 * v));

/** The values of a result of floats. */
export function floats(result: TensorResult | undefined): Float32Array {
  if (result?.dtype !== 'float32') throw new TypeError(`the result is ${result?.dtype}, not float32`);
  return result.data;
}

/** Expects as many values as in `expected`, none further from them than `absolute` and a part of the expected value. */
export function expectClose(
  values: ArrayLike<number>,
  expected: ArrayLike<number>,
  absolute: number,
  relative = 0,
): void {
  expect(values.length).toBe(expected.length);
  const excess = Array.from(values, (value, at) => {
    const reference = expected[at] as number;
    return Math.abs(value - reference) - absolute - relative * Math.abs(reference);
  });
  expect(
    excess.reduce((a, b) => Math.max(a, b), 0),
    'beyond the tolerance',
  ).toBe(0);
}

/** Expects the same values, in arrays of whatever type; toEqual() takes seconds for large ones. */
export function expectSame<T>(values: ArrayLike<T>, expected: ArrayLike<T>): void {
  expect(values.length).toBe(expected.length);
  const first = Array.prototype.findIndex.call(values, (value, at) => value !== expected[at]);
  expect(first, 'the first index where values differ').toBe(-1);
}

/** Expects results of floats like others: none further from them than a part of the range of its output. */
export function expectResults(results: readonly TensorResult[], expected: readonly TensorResult[], ofRange = 0): void {
  expect(results.map(({ shape }) => shape)).toEqual(expected.map(({ shape }) => shape));
  for (const [index, result] of results.entries()) {
    const reference = floats(expected[index]);
    const range =
      reference.reduce((a, b) => Math.max(a, b), -Infinity) - reference.reduce((a, b) => Math.min(a, b), Infinity);
    expectClose(floats(result), reference, ofRange * range);
  }
}

/** The error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new TypeError(`the promise has not been rejected with an error: ${outcome}`);
  return outcome;
}
