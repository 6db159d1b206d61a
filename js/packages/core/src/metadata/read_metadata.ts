/** From the parts of a model file to what they say, each tensor checked against the model's. */

import { MetadataError } from '../errors.js';
import {
  type AssociatedFile as FileTable,
  type ProcessUnit,
  ModelMetadata as Root,
  SubGraphMetadata,
  type TensorMetadata as TensorTable,
} from '../generated/metadata_schema.js';
import type { ArchiveEntry } from './archive.js';
import { identifierOf, type Row, readFlatbuffer } from './flatbuffer.js';
import { mismatch, NamedFiles, parseCalibration, parseLabels, ULTRALYTICS_FILES } from './label_files.js';
import type { MetadataParts } from './metadata_parts.js';
import type {
  AssociatedFile,
  Labels,
  ModelMetadata,
  Normalization,
  Processing,
  ScoreCalibration,
  Sigmoid,
  TensorMetadata,
  TokenizerMetadata,
} from './model_metadata.js';

const IDENTIFIER = 'M001';

/** A flatbuffer of a table without content. */
const NOTHING = Uint8Array.of(12, 0, 0, 0, 77, 48, 48, 49, 4, 0, 4, 0, 4, 0, 0, 0);

type SubGraphRow = Row<typeof SubGraphMetadata>;

/**
 * Reads a model's TFLite Metadata; MediaPipe's and Ultralytics' own are left null.
 *
 * @param files - Of the appended archive.
 * @throws MetadataError, ArchiveError
 */
export function readMetadata(
  { metadata, inputs, outputs }: Omit<MetadataParts, 'archive'>,
  files: readonly ArchiveEntry[],
): ModelMetadata {
  const { subgraphMetadata, associatedFiles, ...model } = readRoot(metadata ?? NOTHING);
  const subgraph = subgraphMetadata[0] ?? readFlatbuffer(NOTHING, SubGraphMetadata, malformed);
  const named = new NamedFiles(files);
  return {
    ...model,
    inputs: readTensors('input', subgraph.inputTensorMetadata, inputs, named),
    outputs: readTensors('output', subgraph.outputTensorMetadata, outputs, named),
    inputProcessing: readProcessing(subgraph.inputProcessUnits, 'all inputs', null),
    outputProcessing: readProcessing(subgraph.outputProcessUnits, 'all outputs', null),
    inputGroups: subgraph.inputTensorGroups,
    outputGroups: subgraph.outputTensorGroups,
    associatedFiles: [...associatedFiles, ...subgraph.associatedFiles].map(readAssociatedFile),
    custom: subgraph.customMetadata,
    detector: null,
    segmenter: null,
    ultralytics: null,
    files,
  };
}

function readRoot(metadata: Uint8Array): Row<typeof Root> {
  if (identifierOf(metadata) !== IDENTIFIER) throw malformed(`it does not have "${IDENTIFIER}" at byte 4`);
  return readFlatbuffer(metadata, Root, malformed);
}

function readTensors(
  kind: 'input' | 'output',
  rows: SubGraphRow['inputTensorMetadata'],
  shapes: MetadataParts['inputs'],
  files: NamedFiles,
): TensorMetadata[] {
  if (rows.length !== 0 && rows.length !== shapes.length) {
    throw mismatch(`The metadata describes ${rows.length} ${kind}s, and the model has ${shapes.length}.`);
  }
  return rows.map((row, index) => readTensor(row, `${kind} ${index}`, shapes[index] ?? [], files));
}

function malformed(problem: string): MetadataError {
  return new MetadataError(
    'MALFORMED_METADATA',
    `The model's TFLite Metadata is damaged: ${problem}. Write it again, or do without it.`,
  );
}

const LABELS: Readonly<Record<string, Labels['of']>> = { TENSOR_AXIS_LABELS: 'axis', TENSOR_VALUE_LABELS: 'value' };

/**
 * Reads the metadata of one tensor.
 *
 * @param owner - `input 0`, for messages.
 * @param shape - The tensor's; -1 for a size that is not known.
 * @throws MetadataError where it contradicts the shape, or a file is missing.
 */
function readTensor(
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

/** A row for each position on some axis; of axes of size 1 only the last can be the classes. */
function checkAxis(count: number, what: string, file: string, owner: string, shape: readonly number[]): void {
  const isOne = shape.length === 0 || shape.at(-1) === 1;
  if ((count === 1 ? isOne : shape.includes(count)) || shape.includes(-1)) return;
  throw mismatch(
    `The file ${file} has ${count} ${what}; no axis of ${owner}, shape [${shape.join(', ')}], has that size.`,
  );
}

/** One number for all channels, or one for each. */
function checkChannels(numbers: readonly number[], owner: string, shape: readonly number[]): void {
  if (numbers.length <= 1 || shape.includes(numbers.length) || shape.includes(-1)) return;
  throw mismatch(
    `The metadata of ${owner} has ${numbers.length} means, and its shape is [${shape.join(', ')}]; expected one, or one ` +
      'for each channel.',
  );
}

function readStats(stats: Row<typeof TensorTable>['stats'], owner: string): TensorMetadata['stats'] {
  if (stats === null) return null;
  const { min, max } = stats;
  const wrong = [...min, ...max].find(Number.isNaN);
  if (wrong !== undefined) checkNumbers([wrong], 'minimum or maximum value', owner);
  return { min, max };
}

/** @throws MetadataError where the file has no name. */
function readAssociatedFile({ name, ...others }: Row<typeof FileTable>): AssociatedFile {
  if (name !== null) return { name, ...others };
  throw new MetadataError(
    'MALFORMED_METADATA',
    'The metadata is damaged: a file that it describes has no name. Write it again.',
  );
}

type Options = NonNullable<Row<typeof ProcessUnit>['options']>;
type OptionsOf<Kind> = Extract<Options, { kind: Kind }>;
type Vocabulary = OptionsOf<'BertTokenizerOptions'>['vocabFile'];

const TOKENIZERS: Readonly<Partial<Record<Options['kind'], TokenizerMetadata['kind']>>> = {
  BertTokenizerOptions: 'bert',
  SentencePieceTokenizerOptions: 'sentencePiece',
  RegexTokenizerOptions: 'regex',
};

/**
 * Reads the units of a tensor.
 *
 * @param owner - The tensor, for messages.
 * @param sigmoids - Of its file of score calibration; null without one.
 * @throws MetadataError where numbers cannot be computed with.
 */
function readProcessing(
  units: readonly Row<typeof ProcessUnit>[],
  owner: string,
  sigmoids: readonly (Sigmoid | null)[] | null,
): Processing {
  const options = units.flatMap((unit) => unit.options ?? []);
  const find = <Kind extends Options['kind']>(kind: Kind) => {
    return options.find((unit): unit is OptionsOf<Kind> => unit.kind === kind);
  };
  const threshold = find('ScoreThresholdingOptions')?.globalScoreThreshold ?? null;
  if (threshold !== null) checkNumbers([threshold], 'score threshold', owner);
  return {
    normalization: readNormalization(find('NormalizationOptions'), owner),
    scoreCalibration: readCalibration(find('ScoreCalibrationOptions'), owner, sigmoids),
    scoreThreshold: threshold,
    tokenizer: readTokenizer(options),
  };
}

/** @throws MetadataError where a number is infinite or none. */
function checkNumbers(numbers: readonly number[], what: string, owner: string): void {
  const wrong = numbers.find((number) => !Number.isFinite(number));
  if (wrong !== undefined) throw mismatch(`The metadata of ${owner} has the ${what} ${wrong}.`);
}

function readNormalization(
  options: OptionsOf<'NormalizationOptions'> | undefined,
  owner: string,
): Normalization | null {
  if (options === undefined) return null;
  const { mean, std } = options;
  checkNumbers(mean, 'mean', owner);
  checkNumbers(std, 'deviation', owner);
  if (mean.length === 0 || mean.length !== std.length || std.includes(0)) {
    const message = `The metadata of ${owner} has the means [${mean}] and the deviations [${std}]; expected as many, none 0.`;
    throw mismatch(message);
  }
  return { mean, std };
}

function readCalibration(
  options: OptionsOf<'ScoreCalibrationOptions'> | undefined,
  owner: string,
  sigmoids: readonly (Sigmoid | null)[] | null,
): ScoreCalibration | null {
  if (options === undefined) return null;
  const { defaultScore, scoreTransformation } = options;
  checkNumbers([defaultScore], 'default score', owner);
  if (sigmoids !== null) return { scoreTransformation, defaultScore, sigmoids };
  throw mismatch(`The metadata of ${owner} has a score calibration, and no file with its parameters.`);
}

function readTokenizer(options: readonly Options[]): TokenizerMetadata | null {
  for (const unit of options) {
    const kind = TOKENIZERS[unit.kind];
    if (kind === undefined || !('vocabFile' in unit)) continue;
    const models = 'sentencePieceModel' in unit ? namesOf(unit.sentencePieceModel) : [];
    const delimiter = 'delimRegexPattern' in unit ? unit.delimRegexPattern : null;
    return { kind, vocabularies: namesOf(unit.vocabFile), models, delimiter };
  }
  return null;
}

function namesOf(files: Vocabulary): string[] {
  return files.flatMap(({ name }) => name ?? []);
}
