/** A worker's half of `worker_calls.ts`. */

import { expose, type TransferHandler, transferHandlers } from 'comlink';
import { describeError } from './status_line.js';

/** Offers calls to the page. Of an error comlink keeps name and message: the message gets those of its causes. */
export function exposeCalls(calls: object): void {
  const plain = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, unknown>;
  const own: typeof plain = { ...plain, serialize: ({ value }) => plain.serialize({ value: withCauses(value) }) };
  transferHandlers.set('throw', own as TransferHandler<unknown, unknown>);
  const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name);
  expose({ ...calls, loaded });
}

function withCauses(error: unknown): unknown {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  const { name, message, cause } = error;
  return Object.assign(new Error(`${message}\n${describeError(cause)}`), { name });
}
