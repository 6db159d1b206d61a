/** The WebNN polyfill, where it stands in for the browser's WebNN. It is only loaded where it is used. */

import type { PolyfillEngine } from './options.js';
import type { ML, MLGraphBuilderConstructor } from './webnn_types.js';

/** WebNN as an engine of the polyfill computes it. */
export interface PolyfillWebnn {
  readonly ml: ML;
  readonly MLGraphBuilder: MLGraphBuilderConstructor;
}

/** Loads the polyfill with one of its engines. */
export type LoadPolyfill = (engine: PolyfillEngine, wasmPath: string | undefined) => Promise<PolyfillWebnn>;

export const loadPolyfill: LoadPolyfill = async (engine, wasmPath) => {
  const { openPolyfill } = await import('./polyfill.mjs');
  return openPolyfill(engine, { wasmPath });
};
