/** The classes that a classifier returns. */

import type { ClassOptions, Result } from '@tflite-webnn/media/results';
import { type ClassNames, classNames } from '@tflite-webnn/media/results/unchecked';
import { bestCategories } from '@tflite-webnn/tasks';
import { OptionError } from 'tflite-webnn';
import type { ModelMetadata } from 'tflite-webnn/metadata';
import type { ClassifierOptions } from './options.js';
import type { Category, Classifications } from './results.js';

const DEFAULT_LOCALE = 'en';

/** The names of an output's classes, and those to show. */
export function namesOfOutput(
  metadata: ModelMetadata | null,
  output: number,
  { displayNamesLocale = DEFAULT_LOCALE }: ClassifierOptions,
): ClassNames {
  return classNames(metadata?.outputs[output]?.labels, displayNamesLocale);
}

/** A class with its names. */
export function categoryOf(index: number, score: number, { names, displayNames }: ClassNames): Category {
  return { score, index, categoryName: names?.[index] ?? '', displayName: displayNames?.[index] ?? '' };
}

/** @throws OptionError where the options contradict each other, or name classes of a model without names. */
export function checkClassifierOptions(options: ClassifierOptions, hasNames: boolean): void {
  const { maxResults, categoryAllowlist = [], categoryDenylist = [] } = options;
  if (maxResults === 0) throw new OptionError('maxResults is 0: it must be positive, or negative for all.');
  if (categoryAllowlist.length > 0 && categoryDenylist.length > 0) {
    throw new OptionError('Both categoryAllowlist and categoryDenylist are provided: pass one of them.');
  }
  if (categoryAllowlist.length + categoryDenylist.length > 0 && !hasNames) {
    throw new OptionError(
      "The model's file has no names of classes, which categoryAllowlist and categoryDenylist need.",
    );
  }
}

/** How many results are requested. */
export function maxResultsOf({ maxResults = -1 }: ClassifierOptions): number {
  return maxResults < 0 ? Number.POSITIVE_INFINITY : maxResults;
}

/** Which classes are requested by their names: an empty list is none. */
export function requestedClasses({ categoryAllowlist = [], categoryDenylist = [] }: ClassifierOptions): ClassOptions {
  return {
    ...(categoryAllowlist.length > 0 && { allow: categoryAllowlist }),
    ...(categoryDenylist.length > 0 && { deny: categoryDenylist }),
  };
}

/** The classes of one output, best first, calibrated and limited as metadata and options say. */
export function classificationsOf(
  result: Result,
  output: number,
  metadata: ModelMetadata | null,
  options: ClassifierOptions,
): Classifications {
  const named = namesOfOutput(metadata, output, options);
  const { scoreThreshold } = options;
  const best = bestCategories(result, output, metadata, {
    k: maxResultsOf(options),
    ...(scoreThreshold !== undefined && { threshold: scoreThreshold }),
    ...requestedClasses(options),
  });
  const categories = best.map(({ index, score }) => categoryOf(index, score, named));
  return { categories, headIndex: output, headName: metadata?.outputs[output]?.name ?? '' };
}
