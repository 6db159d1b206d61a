/**
 * The metadata of a model file, and the content of a `.task` bundle. A separate script with the readers alone; `tflite-webnn`
 * has them, too. In pages each of the two has its own error classes.
 *
 * @module tflite-webnn/metadata
 */

export {
  ArchiveError,
  MalformedModelError,
  MetadataError,
  ModelFetchError,
  NotATFLiteModelError,
  OptionError,
} from './errors.js';
export { openTaskBundle, readModelMetadata } from './load/metadata_on_demand.js';
export type { ModelSource } from './load/model_source.js';
export type { ReadOptions } from './load/read_files.js';
export type { ArchiveEntry } from './metadata/archive.js';
export { labelsFor } from './metadata/label_files.js';
export type * from './metadata/model_metadata.js';
export type { TaskBundle } from './metadata/task_bundle.js';
