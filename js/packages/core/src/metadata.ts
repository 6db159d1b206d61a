/**
 * The metadata of a model file, and the content of a `.task` bundle. A separate entry point: it loads neither a
 * model nor the wasm module.
 *
 * @module tflite-webnn/metadata
 */

export { ArchiveError, MetadataError } from './errors.js';
/** @internal */
export { isArchive } from './load/file_kind.js';
export type { ModelSource } from './load/model_source.js';
export { openTaskBundle, type ReadOptions, readModelMetadata } from './load/read_files.js';
export type { ArchiveEntry } from './metadata/archive.js';
export { labelsFor } from './metadata/label_files.js';
/** @internal */
export { copyOf, findMetadata } from './metadata/metadata_parts.js';
export type * from './metadata/model_metadata.js';
/** @internal */
export { openMetadata } from './metadata/open_metadata.js';
export type { TaskBundle } from './metadata/task_bundle.js';
