/** Reads metadata by a script that is loaded when it is needed: most pages read none. */

import { missingScript } from '../errors.js';
import type * as Readers from './read_files.js';

/**
 * What reads metadata.
 *
 * @internal
 * @throws WasmLoadError where the script is missing.
 */
export function metadataReaders(): Promise<typeof Readers> {
  return import('./read_files.js').catch((cause: unknown) => {
    throw missingScript(cause);
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
 * Reads a model file's metadata: TFLite's, MediaPipe's and Ultralytics'. It loads neither the model nor the package's wasm
 * module.
 *
 * @group metadata.mjs
 * @param source - The model file, as loadTFLiteModel() takes it. The result has views into given bytes.
 * @param options - How to end it.
 * @returns null where the file has no metadata.
 * @throws The reason of `options.signal`; ModelFetchError, NotATFLiteModelError, MalformedModelError;
 *   MetadataError, ArchiveError.
 */
export const readModelMetadata: typeof Readers.readModelMetadata = async (...file) =>
  (await metadataReaders()).readModelMetadata(...file);

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as loadTFLiteModel() takes a model. Stored files are views into given bytes.
 * @param options - How to end it.
 * @throws The reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else, is damaged, or has
 *   paths that leave it.
 */
export const openTaskBundle: typeof Readers.openTaskBundle = async (...file) =>
  (await metadataReaders()).openTaskBundle(...file);
