/** Arrays on their way into a worker and back. */

import * as comlink from 'comlink';
import { bytesOf, type TypedArray } from '../dtypes.js';
import type { TransferOptions } from '../model/run_options.js';
import type { InputRules } from '../tensors/inputs.js';
import { takeOutput } from '../tensors/outputs.js';
import { type TensorResult, tensorResult } from '../tensors/results.js';
import type { ResultData } from './server_protocol.js';

/** Inputs as they cross. They were checked before, so that a mistake is reported at once, before anything is moved. */
export function crossing(inputs: readonly TypedArray[], options: TransferOptions): TypedArray[] {
  const data = inputs.map((array) => (isWhole(array) ? array : array.slice()));
  return comlink.transfer(data, buffersOf(data, options));
}

/** What moves along. */
function buffersOf(data: readonly TypedArray[], { transfer = false }: TransferOptions): ArrayBuffer[] {
  if (!transfer) return [];
  return [...new Set(data.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer))];
}

/** The same by the names of a signature. */
export function crossingByName(
  inputs: readonly TypedArray[],
  rules: InputRules,
  options: TransferOptions,
): Record<string, TypedArray> {
  const data = crossing(inputs, options);
  const named = Object.fromEntries(rules.inputs.map(({ name }, position) => [name, data[position] as TypedArray]));
  return comlink.transfer(named, buffersOf(data, options));
}

/** A result of the other side, in the caller's array where there is one. */
export function resultIn(given: TypedArray | undefined, result: ResultData): TensorResult {
  const { name, shape, data } = result;
  if (given !== undefined) bytesOf(takeOutput(result, data.byteLength, given)).set(bytesOf(data));
  return tensorResult(result, name, shape, given ?? data);
}

/** Cloning a view clones all of its buffer. */
function isWhole({ buffer, byteLength }: TypedArray): boolean {
  return buffer.byteLength === byteLength;
}
