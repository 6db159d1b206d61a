/** Arrays and errors on their way into a worker and back; comlink alone would lose the class, code and details of errors. */

import * as comlink from 'comlink';
import { bytesOf, type TypedArray } from '../dtypes.js';
import * as errors from '../errors.js';
import * as tensorErrors from '../ml_tensors/tensor_errors.js';
import type { TransferOptions } from '../model/run_options.js';
import { type InputPorts, takeOutput } from '../tensors/inputs_outputs.js';
import { type TensorResult, tensorResult } from '../tensors/results.js';
import type { ResultData } from './model_server.js';

/** Inputs as they cross. They were checked before, so that a mistake is reported immediately, before anything is moved. */
export function crossing(inputs: readonly TypedArray[], options: TransferOptions): TypedArray[] {
  const data = inputs.map((array) => (isFull(array) ? array : array.slice()));
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
  rules: InputPorts,
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
function isFull({ buffer, byteLength }: TypedArray): boolean {
  return buffer.byteLength === byteLength;
}

/** An error as plain data. */
interface ErrorText {
  readonly message: string;
  /** Name, code, details and what else its class has. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly stack: string;
  readonly cause: ErrorText | null;
}

interface Thrown {
  readonly value: unknown;
}

const CLASSES: Readonly<Record<string, unknown>> = { ...errors, ...tensorErrors };

/** Has comlink throw on this thread what was thrown on the other. Both threads call it. */
export function transferErrors(): void {
  const handler = comlink.transferHandlers.get('throw') as comlink.TransferHandler<Thrown, ErrorText>;
  const own: comlink.TransferHandler<Thrown, ErrorText> = {
    canHandle: (value): value is Thrown => handler.canHandle(value),
    serialize: ({ value }) => [textOf(value), []],
    deserialize: (text) => {
      throw errorOf(text);
    },
  };
  comlink.transferHandlers.set('throw', own as comlink.TransferHandler<unknown, unknown>);
}

/** @internal */
export function textOf(error: unknown): ErrorText {
  if (!(error instanceof Error)) return { message: String(error), members: {}, stack: '', cause: null };
  const { message, name, stack = '', cause } = error;
  const { stack: _stack, message: _message, cause: _cause, ...own } = { ...error } as Record<string, unknown>;
  return { message, members: { name, ...own }, stack, cause: cause === undefined ? null : textOf(cause) };
}

/** @internal The error has the class of its name, so that `instanceof` holds in the page, too. */
export function errorOf({ message, members, stack, cause }: ErrorText): Error {
  const error = new Error(message, cause === null ? undefined : { cause: errorOf(cause) });
  const kind = CLASSES[String(members.name)];
  if (typeof kind === 'function') Object.setPrototypeOf(error, kind.prototype as object);
  for (const [name, value] of Object.entries(members)) Object.defineProperty(error, name, { value, enumerable: true });
  if (stack !== '') Object.defineProperty(error, 'stack', { value: stack });
  return error;
}
