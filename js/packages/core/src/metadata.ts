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
export { openTaskBundle } from './load/open_task_bundle.js';
export { type ReadOptions, readModelMetadata } from './load/read_model_metadata.js';
export type { ArchiveEntry } from './metadata/archive.js';
export { labelsFor } from './metadata/labels_for.js';
/** @internal */
export { copyOf, findMetadata } from './metadata/metadata_parts.js';
export type * from './metadata/model_metadata.js';
/** @internal */
export { openMetadata } from './metadata/open_metadata.js';
export type { TaskBundle } from './metadata/task_bundle.js';
