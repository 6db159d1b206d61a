/** Starts module workers, also from scripts of another origin. */

import { messageOf, WorkerFailedError } from '../errors.js';

/** One for each script: not every browser starts a worker whose blob is revoked at once. */
const blobs = new Map<string, string>();

/**
 * Starts a module worker.
 *
 * @param url - The script's absolute address.
 * @throws WorkerFailedError if the page may have none.
 */
export function startModuleWorker(url: string, name: string): Worker {
  try {
    return new Worker(isOfOtherOrigin(url) ? blobOf(url) : url, { type: 'module', name });
  } catch (cause) {
    throw new WorkerFailedError(
      `The page may not start the worker ${url} (${messageOf(cause)}). Allow it in the page's policy (worker-src 'self' ` +
        'blob:, no Trusted Types for workers), or compute without a worker.',
      { cause, details: { url } },
    );
  }
}

/**
 * Starts a thread of Node.
 *
 * @param Thread - The Worker of node:worker_threads.
 * @throws WorkerFailedError if Node takes no script from there.
 */
export function startThread<T>(Thread: new (url: URL) => T, url: URL): T {
  try {
    return new Thread(url);
  } catch (cause) {
    throw new WorkerFailedError(
      `Node cannot start the worker ${url} (${messageOf(cause)}). Give the address of a local file.`,
      { cause, details: { url: url.href } },
    );
  }
}

/** Browsers take a worker's script from the page's own origin only, and what it imports from anywhere. */
function isOfOtherOrigin(url: string): boolean {
  return /^https?:/.test(url) && new URL(url).origin !== globalThis.origin;
}

function blobOf(url: string): string {
  let blob = blobs.get(url);
  if (blob === undefined) {
    blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)}`], { type: 'text/javascript' }));
    blobs.set(url, blob);
  }
  return blob;
}
