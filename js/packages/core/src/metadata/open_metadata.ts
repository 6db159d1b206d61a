/** Reads all metadata of a model file: TFLite's, MediaPipe's and Ultralytics'. */

import { type ArchiveEntry, needsInflate, readArchive } from './archive.js';
import { readMediapipe } from './mediapipe.js';
import type { MetadataParts } from './metadata_parts.js';
import type { ModelMetadata } from './model_metadata.js';
import { readMetadata } from './read_metadata.js';
import { readUltralytics } from './ultralytics.js';

/**
 * Reads the parts of a model file.
 *
 * @returns null where the file has no metadata.
 * @throws MetadataError, ArchiveError.
 */
export async function openMetadata(parts: MetadataParts): Promise<ModelMetadata | null> {
  const { archive } = parts;
  if (parts.metadata === null && archive === null) return null;
  const files = archive === null ? [] : await openArchive(archive);
  const metadata = readMetadata(parts, files);
  return { ...metadata, ...readMediapipe(metadata.custom), ...readUltralytics(files) };
}

/**
 * Lists the files of an archive.
 *
 * @throws ArchiveError, see readArchive().
 */
export async function openArchive(bytes: Uint8Array): Promise<ArchiveEntry[]> {
  // Its tables take milliseconds to make, and few pages unpack anything.
  const inflate = needsInflate(bytes) ? (await import('./inflate.js')).inflate : null;
  return readArchive(bytes, inflate);
}
