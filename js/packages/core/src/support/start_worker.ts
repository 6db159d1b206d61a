/** Starts module workers, also from scripts of another origin. */

import { messageOf, WorkerFailedError } from '../errors.js';
import type { InstanceOf } from '../option_schema.js';

const FOR_BROWSERS = "Allow blob: and its origin in the policy's worker-src; no Trusted Types, no SharedWorker.";

/** One for each script: not every browser starts a worker whose blob is revoked immediately. */
const blobs = new Map<string, string>();

/**
 * Starts a module worker.
 *
 * @param base - What the script's address is relative to.
 * @param Thread - The Worker of node:worker_threads, in Node.
 * @throws WorkerFailedError if the page may have none, or Node accepts no script from there.
 */
export function startWorker<W = InstanceOf<'Worker'>>(
  address: string | URL,
  base: string,
  name: string,
  Thread: (new (url: URL) => W) | null = null,
): W {
  try {
    const url = new URL(address, base);
    if (Thread !== null) return new Thread(url);
    return new Worker(isOfOtherOrigin(url.href) ? blobOf(url.href) : url.href, { type: 'module', name }) as W;
  } catch (cause) {
    throw notStarted(address, cause, Thread === null ? FOR_BROWSERS : 'Pass a local file.');
  }
}

/**
 * Starts a worker of this package.
 *
 * @param start - Creates the Worker from a literal address, which bundlers recognize.
 * @param file - The same address. It is used where a browser rejects the literal one: the package is on another origin.
 * @param base - What it is relative to.
 * @throws WorkerFailedError as startWorker().
 */
export function startPackagedWorker(
  start: () => InstanceOf<'Worker'>,
  file: string,
  base: string,
  name: string,
): InstanceOf<'Worker'> {
  if (isOfOtherOrigin(base)) return startWorker(file, base, name);
  try {
    return start();
  } catch (cause) {
    throw notStarted(file, cause, FOR_BROWSERS);
  }
}

function notStarted(address: string | URL, cause: unknown, hint: string): WorkerFailedError {
  return new WorkerFailedError(`The worker ${address} did not start (${messageOf(cause)}). ${hint}`, {
    cause,
    details: { url: `${address}` },
  });
}

/** Browsers accept a worker's script from the page's own origin only, and what it imports from anywhere. */
function isOfOtherOrigin(address: string): boolean {
  return /^https?:/.test(address) && new URL(address).origin !== globalThis.origin;
}

function blobOf(url: string): string {
  let blob = blobs.get(url);
  if (blob === undefined) {
    blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)}`], { type: 'text/javascript' }));
    blobs.set(url, blob);
  }
  return blob;
}
