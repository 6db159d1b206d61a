/** Reads all metadata of a model file: TFLite's, MediaPipe's and Ultralytics'. */

import { MetadataError } from '../errors.js';
import { ImageSegmenterOptions, ObjectDetectorOptions } from '../generated/mediapipe_schema.js';
import { type ArchiveEntry, needsInflate, readArchive } from './archive.js';
import { type Row, readFlatbuffer, type Table } from './flatbuffer.js';
import { readUltralytics } from './label_files.js';
import type { MetadataParts } from './metadata_parts.js';
import type { CustomMetadata, ModelMetadata } from './model_metadata.js';
import { readMetadata } from './read_metadata.js';

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

/** Reads what is there. */
export function readMediapipe(custom: readonly CustomMetadata[]): Pick<ModelMetadata, 'detector' | 'segmenter'> {
  const options = find(custom, 'DETECTOR_METADATA', ObjectDetectorOptions);
  const detector = options && {
    anchors: options.ssdAnchorsOptions?.fixedAnchorsSchema?.anchors ?? [],
    decoding: options.tensorsDecodingOptions,
  };
  return { detector, segmenter: find(custom, 'SEGMENTER_METADATA', ImageSegmenterOptions) };
}

function find<T extends Table>(custom: readonly CustomMetadata[], requested: string, table: T): Row<T> | null {
  const entry = custom.find(({ name }) => name === requested);
  return entry === undefined
    ? null
    : readFlatbuffer(
        entry.data,
        table,
        (problem) => new MetadataError('MALFORMED_METADATA', `${requested} is damaged: ${problem}.`),
      );
}
