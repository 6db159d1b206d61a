/** The classes that a classifier returns. */

import type { Result } from '@tflite-webnn/media/results';
import { bestCategories, labelsOf } from '@tflite-webnn/tasks';
import { OptionError } from 'tflite-webnn';
import type { ModelMetadata } from 'tflite-webnn/metadata';
import type { ClassifierOptions } from './options.js';
import type { Category, Classifications } from './results.js';

const DEFAULT_LOCALE = 'en';

/** Names of the classes of an output. */
export interface ClassNames {
  /** In the language that comes first in the file. */
  readonly names: readonly string[] | undefined;
  /** In the language that the options ask for. */
  readonly displayNames: readonly string[] | undefined;
}

/** Reads the names of an output's classes. */
export function classNames(
  metadata: ModelMetadata | null,
  output: number,
  { displayNamesLocale = DEFAULT_LOCALE }: ClassifierOptions,
): ClassNames {
  const lists = metadata?.outputs[output]?.labels ?? [];
  return {
    names: labelsOf(metadata, output, undefined),
    displayNames: lists.find(({ locale }) => (locale ?? '') === displayNamesLocale)?.names,
  };
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
    throw new OptionError('Both categoryAllowlist and categoryDenylist are given: give one of them.');
  }
  if (categoryAllowlist.length + categoryDenylist.length > 0 && !hasNames) {
    throw new OptionError(
      "The model's file has no names of classes, which categoryAllowlist and categoryDenylist need.",
    );
  }
}

/** How many results are wanted. */
export function mostOf({ maxResults = -1 }: ClassifierOptions): number {
  return maxResults < 0 ? Number.POSITIVE_INFINITY : maxResults;
}

/** Whether a class is wanted by its name. */
export function isWanted(name: string, { categoryAllowlist = [], categoryDenylist = [] }: ClassifierOptions): boolean {
  return (categoryAllowlist.length === 0 || categoryAllowlist.includes(name)) && !categoryDenylist.includes(name);
}

/** The classes of one output, best first, calibrated and limited as metadata and options say. */
export function classificationsOf(
  result: Result,
  output: number,
  metadata: ModelMetadata | null,
  options: ClassifierOptions,
): Classifications {
  const named = classNames(metadata, output, options);
  const { scoreThreshold, categoryAllowlist = [], categoryDenylist } = options;
  const best = bestCategories(result, output, metadata, {
    k: mostOf(options),
    ...(scoreThreshold !== undefined && { threshold: scoreThreshold }),
    ...(categoryAllowlist.length > 0 && { allow: categoryAllowlist }),
    ...(categoryDenylist && { deny: categoryDenylist }),
  });
  const categories = best.map(({ index, score }) => categoryOf(index, score, named));
  return { categories, headIndex: output, headName: metadata?.outputs[output]?.name ?? '' };
}
