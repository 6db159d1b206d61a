/**
 * The metadata of a model file, and the content of a `.task` bundle. A separate script with the readers alone; `tflite-webnn`
 * has them, too. In pages each of the two has its own error classes.
 *
 * @module tflite-webnn/metadata
 */

import { missingScript } from './errors.js';
import type { ReadOptions } from './load/file_to_read.js';
import type { ModelSource } from './load/model_source.js';
import { findMetadata } from './metadata/metadata_parts.js';
import type { ModelMetadata } from './metadata/model_metadata.js';
import { openMetadata } from './metadata/open_metadata.js';
import { TaskBundle } from './metadata/task_bundle.js';
import { bytesIn, IDENTIFIER_END, isArchive, isTFLite } from './support/download.js';

/** @internal */
export {
  ArchiveError,
  kindOf,
  MalformedModelError,
  MetadataError,
  ModelFetchError,
  messageOf,
  NotATFLiteModelError,
  OptionError,
  TFLiteWebnnError,
  WasmLoadError,
} from './errors.js';
export type { ReadOptions } from './load/file_to_read.js';
export type { ModelSource } from './load/model_source.js';
export type { ArchiveEntry } from './metadata/archive.js';
export { labelsFor } from './metadata/label_files.js';
export type * from './metadata/model_metadata.js';
export type { TaskBundle } from './metadata/task_bundle.js';

/**
 * Reads a model file's metadata: TFLite's, MediaPipe's and Ultralytics'.
 *
 * @group metadata.mjs
 * @param source - The model file, as loadTFLiteModel() accepts it. The result has views into provided bytes. Service
 *   workers read only bytes and Blobs, without options and without compressed files.
 * @param options - How to end it.
 * @returns null where the file has no metadata.
 * @throws OptionError; the reason of `options.signal`; ModelFetchError, NotATFLiteModelError, MalformedModelError;
 *   MetadataError, ArchiveError; WasmLoadError where a script that downloads or unpacks is missing.
 *
 * @example
 * const metadata = await readModelMetadata('classifier.tflite');
 * const [output] = metadata?.outputs ?? [];
 * console.log(output?.name, output && labelsFor(output));
 */
export async function readModelMetadata(source: ModelSource, options?: ReadOptions): Promise<ModelMetadata | null> {
  return openMetadata(findMetadata(await bytesOf(source, options, isTFLite, 'modelBytes')));
}

/**
 * Opens a `.task` bundle of MediaPipe: a zip archive of `.tflite` files, further bundles, and what goes with them.
 *
 * @group metadata.mjs
 * @param source - The bundle, as readModelMetadata() accepts a model. Stored files are views into provided bytes.
 * @param options - How to end it.
 * @throws OptionError; the reason of `options.signal`; ModelFetchError; ArchiveError where the file is something else,
 *   is damaged, or has paths that leave it; WasmLoadError where a script that downloads or unpacks is missing.
 *
 * @example
 * const bundle = await openTaskBundle('face_landmarker.task');
 * const model = await loadTFLiteModel(bundle.bytes('face_detector.tflite'));
 */
export async function openTaskBundle(source: ModelSource, options?: ReadOptions): Promise<TaskBundle> {
  return TaskBundle.open(await bytesOf(source, options, isArchive, 'bundleBytes'), 'The bundle');
}

/** What gets bytes of other sources, checks options and describes wrong files is loaded on demand. */
async function bytesOf(
  source: ModelSource,
  options: ReadOptions | undefined,
  isRight: (head: Uint8Array) => boolean,
  fetchBytes: 'modelBytes' | 'bundleBytes',
): Promise<Uint8Array> {
  const bytes = options === undefined ? await bytesInMemory(source) : null;
  if (bytes !== null && isRight(bytes.subarray(0, IDENTIFIER_END))) return bytes;
  const part = await import('./load/file_to_read.js').catch((cause: unknown) => {
    // Without a description of wrong bytes, the readers reject them.
    if (bytes === null) throw missingScript(cause, SERVICE_WORKER_HINT);
  });
  return part ? part[fetchBytes](source, options) : (bytes as Uint8Array);
}

async function bytesInMemory(source: ModelSource): Promise<Uint8Array | null> {
  if (!(source instanceof Blob)) return bytesIn(source);
  return source.arrayBuffer().then(bytesIn, () => null);
}

const SERVICE_WORKER_HINT =
  ' Service workers cannot load it: provide bytes, as from `await (await fetch(url)).arrayBuffer()`, without options.';
