/** The classes of a classifier, named, calibrated and limited as its metadata says. */

import { type Category, calibrateScores, type Result, type TopKOptions, topK } from 'tflite-webnn/results';
import type { OptionNames, TaskOptions } from './task.js';
import { labelsOf, type TaskMetadata } from './task_model.js';

/** @internal */
export const TOP_K_OPTIONS: OptionNames<Required<TopKOptions>> = {
  labels: true,
  k: true,
  threshold: true,
  allow: true,
  deny: true,
};

/** The best classes, best first. Options override what the metadata says. */
export function bestCategories(
  result: Result,
  output: number,
  metadata: TaskMetadata | null,
  options: TaskOptions & TopKOptions,
): Category[] {
  const { scoreCalibration, scoreThreshold } = metadata?.outputs[output] ?? {};
  const labels = options.labels ?? labelsOf(metadata, output, options.locale);
  const threshold = options.threshold ?? scoreThreshold ?? undefined;
  return topK(scoreCalibration ? calibrateScores(result, scoreCalibration) : result, {
    ...options,
    ...(labels && { labels }),
    ...(threshold !== undefined && { threshold }),
  });
}
