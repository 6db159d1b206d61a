/**
 * Reads what a file has besides a model to run: its metadata, or a .task bundle. index.mjs loads this on demand, as the
 * script read_files.mjs.
 */

import { type Kinds, SIGNAL } from '../argument_kinds.js';
import { ArchiveError } from '../errors.js';
import { findMetadata } from '../metadata/metadata_parts.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { openMetadata } from '../metadata/open_metadata.js';
import { TaskBundle } from '../metadata/task_bundle.js';
import { ARCHIVE_START_BYTES, isArchive } from '../support/download.js';
import { checkGiven } from '../support/option_check.js';
import { LoadWatch } from '../support/tasks.js';
import { type CheckHead, checkHead, describeFile, fetchFile, type ModelSource } from './model_source.js';

export { copyOf, findMetadata } from '../metadata/metadata_parts.js';
export { openMetadata };

/**
 * Options of reading a file.
 *
 * @group metadata.mjs
 */
export interface ReadOptions {
  /** Ends the download. */
  readonly signal?: AbortSignal;
}

const OF_READING: Kinds<ReadOptions> = { signal: SIGNAL };

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
  return openMetadata(findMetadata(await fetchFile(source, checkHead, new LoadWatch(options.signal))));
}

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as loadTFLiteModel() takes a model. Stored files are views into given bytes.
 * @param options - How to end it.
 * @throws The reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else, is damaged, or has
 *   paths that leave it.
 *
 * @example
 * const bundle = await openTaskBundle('face_landmarker.task');
 * const model = await loadTFLiteModel(bundle.bytes('face_detector.tflite'));
 */
export async function openTaskBundle(source: ModelSource, options: ReadOptions = {}): Promise<TaskBundle> {
  checkGiven('', options, OF_READING);
  const bytes = await fetchFile(source, checkStart, new LoadWatch(options.signal));
  checkStart(
    { head: (count) => bytes.subarray(0, count) },
    { name: 'the file', totalBytes: null, answer: '', status: null },
  );
  return TaskBundle.open(bytes, 'The bundle');
}

const checkStart: CheckHead = (bytes, origin) => {
  if (isArchive(bytes.head(ARCHIVE_START_BYTES))) return;
  throw new ArchiveError(
    'TASK_BUNDLE',
    `${origin.name} is not a .task bundle, which is a zip archive: ${describeFile(bytes, origin)}`,
    {
      details: { url: origin.name },
    },
  );
};
