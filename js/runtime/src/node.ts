/** The package in Node: `import { loadTFLiteModel } from 'tflite-webnn/node'`. What else it has is as in pages. */

import {
  loadTFLiteModel as load,
  type ModelMetadata,
  type ModelSource,
  openTaskBundle as open,
  type ReadOptions,
  readModelMetadata as read,
  type TaskBundle,
  type TFLiteModel,
  type TFLiteModelOptions,
} from './index.mjs';
import { addressOf, defaultThreadCount } from './node_sources.js';

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
  return load(addressOf(source), { numThreads: defaultThreadCount(), ...options });
}

/**
 * Reads what a model file says of itself, as in pages, from a path too.
 *
 * @param source - The model file, as loadTFLiteModel() takes it.
 * @param options - How to end it.
 * @returns null where the file has no metadata.
 * @throws What readModelMetadata() throws in pages.
 */
export async function readModelMetadata(source: ModelSource, options: ReadOptions = {}): Promise<ModelMetadata | null> {
  return read(addressOf(source), options);
}

/**
 * Opens a `.task` bundle, as in pages, from a path too.
 *
 * @param source - The bundle, as loadTFLiteModel() takes a model.
 * @param options - How to end it.
 * @throws What openTaskBundle() throws in pages.
 */
export async function openTaskBundle(source: ModelSource, options: ReadOptions = {}): Promise<TaskBundle> {
  return open(addressOf(source), options);
}
