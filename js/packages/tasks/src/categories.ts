/** The classes of a classifier, named, calibrated and limited as its metadata says. */

import {
  type Category,
  calibrateScores,
  type Result,
  TOP_K_KINDS,
  type TopKOptions,
  topK,
} from '@tflite-webnn/media/results';
import { COUNT, checkArguments, having, optional, pick, TEXT } from './arguments.js';
import type { TaskOptions } from './task.js';
import { labelsOf, METADATA, type TaskMetadata } from './task_model.js';

/**
 * The best classes, best first. Options override what the metadata says.
 *
 * @param result - The scores: floats, or quantized integers, of shape [1, classes] or with further dimensions of 1.
 * @param output - Position of the output, whose metadata has labels, calibration and threshold.
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @param options - Labels or their language, how many classes, and the least score. Default: the file's; all classes.
 * @throws OptionError; OutputError where there are more or fewer labels than classes.
 */
export function bestCategories(
  result: Result,
  output: number,
  metadata: TaskMetadata | null,
  options: TaskOptions & TopKOptions,
): Category[] {
  const kinds = { output: COUNT, metadata: METADATA, options: having({ locale: optional(TEXT) }) };
  checkArguments('bestCategories', { output, metadata, options }, kinds);
  const { scoreCalibration, scoreThreshold } = metadata?.outputs[output] ?? {};
  const labels = options.labels ?? labelsOf(metadata, output, options.locale);
  const threshold = options.threshold ?? scoreThreshold ?? undefined;
  return topK(scoreCalibration ? calibrateScores(result, scoreCalibration) : result, {
    ...pick(options, TOP_K_KINDS),
    ...(labels && { labels }),
    ...(threshold !== undefined && { threshold }),
  });
}
