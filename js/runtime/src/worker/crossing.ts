/** Arrays on their way into a worker and back. */

import * as comlink from 'comlink';
import type { TensorInfo } from '../description.js';
import { bytesOf, type TypedArray } from '../dtypes.js';
import type { InputRules } from '../tensors/inputs.js';
import { takeOutput } from '../tensors/outputs.js';

/** How inputs get into the worker. */
export interface TransferOptions {
  /**
   * Move the inputs' buffers instead of copying them: no copy is made, and the caller's arrays are empty afterwards. An
   * array that is only a part of its buffer is copied all the same. Default: false.
   */
  readonly transfer?: boolean;
}

/** Inputs as they cross. They were checked before, so that a mistake is told at once, and nothing was moved away. */
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

/** A result, in the caller's array where there is one. */
export function resultIn(given: TypedArray | undefined, result: TypedArray, info: TensorInfo): TypedArray {
  if (given === undefined) return result;
  bytesOf(takeOutput(info, result.byteLength, given)).set(bytesOf(result));
  return given;
}

/** Cloning a view clones all of its buffer. */
function isWhole({ buffer, byteLength }: TypedArray): boolean {
  return buffer.byteLength === byteLength;
}
