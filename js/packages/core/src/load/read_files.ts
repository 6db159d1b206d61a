/**
 * Reads what a file has besides a model to run: its metadata, or a .task bundle. index.mjs loads this on demand, as the
 * script read_files.mjs.
 */

import { ArchiveError } from '../errors.js';
import { findMetadata } from '../metadata/metadata_parts.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { openMetadata } from '../metadata/open_metadata.js';
import { TaskBundle } from '../metadata/task_bundle.js';
import { type OptionSchema, SIGNAL } from '../option_schema.js';
import { ARCHIVE_START_BYTES, isArchive } from '../support/download.js';
import { LoadMonitor } from '../support/tasks.js';
import { validateOptions } from '../support/validate_options.js';
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

const READING_SCHEMA: OptionSchema<ReadOptions> = { signal: SIGNAL };

/**
 * Reads a model file's metadata: TFLite's, MediaPipe's and Ultralytics'. It loads neither the model nor the package's
 * wasm module.
 *
 * @group metadata.mjs
 * @param source - The model file, as loadTFLiteModel() takes it. The result has views into provided bytes.
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
  validateOptions('', options, READING_SCHEMA);
  return openMetadata(findMetadata(await fetchFile(source, checkHead, new LoadMonitor(options.signal))));
}

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as loadTFLiteModel() takes a model. Stored files are views into provided bytes.
 * @param options - How to end it.
 * @throws The reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else, is damaged,
 *   or has paths that leave it.
 *
 * @example
 * const bundle = await openTaskBundle('face_landmarker.task');
 * const model = await loadTFLiteModel(bundle.bytes('face_detector.tflite'));
 */
export async function openTaskBundle(source: ModelSource, options: ReadOptions = {}): Promise<TaskBundle> {
  validateOptions('', options, READING_SCHEMA);
  const bytes = await fetchFile(source, checkStart, new LoadMonitor(options.signal));
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
