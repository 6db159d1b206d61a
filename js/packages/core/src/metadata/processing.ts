/** Process units: what is done with values before or after the model. */

import { MetadataError } from '../errors.js';
import type { ProcessUnit } from '../generated/metadata_schema.js';
import type { Row } from './flatbuffer.js';
import type { Normalization, Processing, ScoreCalibration, Sigmoid, TokenizerMetadata } from './model_metadata.js';

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
export function readProcessing(
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
export function checkNumbers(numbers: readonly number[], what: string, owner: string): void {
  const wrong = numbers.find((number) => !Number.isFinite(number));
  if (wrong !== undefined)
    throw new MetadataError('METADATA_MISMATCH', `The metadata of ${owner} has the ${what} ${wrong}.`);
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
    throw new MetadataError('METADATA_MISMATCH', message);
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
  throw new MetadataError(
    'METADATA_MISMATCH',
    `The metadata of ${owner} has a score calibration, and no file with its parameters.`,
  );
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
