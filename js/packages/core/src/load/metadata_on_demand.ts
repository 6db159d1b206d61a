/** Reads metadata by a script that is loaded when it is needed: most pages read none. */

import { missingScript } from '../errors.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import type { TaskBundle } from '../metadata/task_bundle.js';
import { bundleBytes, modelBytes, type ReadOptions } from './file_to_read.js';
import type { ModelSource } from './model_source.js';
import type * as Readers from './read_files.js';

/**
 * What reads metadata.
 *
 * @internal
 * @throws WasmLoadError where the script is missing.
 */
export function metadataReaders(): Promise<typeof Readers> {
  return import('./read_files.js').catch((cause: unknown) => {
    throw missingScript(cause, ' Service workers cannot load it: import tflite-webnn/metadata there.');
  });
}

/**
 * Loads the script in parallel with a model whose metadata will be read.
 *
 * @internal
 */
export function prepareMetadata(): void {
  metadataReaders().catch(() => {}); // reported where metadata is read
}

/**
 * Reads a model file's metadata: TFLite's, MediaPipe's and Ultralytics'. It loads neither the model nor the package's
 * wasm module.
 *
 * @group metadata.mjs
 * @param source - The model file, as loadTFLiteModel() accepts it. The result has views into provided bytes.
 * @param options - How to end it.
 * @returns null where the file has no metadata.
 * @throws OptionError; the reason of `options.signal`; ModelFetchError, NotATFLiteModelError, MalformedModelError;
 *   MetadataError, ArchiveError; WasmLoadError where the script read_files.mjs is missing.
 *
 * @example
 * const metadata = await readModelMetadata('classifier.tflite');
 * const [output] = metadata?.outputs ?? [];
 * console.log(output?.name, output && labelsFor(output));
 */
export async function readModelMetadata(source: ModelSource, options?: ReadOptions): Promise<ModelMetadata | null> {
  const { findMetadata, openMetadata } = await metadataReaders();
  return openMetadata(findMetadata(await modelBytes(source, options)));
}

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as loadTFLiteModel() accepts a model. Stored files are views into provided bytes.
 * @param options - How to end it.
 * @throws OptionError; the reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else,
 *   is damaged, or has paths that leave it; WasmLoadError where the script read_files.mjs is missing.
 *
 * @example
 * const bundle = await openTaskBundle('face_landmarker.task');
 * const model = await loadTFLiteModel(bundle.bytes('face_detector.tflite'));
 */
export async function openTaskBundle(source: ModelSource, options?: ReadOptions): Promise<TaskBundle> {
  const { TaskBundle } = await metadataReaders();
  return TaskBundle.open(await bundleBytes(source, options), 'The bundle');
}
