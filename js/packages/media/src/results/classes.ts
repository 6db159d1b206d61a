/** The classes of a classifier: their names, their calibrated scores, and the best of them. */

import { checkArguments, OutputError, type ScoreCalibration } from 'tflite-webnn';
import { having, type Kind, listOf, NUMBER, oneOf, optional, REAL, TEXT } from 'tflite-webnn/argument_kinds';
import { type Result, realValues, wrongShape } from './result.js';

/** A class and its score. */
export interface Category {
  /** Index of the class. */
  readonly index: number;
  /** Its score, dequantized; a probability if the model answers probabilities. */
  readonly score: number;
  /** Its name, or `class 17` without labels. */
  readonly label: string;
}

/** Which classes count. */
export interface ClassOptions {
  /** Names by index of the class. */
  readonly labels?: readonly string[];
  /** Only classes with these names. Default: all. */
  readonly allow?: readonly string[];
  /** No classes with these names. Default: none of them. */
  readonly deny?: readonly string[];
}

/** Which classes are returned. */
export interface TopKOptions extends ClassOptions {
  /** How many at most. Default: 5. */
  readonly k?: number;
  /** The least score. Default: none. */
  readonly threshold?: number;
}

/** @internal Names of an output's classes. */
export interface ClassNames {
  /** In the language that comes first in the file. */
  readonly names: readonly string[] | undefined;
  /** In the language that was requested, if the file has it. */
  readonly displayNames: readonly string[] | undefined;
}

const DEFAULT_K = 5;
/** More than the best are sorted from time to time: one by one would take the square of the classes. */
const MIN_SORTED = 16;

const LABELS = optional(listOf(TEXT));
/** @internal */
export const CLASS_KINDS = { labels: LABELS, allow: LABELS, deny: LABELS };
/** @internal */
export const TOP_K_KINDS = { ...CLASS_KINDS, k: optional(REAL), threshold: optional(REAL) };

/**
 * The classes with the highest scores, best first; equal ones by index.
 *
 * @param result - Scores of shape [1, classes], or any shape with as many elements. A single one from 0 to 1 with two
 *   labels is the probability of the second class.
 * @param options - Labels and limits.
 * @throws OutputError, also where there are more or fewer labels than classes; OptionError.
 */
export function topK(result: Result, options: TopKOptions = {}): Category[] {
  checkArguments('topK', { options }, { options: TOP_K_KINDS });
  const { labels, k = DEFAULT_K, threshold = Number.NEGATIVE_INFINITY } = options;
  const scores = scoresOf(realValues(result), labels);
  if (scores.length === 0) throw wrongShape(result, '[1, classes]');
  checkLabels(labels, scores.length);
  const counts = classFilter(options);
  let found: Category[] = [];
  let last: Category | undefined; // of the best k so far
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number;
    // NaN is no score.
    if (!(score >= threshold) || (last && score <= last.score)) continue;
    if (!counts(index)) continue;
    found.push({ index, score, label: labelOf(index, labels) });
    if (found.length < 2 * k + MIN_SORTED) continue;
    found = bestOf(found, k);
    last = found.at(-1);
  }
  return bestOf(found, k);
}

/** One probability for two classes, as sigmoid outputs have it, is that of the second. */
function scoresOf(scores: ArrayLike<number>, labels: readonly string[] | undefined): ArrayLike<number> {
  const [score = Number.NaN] = scores.length === 1 && labels?.length === 2 ? Array.from(scores) : [];
  return score >= 0 && score <= 1 ? [1 - score, score] : scores;
}

/** @internal Name of a class. */
export function labelOf(index: number, labels: readonly string[] | undefined): string {
  return labels?.[index] ?? `class ${index}`;
}

/** @internal Which classes count by their names. */
export function classFilter({ labels, allow, deny }: ClassOptions): (index: number) => boolean {
  const allowed = allow && new Set(allow);
  const denied = new Set(deny);
  return (index) => {
    const label = labelOf(index, labels);
    return allowed?.has(label) !== false && !denied.has(label);
  };
}

/**
 * @internal The names of an output's classes.
 *
 * @param lists - Those of its metadata, one for each language.
 * @param locale - The language of `displayNames`; '' for a list without one.
 */
export function classNames(
  lists: readonly { readonly locale: string | null; readonly names: readonly string[] }[] = [],
  locale?: string,
): ClassNames {
  const shown = lists.find((list) => (list.locale ?? '') === locale);
  return { names: lists[0]?.names, displayNames: shown?.names };
}

/** @internal */
export function checkLabels(labels: readonly string[] | undefined, classes: number): void {
  if (!labels || labels.length === classes) return;
  throw new OutputError(
    'LABEL_COUNT',
    `There are ${labels.length} labels for ${classes} classes. Take the labels of this very model; some begin with a background class.`,
  );
}

function bestOf(found: Category[], k: number): Category[] {
  return found.sort((a, b) => b.score - a.score).slice(0, Math.max(0, k));
}

/** Below, the logarithm goes on as a mirrored curve instead of to minus infinity. */
const LEAST = 1e-16;

const TRANSFORMATIONS: Readonly<Record<string, (score: number) => number>> = {
  IDENTITY: (score) => score,
  LOG: clampedLog,
  INVERSE_LOGISTIC: (score) => clampedLog(score) - clampedLog(1 - score),
};

const orNull = ([text, isKind]: Kind): Kind => [`null or ${text}`, (value) => value === null || isKind(value)];
const SIGMOID = orNull(having({ scale: NUMBER, slope: NUMBER, offset: NUMBER, minScore: orNull(NUMBER) }));
const CALIBRATION = {
  scoreTransformation: orNull(oneOf(Object.keys(TRANSFORMATIONS))),
  defaultScore: NUMBER,
  sigmoids: listOf(SIGMOID),
};

/**
 * The calibrated scores of a classifier.
 *
 * @param result - Scores of shape [1, classes], or any shape with as many elements.
 * @param calibration - Of the output, from the model's metadata.
 */
export function calibrateScores(result: Result, calibration: ScoreCalibration): Result {
  const values = realValues(result);
  const { name, shape } = result;
  // Once: it looks at each sigmoid.
  checkArguments('calibrateScores', { calibration }, { calibration: CALIBRATION });
  const scores = Float32Array.from(values, (score, index) => scoreOf(calibration, index, score));
  return { ...(name !== undefined && { name }), shape, data: scores };
}

/**
 * The calibrated score of a class.
 *
 * @param calibration - Of the output, from the model's metadata.
 * @param index - Of the class.
 * @param score - As the model gave it.
 */
export function calibrated(calibration: ScoreCalibration, index: number, score: number): number {
  const kinds = { calibration: CALIBRATION, index: NUMBER, score: NUMBER };
  checkArguments('calibrated', { calibration, index, score }, kinds);
  return scoreOf(calibration, index, score);
}

function scoreOf(calibration: ScoreCalibration, index: number, score: number): number {
  const sigmoid = calibration.sigmoids[index] ?? null;
  if (sigmoid === null || (sigmoid.minScore !== null && score < sigmoid.minScore)) return calibration.defaultScore;
  const transformed = TRANSFORMATIONS[calibration.scoreTransformation ?? 'IDENTITY']?.(score) ?? score;
  return sigmoid.scale / (1 + Math.exp(-(transformed * sigmoid.slope + sigmoid.offset)));
}

function clampedLog(value: number): number {
  return value < LEAST ? 2 * Math.log(LEAST) - Math.log(2 * LEAST - value) : Math.log(value);
}
