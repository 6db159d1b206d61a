/** The classes of a classifier, named, calibrated and limited as its metadata says. */

import {
  type Category,
  calibrateScores,
  classNames,
  type Result,
  TOP_K_SCHEMA,
  type TopKOptions,
  topK,
} from '@tflite-webnn/media/results';
import { COUNT, optional, pick, TEXT } from 'tflite-webnn/option_schema';
import { checkArguments, METADATA, type TaskMetadata, type TaskOptions } from './task.js';

/** @internal Which options bestCategories() has of a task's. */
export const CATEGORY_KINDS = { ...TOP_K_SCHEMA, locale: optional(TEXT) };

/**
 * The best classes, best first. Options override what the metadata says.
 *
 * @param result - The scores: floats, or quantized integers, of shape [1, classes] or with further dimensions of 1.
 * @param output - Position of the output, whose metadata has labels, calibration and threshold.
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @param options - Labels or their language, how many classes, and the minimum score. Default: the file's; all classes.
 * @throws OptionError; OutputError where there are more or fewer labels than classes.
 */
export function bestCategories(
  result: Result,
  output: number,
  metadata: TaskMetadata | null,
  options: TopKOptions & Pick<TaskOptions, 'locale'>,
): Category[] {
  const kinds = { output: COUNT, metadata: METADATA, options: CATEGORY_KINDS };
  checkArguments('bestCategories', { output, metadata, options }, kinds);
  const { scoreCalibration, scoreThreshold } = metadata?.outputs[output] ?? {};
  const labels = options.labels ?? labelsOf(metadata, output, options.locale);
  const threshold = options.threshold ?? scoreThreshold ?? undefined;
  return topK(scoreCalibration ? calibrateScores(result, scoreCalibration) : result, {
    ...pick(options, TOP_K_SCHEMA),
    ...(labels && { labels }),
    ...(threshold !== undefined && { threshold }),
  });
}

/**
 * Labels of an output in a language; without one, in that which comes first.
 *
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @param output - Position of the output.
 * @param locale - The language, as in BCP 47; undefined for that which comes first.
 * @returns Names by index of the class; undefined if there are none.
 * @throws OptionError
 */
export function labelsOf(
  metadata: TaskMetadata | null,
  output: number,
  locale: string | undefined,
): readonly string[] | undefined {
  const kinds = { metadata: METADATA, output: COUNT, locale: optional(TEXT) };
  checkArguments('labelsOf', { metadata, output, locale }, kinds);
  const { names, displayNames } = classNames(metadata?.outputs[output]?.labels, locale);
  return displayNames ?? names;
}
