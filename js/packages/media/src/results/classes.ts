/** The classes of a classifier: their names, their calibrated scores, and the best of them. */

import type { ScoreCalibration } from 'tflite-webnn';
import { having, type Kind, listOf, NUMBER, oneOf, optional, REAL, TEXT } from 'tflite-webnn/option_schema';
import { checkArguments, OutputError, type Result, realValues, wrongShape } from './result.js';
import { bestClasses, type Category, calibratedScore, type TopKOptions, TRANSFORMATIONS } from './unchecked.js';

const LABELS = optional(listOf(TEXT));
/** @internal */
export const CLASS_KINDS = { labels: LABELS, allow: LABELS, deny: LABELS };
/** @internal */
export const TOP_K_SCHEMA = { ...CLASS_KINDS, k: optional(REAL), threshold: optional(REAL) };

/**
 * The classes with the highest scores, best first; equal ones by index.
 *
 * @param result - Scores of shape [1, classes], or any shape with as many elements. A single one from 0 to 1 with two
 *   labels is the probability of the second class.
 * @param options - Labels and limits.
 * @throws OutputError, also where there are more or fewer labels than classes; OptionError.
 */
export function topK(result: Result, options: TopKOptions = {}): Category[] {
  checkArguments('topK', { options }, { options: TOP_K_SCHEMA });
  const { labels } = options;
  const scores = scoresOf(realValues(result), labels);
  if (scores.length === 0) throw wrongShape(result, '[1, classes]');
  checkLabels(labels, scores.length);
  return bestClasses(scores, options);
}

/** One probability for two classes, as sigmoid outputs have it, is that of the second. */
function scoresOf(scores: ArrayLike<number>, labels: readonly string[] | undefined): ArrayLike<number> {
  const [score = Number.NaN] = scores.length === 1 && labels?.length === 2 ? Array.from(scores) : [];
  return score >= 0 && score <= 1 ? [1 - score, score] : scores;
}

/** @internal */
export function checkLabels(labels: readonly string[] | undefined, classes: number): void {
  if (!labels || labels.length === classes) return;
  throw new OutputError(
    'LABEL_COUNT',
    `The number of labels for ${classes} classes is ${labels.length}. Use the labels of this very model; some begin with a background class.`,
  );
}

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
  checkArguments('calibrateScores', { calibration }, { calibration: CALIBRATION });
  const scores = Float32Array.from(values, (score, index) => calibratedScore(calibration, index, score));
  return { ...(name !== undefined && { name }), shape, data: scores };
}

/**
 * The calibrated score of a class.
 *
 * @param calibration - Of the output, from the model's metadata.
 * @param index - Of the class.
 * @param score - As the model returned it.
 */
export function calibrated(calibration: ScoreCalibration, index: number, score: number): number {
  const kinds = { calibration: CALIBRATION, index: NUMBER, score: NUMBER };
  checkArguments('calibrated', { calibration, index, score }, kinds);
  return calibratedScore(calibration, index, score);
}
