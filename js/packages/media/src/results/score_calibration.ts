/** Scores that are comparable between classes, see ScoreCalibration. */

import type { ScoreCalibration } from 'tflite-webnn';
import { checkArguments, having, type Kind, listOf, NUMBER, oneOf } from './arguments.js';
import { type Result, realValues } from './result.js';

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
