/**
 * What outputs mean, computed from plain numbers: all tasks use it, and the drop-in for tfjs-tflite contains it.
 * Nothing is checked here, and no table of kinds is here, which scripts would contain.
 */

import type { ScoreCalibration } from 'tflite-webnn';
import type { Region } from '../images/placement.js';

/** A rectangle with upright sides. */
export interface Box {
  /** Distance of its left side from the left edge. */
  readonly left: number;
  /** Distance of its upper side from the upper edge. */
  readonly top: number;
  /** Its width. */
  readonly width: number;
  /** Its height. */
  readonly height: number;
}

/** A class and its score. */
export interface Category {
  /** Index of the class. */
  readonly index: number;
  /** Its score, dequantized; a probability if the model outputs probabilities. */
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
  /** Minimum score. Default: none. */
  readonly threshold?: number;
}

/** Names of an output's classes. */
export interface ClassNames {
  /** In the language that comes first in the file. */
  readonly names: readonly string[] | undefined;
  /** In the language that was requested, if the file has it. */
  readonly displayNames: readonly string[] | undefined;
}

/** The four outputs. */
export type PostProcessOutput = 'boxes' | 'classes' | 'scores' | 'count';

const DEFAULT_K = 5;
/** More than the best are sorted from time to time: one by one would take the square of the classes. */
const MIN_SORTED = 16;

/** @internal */
export const OPERATOR_ORDER: readonly PostProcessOutput[] = ['boxes', 'classes', 'scores', 'count'];
// Names of the four outputs in TFLite Metadata, as its writer for object detectors writes them.
const OUTPUTS: Readonly<Record<string, PostProcessOutput>> = {
  location: 'boxes',
  category: 'classes',
  score: 'scores',
  'number of detections': 'count',
};
/** @internal Numbers of a box. */
export const SIDES = 4;
/** Below, the logarithm goes on as a mirrored curve instead of to minus infinity. */
const MIN_ARGUMENT = 1e-16;

/** @internal */
export const TRANSFORMATIONS: Readonly<Record<string, (score: number) => number>> = {
  IDENTITY: (score) => score,
  LOG: clampedLog,
  INVERSE_LOGISTIC: (score) => clampedLog(score) - clampedLog(1 - score),
};

/** @internal Log-odds as a probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * @internal Scores as probabilities; softmax is of each row. Without a function for each row: there are thousands, and the first time
 * all is interpreted.
 */
export function probabilitiesOf(
  values: ArrayLike<number>,
  columns: number,
  activation: 'sigmoid' | 'softmax' | 'none',
): ArrayLike<number> {
  if (activation === 'none') return values;
  const found = Float64Array.from(values);
  if (activation === 'sigmoid') return found.map(sigmoid);
  for (let start = 0; start < found.length; start += columns) {
    const row = found.subarray(start, start + columns);
    let [max, sum] = [Number.NEGATIVE_INFINITY, 0];
    for (let column = 0; column < columns; column++) max = Math.max(max, row[column] as number);
    for (let column = 0; column < columns; column++) {
      row[column] = Math.exp((row[column] as number) - max);
      sum += row[column] as number;
    }
    for (let column = 0; column < columns; column++) row[column] = (row[column] as number) / sum;
  }
  return found;
}

/** @internal What topK() returns of scores, which are one for each class. */
export function bestClasses(scores: ArrayLike<number>, options: TopKOptions): Category[] {
  const { labels, k = DEFAULT_K, threshold = Number.NEGATIVE_INFINITY } = options;
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

function bestOf(found: Category[], k: number): Category[] {
  return found.sort((a, b) => b.score - a.score).slice(0, Math.max(0, k));
}

/** @internal The score of a class that a calibration computes from the model's. */
export function calibratedScore(calibration: ScoreCalibration, index: number, score: number): number {
  const sigmoid = calibration.sigmoids[index] ?? null;
  if (sigmoid === null || (sigmoid.minScore !== null && score < sigmoid.minScore)) return calibration.defaultScore;
  const transformed = TRANSFORMATIONS[calibration.scoreTransformation ?? 'IDENTITY']?.(score) ?? score;
  return sigmoid.scale / (1 + Math.exp(-(transformed * sigmoid.slope + sigmoid.offset)));
}

function clampedLog(value: number): number {
  return value < MIN_ARGUMENT ? 2 * Math.log(MIN_ARGUMENT) - Math.log(2 * MIN_ARGUMENT - value) : Math.log(value);
}

/** @internal The order of the four outputs by their names in metadata; undefined where they are others. */
export function postProcessOrder(names: readonly (string | null | undefined)[]): PostProcessOutput[] | undefined {
  const order = names.map((name) => OUTPUTS[name ?? '']);
  const isComplete = order.length === OPERATOR_ORDER.length && OPERATOR_ORDER.every((output) => order.includes(output));
  return isComplete ? (order as PostProcessOutput[]) : undefined;
}

/** @internal The rows of the four outputs, as many as the model has found. */
export function readRows(valuesOf: (output: PostProcessOutput) => ArrayLike<number>, corners: readonly number[]) {
  const [sides, classes, scores] = [valuesOf('boxes'), valuesOf('classes'), valuesOf('scores')];
  const count = Math.min(Math.trunc(valuesOf('count')[0] as number), scores.length);
  return Array.from({ length: Math.max(0, count) }, (_, row) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.map((corner) => sides[row * SIDES + corner]);
    const box = { left, top, width: right - left, height: bottom - top };
    return { box, score: scores[row] as number, index: Math.round(classes[row] as number), keyPoints: [] };
  });
}

/**
 * @internal The best class of each pixel; of equal ones, and of those up to `min`, the first.
 *
 * @param pixelStep - Distance of two pixels.
 * @param channelStep - Distance of two classes.
 */
export function classesOf(
  values: ArrayLike<number>,
  channels: number,
  pixelStep: number,
  channelStep: number,
  min = Number.NEGATIVE_INFINITY,
): Uint8Array {
  const classes = new Uint8Array(values.length / channels);
  for (let pixel = 0; pixel < classes.length; pixel++) {
    const start = pixel * pixelStep;
    let highest = Math.max(min, values[start] as number);
    for (let channel = 1; channel < channels; channel++) {
      const value = values[start + channel * channelStep] as number;
      if (!(value > highest)) continue;
      classes[pixel] = channel;
      highest = value;
    }
  }
  return classes;
}

/** @internal A vector divided by its length; one of zeros is unchanged. */
export function unitVector(vector: ArrayLike<number>): number[] {
  const values = Array.from(vector);
  const length = Math.sqrt(dot(values, values));
  return length > 0 ? values.map((value) => value / length) : values;
}

/** @internal */
export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

/** @internal How a region grows before a model sees it. */
export interface RegionGrowth {
  /** Factor of both sides. */
  readonly scale: number;
  /** Shift along the region's own vertical axis, in its heights before it grows. Default: 0. */
  readonly shiftY?: number;
  /** Whether both sides become as long as the longer one. Default: true. */
  readonly isSquare?: boolean;
}

/** @internal The region of a box, turned about its center. */
export function boxRegion({ left, top, width, height }: Box, rotation: number): Region {
  return { center: { x: left + width / 2, y: top + height / 2 }, width, height, rotation };
}

/** @internal A region that is larger, shifted, and square unless it must not be. */
export function grownRegion(
  { center, width, height, rotation }: Region,
  { scale, shiftY = 0, isSquare = true }: RegionGrowth,
): Region {
  const shift = height * shiftY;
  const longer = Math.max(width, height);
  return {
    center: { x: center.x - shift * Math.sin(rotation), y: center.y + shift * Math.cos(rotation) },
    width: (isSquare ? longer : width) * scale,
    height: (isSquare ? longer : height) * scale,
    rotation,
  };
}
