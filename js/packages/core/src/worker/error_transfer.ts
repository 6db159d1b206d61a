/** Errors across threads: with their class, code and details, which comlink alone would lose. */

import * as comlink from 'comlink';
import * as errors from '../errors.js';
import * as tensorErrors from '../ml_tensors/tensor_errors.js';

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
