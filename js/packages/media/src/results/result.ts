/** Outputs of a model, as numbers. */

import { checkArguments, OutputError, realNumbers } from 'tflite-webnn';
import { having, integer, type Kind, listOf, NUMBER, optional, TEXT } from 'tflite-webnn/option_schema';

/** @internal By one file: a script repeats the import of another one for each file that it contains. */
export { checkArguments, OptionError, OutputError } from 'tflite-webnn';

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
  /** One for all values, or one for each index of the dimension. */
  readonly scales: readonly number[];
  /** As many as scales. */
  readonly zeroPoints: readonly number[];
  /** The dimension along which they vary, where there are several. Default: the last one. */
  readonly quantizedDimension?: number;
}

const QUANTIZATION = having({
  scales: listOf(NUMBER),
  zeroPoints: listOf(NUMBER),
  quantizedDimension: optional(integer(0, 7)),
});
const DATA: Kind = ['an array of numbers', isOfNumbers];
/** @internal What run() returns of one output. */
export const RESULT = {
  data: DATA,
  shape: listOf(NUMBER),
  name: optional(TEXT),
  dtype: optional(TEXT),
  quantization: ['null or scales and zero points', (value) => value == null || QUANTIZATION[1](value)] as Kind,
};

/** Also of those of int64, and in an array that is none of types. */
function isOfNumbers(value: unknown): boolean {
  const isNumeric = (element: unknown) => typeof element === 'number' || typeof element === 'bigint';
  return ArrayBuffer.isView(value) || (Array.isArray(value) && value.every(isNumeric));
}

/** Checks a result that is an argument. @throws OutputError */
export function checkResult(call: string, result: Result): void {
  checkArguments(call, { result }, { result: RESULT }, (...provided) => new OutputError('RESULT_SHAPE', ...provided));
}

/**
 * The real values of a result: dequantized where it is quantized, else as they are.
 *
 * @param result - What `run()` returns of one output.
 * @throws OutputError where it has no data.
 */
export function realValues(result: Result): ArrayLike<number> {
  checkResult('realValues', result);
  const { data, dtype, quantization } = result;
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  const isOfBits = dtype === 'float16' && data instanceof Uint16Array;
  return isOfBits || quantization?.scales.length ? realNumbers(result) : Array.from(data, Number);
}

/** Shape of a result without a batch of 1. */
export function sizesOf({ shape }: Result): readonly number[] {
  return shape[0] === 1 ? shape.slice(1) : shape;
}

/** @internal The error of a result that has not the expected shape. */
export function wrongShape({ name, shape }: Result, expected: string): OutputError {
  return new OutputError(
    'RESULT_SHAPE',
    `The result${name ? ` ${name}` : ''} is [${shape.join(', ')}]: it must be ${expected}.`,
  );
}
