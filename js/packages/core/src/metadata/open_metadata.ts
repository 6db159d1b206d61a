/** Reads all metadata of a model file: TFLite's, MediaPipe's and Ultralytics'. */

import { MetadataError, missingScript } from '../errors.js';
import { ImageSegmenterOptions, ObjectDetectorOptions } from '../generated/mediapipe_schema.js';
import { type ArchiveEntry, type Inflate, needsInflate, readArchive } from './archive.js';
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
 * @throws ArchiveError, see readArchive(); WasmLoadError where the script that unpacks compressed files is missing.
 */
export async function openArchive(bytes: Uint8Array): Promise<ArchiveEntry[]> {
  return readArchive(bytes, needsInflate(bytes) ? await loadInflate() : null);
}

/** Its tables take milliseconds to make, and few pages unpack anything. */
async function loadInflate(): Promise<Inflate> {
  const { inflate } = await import('./inflate.js').catch((cause: unknown) => {
    throw missingScript(cause, ' Service workers cannot unpack files: store them (zip -0).');
  });
  return inflate;
}

/** Reads what is there. */
function readMediapipe(custom: readonly CustomMetadata[]): Pick<ModelMetadata, 'detector' | 'segmenter'> {
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
