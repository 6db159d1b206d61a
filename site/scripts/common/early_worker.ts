/** A worker whose first request is the wasm module, by far the largest: its scripts come meanwhile. */

import { relaxedSimd } from 'wasm-feature-detect';
import { fetchAhead } from './watch_module.js';

/** From so many logical processors on, the package uses more than one thread: half of them. */
const MIN_PROCESSORS = 4;

/**
 * Fetches the module and loads the worker's script, for which the page's messages wait.
 *
 * @param load - A failure becomes an error of the worker.
 */
export function startEarly(load: () => Promise<unknown>): void {
  void fetchModule();
  const early: MessageEvent[] = [];
  const keep = (event: MessageEvent) => early.push(event);
  addEventListener('message', keep);
  load().then(() => {
    removeEventListener('message', keep);
    for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
  }, fail);
}

/** Reports a failure in words for the visitor: the browser's own message is only an address. */
function fail(cause: unknown): void {
  reportError(new Error('A script of this page could not be loaded. Check the network connection.', { cause }));
}

async function fetchModule(): Promise<void> {
  const variant = moduleVariant(await relaxedSimd(), crossOriginIsolated, navigator.hardwareConcurrency);
  fetchAhead(new URL(`../package/${variant}/tflite_webnn.wasm`, import.meta.url));
}

/** The variant that the package will choose. index.mjs, which has the rule, is not loaded yet: a test compares both. */
export function moduleVariant(hasRelaxedSimd: boolean, hasThreads: boolean, processors: number): string {
  return `${hasRelaxedSimd ? 'relaxed-simd' : 'simd'}${hasThreads && processors >= MIN_PROCESSORS ? '-threads' : ''}`;
}
