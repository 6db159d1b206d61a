/** The package in Node: `import { loadTFLiteModel } from 'tflite-webnn/node'`. What else it has is as in pages. */

import { loadTFLiteModel as load, type ModelSource, type TFLiteModel, type TFLiteModelOptions } from './index.mjs';
import { nodeModule } from './local_files.js';

export * from './index.mjs';

/** An address begins so. One letter before the colon is a drive. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * Loads a TFLite model in Node, from a file too. Without `numThreads` half of the processor's threads compute.
 *
 * WebNN is used where something has made a `navigator.ml` (Electron, bindings), or where
 * `webnnDelegateOptions: { polyfill: 'tflite' }` asks for the package's own.
 *
 * @param source - The model file: its path, a URL (`file:` too), its bytes, a Response, or a stream of its bytes.
 * @param options - As in pages.
 * @throws What loadTFLiteModel throws in pages; ModelFetchError where the file cannot be read.
 *
 * @example
 * const model = await loadTFLiteModel('models/model.tflite');
 * const [scores] = await model.run(new Float32Array(224 * 224 * 3));
 */
export async function loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions = {}): Promise<TFLiteModel> {
  return load(addressOf(source), { numThreads: defaultThreadCount(), ...options });
}

function addressOf(source: ModelSource): ModelSource {
  if (typeof source !== 'string' || SCHEME.test(source)) return source;
  return nodeModule<{ pathToFileURL(path: string): URL }>('node:url')?.pathToFileURL(source) ?? source;
}

/** Older ones have no `navigator`, which tells it in pages. */
function defaultThreadCount(): number {
  const threads = nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism() ?? 1;
  return Math.max(1, Math.floor(threads / 2));
}
