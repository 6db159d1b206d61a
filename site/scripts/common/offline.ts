/** Makes a page that was visited once work without a network: the service worker keeps what it has loaded. */

import { assets } from './assets.js';
import { capability } from './capabilities.js';

/** The addresses of what a worker has loaded, which the page cannot see. */
type Loaded = () => Promise<readonly string[]>;

const workers: Loaded[] = [];

/** Keeps what a worker of this page has loaded, too. */
export function keepAlso(loaded: Loaded): void {
  workers.push(loaded);
}

/**
 * Has the service worker keep this page and what it loaded before the worker controlled it. From then on the worker
 * keeps what it sees. Marks the page with `data-offline` when all is kept; does nothing where there is no service worker.
 */
export async function keepForOffline(): Promise<void> {
  const root = document.documentElement.dataset.root ?? '';
  if (!isSecureContext || !navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(`${root}service_worker.js`);
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      document.documentElement.dataset.offline = 'ready';
    };
    active?.postMessage(await loaded(root), [port2]);
  } catch {} // private windows reject service workers
}

/** This page, its resources, and what its workers load. */
async function loaded(root: string): Promise<string[]> {
  const own = performance.getEntriesByType('resource').map(({ name }) => name);
  const samples = Object.values(assets('samples')).map(({ url }) => url);
  const others = await Promise.all([modules(root), ...workers.map((loaded) => loaded())]);
  const addresses = [location.href, ...own, ...samples, ...others.flat()];
  // Fragments, as those of workers, are no part of what is kept.
  const absolute = addresses.map((address) => new URL(address.replace(/#.*/, ''), document.baseURI));
  return [...new Set(absolute.filter(({ origin }) => origin === location.origin).map(({ href }) => href))];
}

async function modules(root: string): Promise<string[]> {
  if (Object.keys(assets('models')).length === 0) return [];
  const variant = (await capability('relaxedSimd')).there ? 'relaxed-simd' : 'simd';
  return ['mjs', 'wasm'].map((suffix) => `${root}package/${variant}/tflite_webnn.${suffix}`);
}
