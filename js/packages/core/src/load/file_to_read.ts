/**
 * The bytes of a file whose metadata or content are read. metadata.mjs loads this on demand, as the script
 * metadata_download.mjs: bytes that are in memory do not need it.
 */

import { ArchiveError } from '../errors.js';
import { type OptionSchema, SIGNAL } from '../option_schema.js';
import { ARCHIVE_START_BYTES, isArchive } from '../support/download.js';
import { LoadMonitor } from '../support/tasks.js';
import { validateOptions } from '../support/validate_options.js';
import { type CheckHead, checkHead, describeFile, fetchFile, type ModelSource } from './model_source.js';

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
 * The bytes of a model.
 *
 * @throws OptionError; the reason of the signal; ModelFetchError; NotATFLiteModelError.
 */
export async function modelBytes(source: ModelSource, options: ReadOptions = {}): Promise<Uint8Array> {
  validateOptions('', options, READING_SCHEMA);
  return fetchFile(source, checkHead, new LoadMonitor(options.signal));
}

/**
 * The bytes of a `.task` bundle.
 *
 * @throws OptionError; the reason of the signal; ModelFetchError; ArchiveError where it is something else.
 */
export async function bundleBytes(source: ModelSource, options: ReadOptions = {}): Promise<Uint8Array> {
  validateOptions('', options, READING_SCHEMA);
  const bytes = await fetchFile(source, checkBundleStart, new LoadMonitor(options.signal));
  checkBundleStart(
    { head: (count) => bytes.subarray(0, count) },
    { name: 'the file', totalBytes: null, statusLine: '', status: null },
  );
  return bytes;
}

const checkBundleStart: CheckHead = (bytes, origin) => {
  if (isArchive(bytes.head(ARCHIVE_START_BYTES))) return;
  throw new ArchiveError(
    'TASK_BUNDLE',
    `${origin.name} is not a .task bundle, which is a zip archive: ${describeFile(bytes, origin)}`,
    { details: { url: origin.name } },
  );
};
