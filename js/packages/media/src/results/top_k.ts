/** The best classes of a classifier. */

import { checkArguments, listOf, OutputError, optional, REAL, TEXT } from './arguments.js';
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

/** Which classes are returned. */
export interface TopKOptions {
  /** Names by index of the class. */
  readonly labels?: readonly string[];
  /** How many at most. Default: 5. */
  readonly k?: number;
  /** The least score. Default: none. */
  readonly threshold?: number;
  /** Only classes with these names. */
  readonly allow?: readonly string[];
  /** No classes with these names. */
  readonly deny?: readonly string[];
}

const DEFAULT_K = 5;
/** More than the best are sorted from time to time: one by one would take the square of the classes. */
const MIN_SORTED = 16;

/** @internal */
export const LABELS = optional(listOf(TEXT));
/** @internal */
export const TOP_K_KINDS = {
  labels: LABELS,
  k: optional(REAL),
  threshold: optional(REAL),
  allow: LABELS,
  deny: LABELS,
};

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
  const { labels, k = DEFAULT_K, threshold = Number.NEGATIVE_INFINITY, allow, deny } = options;
  const scores = scoresOf(realValues(result), labels);
  if (scores.length === 0) throw wrongShape(result, '[1, classes]');
  checkLabels(labels, scores.length);
  const allowed = allow && new Set(allow);
  const denied = new Set(deny);
  let found: Category[] = [];
  let last: Category | undefined; // of the best k so far
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number;
    // NaN is no score.
    if (!(score >= threshold) || (last && score <= last.score)) continue;
    const label = labelOf(index, labels);
    if (allowed?.has(label) === false || denied.has(label)) continue;
    found.push({ index, score, label });
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
