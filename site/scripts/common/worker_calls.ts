/** Calls of the page's workers. Where a worker's script cannot be loaded, they reject; comlink alone would wait forever. */

import { type Remote, wrap } from 'comlink';
import { workerUrl } from './module_download.js';
import { keepAlso } from './offline.js';

type Call = (...values: unknown[]) => Promise<unknown>;

/**
 * Calls of `scripts/NAME.mjs`. The worker starts with the first call, and again with the next one if its script could
 * not be loaded. What it loads is kept for visits without a network.
 */
export function workerCalls<Calls>(name: string): Remote<Calls> {
  let started: ((method: string) => Call) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const start = () => {
    const worker = new Worker(workerUrl(name), { type: 'module' });
    return caller(worker, () => {
      started = undefined;
    });
  };
  // What a call needs, the worker imports meanwhile.
  keepAlso(async () => {
    await last.catch(() => {});
    return started ? ((await started('loaded')()) as string[]) : [];
  });
  return methods<Calls>((method) => (...values) => {
    started ??= start();
    last = started(method)(...values);
    return last;
  });
}

/** Calls of a worker. */
export function callsOf<Calls>(worker: Worker): Remote<Calls> {
  return methods<Calls>(caller(worker));
}

function methods<Calls>(call: (method: string) => Call): Remote<Calls> {
  return new Proxy({}, { get: (_, method) => call(String(method)) }) as Remote<Calls>;
}

/** Until the worker responds for the first time, its error means that a script is missing. */
function caller(worker: Worker, onFailure = () => {}): (method: string) => Call {
  const calls = wrap(worker) as unknown as Record<string, Call>;
  const waiting = new Set<(error: Error) => void>();
  let failure: Error | null = null;
  const fail = ({ message = '' }: ErrorEvent) => {
    const thrown = message.replace(/^(Uncaught )?Error: /, ''); // browsers add this
    failure = new Error(thrown || 'A script of this page could not be loaded. Check the network connection.');
    for (const reject of waiting) reject(failure);
    worker.terminate();
    onFailure();
  };
  worker.addEventListener('error', fail);
  return (method) =>
    (...values) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        waiting.add(reject);
        const settled = () => {
          waiting.delete(reject);
          worker.removeEventListener('error', fail);
        };
        calls[method]?.(...values)
          .finally(settled)
          .then(resolve, reject);
      });
}
