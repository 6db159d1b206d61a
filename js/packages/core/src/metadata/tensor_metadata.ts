/** What the metadata says of one tensor, checked against the tensor. */

import { MetadataError } from '../errors.js';
import type { AssociatedFile as FileTable, TensorMetadata as TensorTable } from '../generated/metadata_schema.js';
import type { Row } from './flatbuffer.js';
import { type NamedFiles, parseCalibration, parseLabels } from './label_files.js';
import type { AssociatedFile, Labels, Sigmoid, TensorMetadata } from './model_metadata.js';
import { checkNumbers, readProcessing } from './processing.js';
import { ULTRALYTICS_FILES } from './ultralytics.js';

const LABELS: Readonly<Record<string, Labels['of']>> = { TENSOR_AXIS_LABELS: 'axis', TENSOR_VALUE_LABELS: 'value' };

/**
 * Reads the metadata of one tensor.
 *
 * @param owner - `input 0`, for messages.
 * @param shape - The tensor's; -1 for a size that is not known.
 * @throws MetadataError where it contradicts the shape, or a file is missing.
 */
export function readTensor(
  row: Row<typeof TensorTable>,
  owner: string,
  shape: readonly number[],
  files: NamedFiles,
): TensorMetadata {
  const associatedFiles = row.associatedFiles.map(readAssociatedFile);
  const labels = associatedFiles.flatMap((file) => readLabels(file, owner, shape, files) ?? []);
  const sigmoids = readSigmoids(associatedFiles, owner, shape, files);
  const processing = readProcessing(row.processUnits, owner, sigmoids);
  checkChannels(processing.normalization?.mean ?? [], owner, shape);
  return {
    name: row.name,
    description: row.description,
    dimensionNames: row.dimensionNames,
    content: row.content?.contentProperties ?? null,
    valueRange: row.content?.range ?? null,
    stats: readStats(row.stats, owner),
    labels,
    associatedFiles,
    ...processing,
  };
}

function readLabels(
  { name: file, type, locale }: AssociatedFile,
  owner: string,
  shape: readonly number[],
  files: NamedFiles,
): Labels | null {
  const of = LABELS[type ?? ''];
  if (of === undefined || ULTRALYTICS_FILES.includes(file)) return null;
  const names = files.read(file, owner, parseLabels);
  if (of === 'axis') checkAxis(names.length, 'labels', file, owner, shape);
  return { locale: locale || null, of, file, names };
}

function readSigmoids(
  associated: readonly AssociatedFile[],
  owner: string,
  shape: readonly number[],
  files: NamedFiles,
): (Sigmoid | null)[] | null {
  const file = associated.find(({ type }) => type === 'TENSOR_AXIS_SCORE_CALIBRATION')?.name;
  if (file === undefined) return null;
  const sigmoids = files.read(file, owner, parseCalibration);
  checkAxis(sigmoids.length, 'lines', file, owner, shape);
  return sigmoids;
}

/** A row for each place on some axis; of axes with one place only the last can be the classes. */
function checkAxis(count: number, what: string, file: string, owner: string, shape: readonly number[]): void {
  const isOne = shape.length === 0 || shape.at(-1) === 1;
  if ((count === 1 ? isOne : shape.includes(count)) || shape.includes(-1)) return;
  throw new MetadataError(
    'METADATA_MISMATCH',
    `The file ${file} has ${count} ${what}, and no axis of ${owner}, whose shape is [${shape.join(', ')}], has so many places.`,
  );
}

/** One number for all channels, or one for each. */
function checkChannels(numbers: readonly number[], owner: string, shape: readonly number[]): void {
  if (numbers.length <= 1 || shape.includes(numbers.length) || shape.includes(-1)) return;
  throw new MetadataError(
    'METADATA_MISMATCH',
    `The metadata of ${owner} has ${numbers.length} means, and its shape is [${shape.join(', ')}]; expected one, or one ` +
      'for each channel.',
  );
}

function readStats(stats: Row<typeof TensorTable>['stats'], owner: string): TensorMetadata['stats'] {
  if (stats === null) return null;
  const { min, max } = stats;
  const wrong = [...min, ...max].find(Number.isNaN);
  if (wrong !== undefined) checkNumbers([wrong], 'least or greatest value', owner);
  return { min, max };
}

/** @throws MetadataError where the file has no name. */
export function readAssociatedFile({ name, ...others }: Row<typeof FileTable>): AssociatedFile {
  if (name !== null) return { name, ...others };
  throw new MetadataError(
    'MALFORMED_METADATA',
    'The metadata is damaged: a file that it describes has no name. Write it again.',
  );
}
