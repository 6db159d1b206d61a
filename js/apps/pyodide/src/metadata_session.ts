/** A model file's metadata, for Python: no model is loaded. */

import type { ModelMetadata } from 'tflite-webnn/metadata';
import { readArchive } from 'tflite-webnn/metadata/archive';
import { inflate } from 'tflite-webnn/metadata/inflate';
import { findMetadata } from 'tflite-webnn/metadata/metadata_parts';
import { readMetadata } from 'tflite-webnn/metadata/read_metadata';

/** One file. */
export class MetadataSession {
  readonly #bytes: Uint8Array;

  constructor(modelSizeBytes: number) {
    this.#bytes = new Uint8Array(modelSizeBytes);
  }

  /** Space for the file. */
  modelBytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * JSON: the file's ModelMetadata, with `files` as names, and without custom data; null where it has none.
   *
   * @throws NotATFLiteModelError, MalformedModelError, MetadataError, ArchiveError
   */
  read(): string {
    const parts = findMetadata(this.#bytes);
    if (parts.metadata === null && parts.archive === null) return 'null';
    const files = parts.archive === null ? [] : readArchive(parts.archive, inflate);
    return JSON.stringify(jsonOf(readMetadata(parts, files)));
  }
}

function jsonOf({ files, custom: _, ...metadata }: ModelMetadata) {
  return { ...metadata, files: files.map(({ name }) => name) };
}
