/** The WebNN polyfill, where it stands in for the browser's WebNN. It is only loaded where it is used. */

import type { PolyfillEngine } from '../options.js';
import type { ML, MLGraphBuilderConstructor } from '../webnn_types.js';

/** An object that has what browsers have as globals. */
export interface WebnnScope {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: MLGraphBuilderConstructor;
}

/**
 * Loads the polyfill with one of its engines. Nothing is installed: what the page finds on `navigator.ml` stays.
 *
 * @param wasmPath - Where the engine `tflite` finds the wasm module.
 */
export type LoadPolyfill = (engine: PolyfillEngine, wasmPath: string | undefined) => Promise<WebnnScope>;

export const loadPolyfill: LoadPolyfill = async (engine, wasmPath) => {
  const { tfliteEngine, webnnOf } = await import('./polyfill.mjs');
  return webnnOf(engine === 'tflite' ? tfliteEngine({ wasmPath }) : engine);
};
