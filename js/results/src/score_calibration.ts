/** Scores that are comparable between classes, see ScoreCalibration. */

import type { ScoreCalibration } from 'tflite-webnn';
import { type Result, realValues } from './result.js';

/** Below, the logarithm goes on as a mirrored curve instead of to minus infinity. */
const LEAST = 1e-16;

const TRANSFORMATIONS: Readonly<Record<string, (score: number) => number>> = {
  IDENTITY: (score) => score,
  LOG: clampedLog,
  INVERSE_LOGISTIC: (score) => clampedLog(score) - clampedLog(1 - score),
};

/**
 * The calibrated scores of a classifier.
 *
 * @param result - Scores of shape [1, classes], or any shape with as many elements.
 * @param calibration - Of the output, from the model's metadata.
 */
export function calibrateScores({ name, shape, ...result }: Result, calibration: ScoreCalibration): Result {
  const scores = Float32Array.from(realValues({ shape, ...result }), (score, index) => {
    return calibrated(calibration, index, score);
  });
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
  const sigmoid = calibration.sigmoids[index] ?? null;
  if (sigmoid === null || (sigmoid.minScore !== null && score < sigmoid.minScore)) return calibration.defaultScore;
  const transformed = TRANSFORMATIONS[calibration.scoreTransformation ?? 'IDENTITY']?.(score) ?? score;
  return sigmoid.scale / (1 + Math.exp(-(transformed * sigmoid.slope + sigmoid.offset)));
}

function clampedLog(value: number): number {
  return value < LEAST ? 2 * Math.log(LEAST) - Math.log(2 * LEAST - value) : Math.log(value);
}
