/** The package in Node: `tflite-webnn` and `tflite-webnn/node`. What else it has is as in pages. */

import { loadTFLiteModel as load, type ModelSource, type TFLiteModel, type TFLiteModelOptions } from './index.mjs';
import { defaultThreadCount } from './node_threads.js';

export * from './index.mjs';
export { type NodeTFLiteWorkerOptions, type NodeWorker, TFLiteWorker } from './node_worker.js';

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
 * console.log(scores.name, scores.shape, scores.data);
 */
export async function loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions = {}): Promise<TFLiteModel> {
  return load(source, { numThreads: defaultThreadCount(), ...options });
}
