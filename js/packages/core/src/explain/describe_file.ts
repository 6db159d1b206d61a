/** A file's description as data for tools: a model's metadata, or the content of a bundle. */

import { BYTES } from '../argument_kinds.js';
import { ArchiveError } from '../errors.js';
import { isArchive } from '../load/file_kind.js';
import { openTaskBundle, readModelMetadata } from '../load/read_files.js';
import type { ArchiveEntry } from '../metadata/archive.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { checkArguments } from '../support/option_check.js';

/** MediaPipe's bundles are two deep, and store their files. */
const [MAX_DEPTH, MAX_UNPACKED_BYTES] = [8, 2 ** 28];
/** Of a small bundle, and how often its size of others: a kilobyte may unpack to a megabyte, again and again. */
const [SMALL_UNPACKED_BYTES, MAX_RATIO] = [2 ** 24, 30];

/**
 * A packed file.
 *
 * @group explain.mjs
 */
export type PackedFile = Pick<ArchiveEntry, 'name' | 'sizeBytes' | 'isCompressed'>;

/**
 * A model's metadata as plain data: of files and custom data, the sizes.
 *
 * @group explain.mjs
 */
export interface MetadataDescription extends Omit<ModelMetadata, 'files' | 'custom'> {
  /** Files that are packed into the model file. */
  readonly files: readonly PackedFile[];
  /** Custom metadata. */
  readonly custom: readonly CustomData[];
}

/**
 * Custom metadata.
 *
 * @group explain.mjs
 */
export interface CustomData {
  /** Says what the data is. */
  readonly name: string | null;
  /** Of the data. */
  readonly sizeBytes: number;
}

/**
 * A model, or a bundle.
 *
 * @group explain.mjs
 */
export interface FileDescription {
  /** Its name in a bundle; empty for the file itself. */
  readonly name: string;
  /** Of the file. */
  readonly sizeBytes: number;
  /** Of a model with metadata. */
  readonly metadata: MetadataDescription | null;
  /** What is in a bundle; null for a model. */
  readonly parts: readonly FileDescription[] | null;
}

/**
 * Describes a model, or a `.task` bundle with all models in it.
 *
 * @group explain.mjs
 * @param bytes - The file.
 * @throws OptionError; what readModelMetadata() and openTaskBundle() throw.
 */
export async function describeFile(bytes: Uint8Array): Promise<FileDescription> {
  checkArguments('describeFile', { bytes }, { bytes: BYTES });
  return isArchive(bytes) ? describeBundle('', bytes, nestingOf(bytes)) : describeModel('', bytes);
}

interface Nesting {
  readonly depth: number;
  readonly maxBytes: number;
  unpackedBytes: number;
}

function nestingOf({ length }: Uint8Array): Nesting {
  const maxBytes = Math.min(MAX_UNPACKED_BYTES, SMALL_UNPACKED_BYTES + MAX_RATIO * length);
  return { depth: 0, maxBytes, unpackedBytes: 0 };
}

async function describeBundle(name: string, bytes: Uint8Array, nesting: Nesting): Promise<FileDescription> {
  const bundle = await openTaskBundle(bytes);
  const parts: FileDescription[] = [];
  for (const file of bundle.files) {
    const { sizeBytes } = file;
    if (file.isCompressed && /\.(task|tflite)$/.test(file.name)) nesting.unpackedBytes += sizeBytes;
    checkNesting(nesting);
    if (file.name.endsWith('.task')) {
      const inner = { ...nesting, depth: nesting.depth + 1 };
      parts.push(await describeBundle(file.name, file.bytes(), inner));
      nesting.unpackedBytes = inner.unpackedBytes;
    } else if (file.name.endsWith('.tflite')) parts.push(await describeModel(file.name, file.bytes()));
    else parts.push({ name: file.name, sizeBytes, metadata: null, parts: null });
  }
  return { name, sizeBytes: bytes.length, metadata: null, parts };
}

function checkNesting({ depth, maxBytes, unpackedBytes }: Nesting): void {
  if (depth <= MAX_DEPTH && unpackedBytes <= maxBytes) return;
  throw new ArchiveError(
    'TASK_BUNDLE',
    `The bundle has bundles more than ${MAX_DEPTH} deep in each other, or unpacks to more than ${maxBytes} bytes.`,
  );
}

async function describeModel(name: string, bytes: Uint8Array): Promise<FileDescription> {
  const metadata = await readModelMetadata(bytes);
  return { name, sizeBytes: bytes.length, metadata: metadata && plain(metadata), parts: null };
}

function plain({ files, custom, ...others }: ModelMetadata): MetadataDescription {
  return {
    ...others,
    files: files.map(({ name, sizeBytes, isCompressed }) => ({ name, sizeBytes, isCompressed })),
    custom: custom.map(({ name, data }) => ({ name, sizeBytes: data.length })),
  };
}
