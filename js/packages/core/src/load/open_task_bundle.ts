/** From a source to a bundle. */

import { ArchiveError } from '../errors.js';
import { TaskBundle } from '../metadata/task_bundle.js';
import { LoadWatch } from '../support/load_watch.js';
import { checkGiven } from '../support/option_check.js';
import { ARCHIVE_START_BYTES, isArchive } from './file_kind.js';
import { type CheckHead, describeFile, fetchFile, type ModelSource } from './model_source.js';
import { OF_READING, type ReadOptions } from './read_model_metadata.js';

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as loadTFLiteModel() takes a model. Stored files are views into given bytes.
 * @param options - How to end it.
 * @throws The reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else; ArchiveError
 *   where it is damaged, or has paths that leave it.
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
