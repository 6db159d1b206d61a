/** Starts module workers, also from scripts of another origin. */

import { messageOf, WorkerFailedError } from '../errors.js';

/** One for each script: not every browser starts a worker whose blob is revoked at once. */
const blobs = new Map<string, string>();

/**
 * Starts a module worker.
 *
 * @param base - What the script's address is relative to.
 * @param Thread - The Worker of node:worker_threads, in Node.
 * @throws WorkerFailedError if the page may have none, or Node takes no script from there.
 */
export function startWorker<W = Worker>(
  address: string | URL,
  base: string,
  name: string,
  Thread: (new (url: URL) => W) | null = null,
): W {
  try {
    const url = new URL(address, base);
    if (Thread !== null) return new Thread(url);
    return new Worker(isOfOtherOrigin(url) ? blobOf(url.href) : url.href, { type: 'module', name }) as W;
  } catch (cause) {
    const hint =
      Thread === null
        ? "Allow blob: and its origin in the policy's worker-src; no Trusted Types, no SharedWorker."
        : 'Give a local file.';
    throw new WorkerFailedError(`The worker ${address} did not start (${messageOf(cause)}). ${hint}`, {
      cause,
      details: { url: `${address}` },
    });
  }
}

/** Browsers take a worker's script from the page's own origin only, and what it imports from anywhere. */
function isOfOtherOrigin({ protocol, origin }: URL): boolean {
  return /^https?:/.test(protocol) && origin !== globalThis.origin;
}

function blobOf(url: string): string {
  let blob = blobs.get(url);
  if (blob === undefined) {
    blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)}`], { type: 'text/javascript' }));
    blobs.set(url, blob);
  }
  return blob;
}
