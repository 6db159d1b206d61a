/** Reads a model file's metadata, without loading the model. */

import { type Kinds, SIGNAL } from '../argument_kinds.js';
import { findMetadata } from '../metadata/metadata_parts.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { openMetadata } from '../metadata/open_metadata.js';
import { LoadWatch } from '../support/load_watch.js';
import { checkGiven } from '../support/option_check.js';
import { fetchModel, type ModelSource } from './model_source.js';

/**
 * Options of reading a file.
 *
 * @group metadata.mjs
 */
export interface ReadOptions {
  /** Ends the download. */
  readonly signal?: AbortSignal;
}

/** @internal */
export const OF_READING: Kinds<ReadOptions> = { signal: SIGNAL };

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
 *
 * @example
 * const metadata = await readModelMetadata('classifier.tflite');
 * const [output] = metadata?.outputs ?? [];
 * console.log(output?.name, output && labelsFor(output));
 */
export async function readModelMetadata(source: ModelSource, options: ReadOptions = {}): Promise<ModelMetadata | null> {
  checkGiven('', options, OF_READING);
  return openMetadata(findMetadata(await fetchModel(source, new LoadWatch(options.signal))));
}
