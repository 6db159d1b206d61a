/**
 * Reads what a file has besides a model to run: its metadata, or a .task bundle. index.mjs loads this on demand, as the
 * script read_files.mjs.
 */

export { copyOf, findMetadata } from '../metadata/metadata_parts.js';
export { openMetadata } from '../metadata/open_metadata.js';
export { TaskBundle } from '../metadata/task_bundle.js';
