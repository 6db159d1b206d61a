/** A worker's half of `worker_calls.ts`. */

import { expose, type TransferHandler, transferHandlers } from 'comlink';
import { describeError } from './status_line.js';

/** What comlink sends of an error. */
interface Sent {
  readonly value: { message: string; name: string; code?: unknown };
}

/** Offers calls to the page. Of an error comlink keeps name and message: it gets its code, too, and those of its causes. */
export function exposeCalls(calls: object): void {
  const original = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, Sent>;
  const own: typeof original = {
    ...original,
    serialize(thrown) {
      const [sent, transferables] = original.serialize(thrown);
      if (thrown.value instanceof Error) Object.assign(sent.value, withCauses(thrown.value));
      return [sent, transferables];
    },
  };
  transferHandlers.set('throw', own as TransferHandler<unknown, unknown>);
  const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name);
  expose({ ...calls, loaded });
}

function withCauses(error: Error & { readonly code?: unknown }): Partial<Sent['value']> {
  const { message, cause, code } = error;
  return { message: cause === undefined ? message : `${message}\n${describeError(cause)}`, code };
}
