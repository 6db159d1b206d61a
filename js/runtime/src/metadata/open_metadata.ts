/** Reads metadata with what it takes: code that few files need is loaded when one needs it. */

import { packagePart } from '../support/package_part.js';
import { type ArchiveEntry, needsInflate, readArchive } from './archive.js';
import { MEDIAPIPE_METADATA, ULTRALYTICS_FILES } from './conventions.js';
import type { MetadataParts } from './metadata_parts.js';
import type { ModelMetadata } from './model_metadata.js';
import { readMetadata } from './read_metadata.js';

/**
 * Reads the parts of a model file.
 *
 * @returns null where the file has no metadata.
 * @throws MalformedMetadataError, MetadataMismatchError, ArchiveError; PackageFileError.
 */
export async function openMetadata(parts: MetadataParts): Promise<ModelMetadata | null> {
  const { archive } = parts;
  if (parts.metadata === null && archive === null) return null;
  const files = archive === null ? [] : await openArchive(archive);
  const metadata = readMetadata(parts, files);
  const isMediapipe = metadata.custom.some(({ name }) => MEDIAPIPE_METADATA.includes(name));
  const isUltralytics = files.some(({ name }) => ULTRALYTICS_FILES.includes(name));
  return {
    ...metadata,
    ...(isMediapipe && (await packagePart(import('./mediapipe.js'))).readMediapipe(metadata.custom)),
    ...(isUltralytics && (await packagePart(import('./ultralytics.js'))).readUltralytics(files)),
  };
}

/**
 * Lists the files of an archive.
 *
 * @throws ArchiveError, see readArchive(); PackageFileError.
 */
export async function openArchive(bytes: Uint8Array): Promise<ArchiveEntry[]> {
  const inflate = needsInflate(bytes) ? (await packagePart(import('./inflate.js'))).inflate : null;
  return readArchive(bytes, inflate);
}
