/** What a file is and has besides its weights, and a text about it. */

import { ArchiveError, printable } from '../errors.js';
import { openTaskBundle, readModelMetadata } from '../load/metadata_on_demand.js';
import type { ArchiveEntry } from '../metadata/archive.js';
import type { Labels, ModelMetadata, TensorMetadata } from '../metadata/model_metadata.js';
import { BYTES } from '../option_schema.js';
import { isArchive } from '../support/download.js';
import { checkArguments } from '../support/validate_options.js';

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
  return { name, sizeBytes: bytes.length, metadata: metadata && withoutContents(metadata), parts: null };
}

function withoutContents({ files, custom, ...others }: ModelMetadata): MetadataDescription {
  return {
    ...others,
    files: files.map(({ name, sizeBytes, isCompressed }) => ({ name, sizeBytes, isCompressed })),
    custom: custom.map(({ name, data }) => ({ name, sizeBytes: data.length })),
  };
}

const SHOWN_LABELS = 5;

/**
 * Formats a description for a console. Empty for a model without metadata.
 *
 * @group explain.mjs
 * @param file - From describeFile().
 */
export function renderMetadata(file: FileDescription): string {
  return lines(file)
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function lines({ name, sizeBytes, metadata, parts }: FileDescription, indent = ''): string[] {
  const title = name === '' ? [] : [`${indent}${name}, ${bytes(sizeBytes)}`];
  const inner = name === '' ? indent : `${indent}  `;
  const own = metadata === null ? [] : metadataLines(metadata).map((line) => `${inner}${line}`);
  return [...title, ...own, ...(parts ?? []).flatMap((part) => lines(part, inner))];
}

function metadataLines(metadata: MetadataDescription): string[] {
  const { version, author, license, ultralytics, detector, segmenter, custom, files } = metadata;
  return [
    ...row('name', [metadata.name, version].filter((text) => text !== null).join(', ')),
    ...row('description', metadata.description),
    ...row('author', author),
    ...row('license', license),
    ...metadata.inputs.flatMap((tensor, index) => tensorLines(`input ${index}`, tensor)),
    ...metadata.outputs.flatMap((tensor, index) => tensorLines(`output ${index}`, tensor)),
    ...row('detector', detector && `${detector.anchors.length} anchors (MediaPipe)`),
    ...row('segmenter', segmenter && `activation ${segmenter.activation} (MediaPipe)`),
    ...row('Ultralytics', ultralytics && `${ultralytics.task ?? 'no task'}, ${namesText(ultralytics.names)}`),
    ...custom.flatMap(({ name, sizeBytes }) => row('custom', `${name ?? 'no name'}, ${bytes(sizeBytes)}`)),
    ...files.flatMap(({ name, sizeBytes }) => row('file', `${name}, ${bytes(sizeBytes)}`)),
  ];
}

function tensorLines(title: string, tensor: TensorMetadata): string[] {
  const { normalization, labels, scoreThreshold, scoreCalibration, tokenizer, content, description } = tensor;
  return [
    ...row(title, [tensor.name, content && contentText(content)].filter(Boolean).join(', ')),
    ...row('', description),
    ...row(
      '',
      normalization && `normalized by (value - ${channels(normalization.mean)}) / ${channels(normalization.std)}`,
    ),
    ...labels.flatMap((one) => row('', labelsText(one))),
    ...row('', scoreThreshold === null ? null : `scores from ${scoreThreshold} on`),
    ...row('', scoreCalibration && `scores calibrated, ${scoreCalibration.scoreTransformation}`),
    ...row(
      '',
      tokenizer && `tokenizer ${tokenizer.kind}: ${[...tokenizer.models, ...tokenizer.vocabularies].join(', ')}`,
    ),
  ];
}

function contentText(content: NonNullable<TensorMetadata['content']>): string {
  if (content.kind === 'ImageProperties') {
    const { colorSpace, defaultSize } = content;
    return `${colorSpace} image${defaultSize === null ? '' : ` of ${defaultSize.width} x ${defaultSize.height}`}`;
  }
  if (content.kind === 'BoundingBoxProperties') return `boxes, ${content.type}, ${content.coordinateType}`;
  return content.kind === 'AudioProperties'
    ? `sound, ${content.sampleRate} Hz, ${content.channels} channels`
    : 'features';
}

function labelsText({ file, locale, of, names }: Labels): string {
  return `labels of ${of === 'axis' ? 'an axis' : 'values'}, ${file}${locale === null ? '' : ` (${locale})`}: ${namesText(names)}`;
}

function namesText(names: readonly string[]): string {
  return `${names.length} names, ${names.slice(0, SHOWN_LABELS).join(', ')}${names.length > SHOWN_LABELS ? ', ...' : ''}`;
}

function channels(values: readonly number[]): string {
  return values.length === 1 ? String(values[0]) : `[${values.join(', ')}]`;
}

function bytes(sizeBytes: number): string {
  return `${sizeBytes.toLocaleString('en')} bytes`;
}

function row(title: string, text: string | null): string[] {
  return text === null || text === '' ? [] : [`${title.padEnd(13)}${text}`];
}
