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
import type * as ModelSources from './model_source.js';
import type { CheckHead, ModelSource } from './model_source.js';

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

/** What fetches a file. It is passed: bundlers put what scripts import of index.mjs into pages that import any of it. */
export type Fetching = Pick<typeof ModelSources, 'checkHead' | 'describeFile' | 'fetchFile'>;

/** See metadata_on_demand.ts. */
export async function readModelMetadata(
  { checkHead, fetchFile }: Fetching,
  source: ModelSource,
  options: ReadOptions = {},
): Promise<ModelMetadata | null> {
  validateOptions('', options, READING_SCHEMA);
  return openMetadata(findMetadata(await fetchFile(source, checkHead, new LoadMonitor(options.signal))));
}

/** See metadata_on_demand.ts. */
export async function openTaskBundle(
  { describeFile, fetchFile }: Fetching,
  source: ModelSource,
  options: ReadOptions = {},
): Promise<TaskBundle> {
  validateOptions('', options, READING_SCHEMA);
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
  const bytes = await fetchFile(source, checkStart, new LoadMonitor(options.signal));
  checkStart(
    { head: (count) => bytes.subarray(0, count) },
    { name: 'the file', totalBytes: null, statusLine: '', status: null },
  );
  return TaskBundle.open(bytes, 'The bundle');
}
