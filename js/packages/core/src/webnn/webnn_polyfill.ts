/** The WebNN polyfill, where it stands in for the browser's WebNN. It is only loaded where it is used. */

import type { PolyfillEngine } from '../options.js';
import { SCRIPT_URL } from '../support/page_address.js';
import type { ML, MLGraphBuilderConstructor } from '../webnn_types.js';

const POLYFILL: unique symbol = Symbol.for('tflite-webnn.polyfill');

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
  const { tfliteEngine, webnnOf } = registeredPolyfill() ?? (await importPolyfill());
  return webnnOf(engine === 'tflite' ? tfliteEngine({ wasmPath }) : engine);
};

/** What is used of the polyfill's exports. */
interface Polyfill {
  /** TensorFlow Lite in wasm, from this folder. */
  tfliteEngine(options: { readonly wasmPath?: string | undefined }): object;
  /** WebNN as an engine computes it, without installing it. */
  webnnOf(engine: string | object): WebnnScope;
}

/** The polyfill's script puts its exports there: in a bundle, it is not a file next to this script. */
function registeredPolyfill(): Polyfill | undefined {
  return (globalThis as { [POLYFILL]?: Polyfill })[POLYFILL];
}

/** By address, so that only bundles of pages that import the polyfill contain it. */
function importPolyfill(): Promise<Polyfill> {
  const script = new URL('./polyfill.mjs', SCRIPT_URL);
  return import(/* @vite-ignore */ /* webpackIgnore: true */ script.href).catch((error: Error) => {
    error.message += '. Bundles import tflite-webnn/polyfill.';
    console.warn(error.message); // the model may run on the CPU instead
    throw error;
  });
}
