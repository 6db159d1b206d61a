/** Things that detectors find: how outputs are read as boxes, and each thing is left once. */

import {
  FLAG,
  FUNCTION,
  having,
  type Kind,
  listOf,
  type Members,
  NUMBER,
  oneOf,
  optional,
  pick,
  REAL,
} from 'tflite-webnn/option_schema';
import { type ImagePlacement, PLACEMENT, POINT, type Point, type Size, toImage } from '../images/placement.js';
import { CLASS_KINDS, checkLabels } from './classes.js';
import { checkArguments, RESULT, type Result } from './result.js';
import { type Box, type ClassOptions, classFilter, labelOf } from './unchecked.js';

/** A thing in an image: in pixels of the image, or relative to the tensor (0 to 1) where no placement was provided. */
export interface Detection {
  /** Where it is. */
  readonly box: Box;
  /** Probability from 0 to 1. */
  readonly score: number;
  /** Index of its class. */
  readonly index: number;
  /** Name of its class, or `class 17` without labels. */
  readonly label: string;
  /** Points of the thing, e.g. eyes, for detectors that return them. */
  readonly keyPoints: readonly Point[];
}

/** A detection before it has a name. */
export type RawDetection = Omit<Detection, 'label'>;

/** @internal */
export const BOX = { left: NUMBER, top: NUMBER, width: NUMBER, height: NUMBER };

/** A box by its center. */
export function boxAround(centerX: number, centerY: number, width: number, height: number): Box {
  return { left: centerX - width / 2, top: centerY - height / 2, width, height };
}

/**
 * Intersection over union: 0 for boxes that do not touch, 1 for equal ones.
 *
 * @param one - A box, in any unit.
 * @param other - Another one, in the same unit.
 * @throws OptionError
 */
export function overlapOf(one: Box, other: Box): number {
  checkArguments('overlapOf', { one, other }, { one: BOX, other: BOX });
  return intersectionOverUnion(one, other);
}

/** The same of boxes that are known to be boxes: suppression compares all with all. */
export function intersectionOverUnion(one: Box, other: Box): number {
  const width = shared(one.left, one.width, other.left, other.width);
  const height = shared(one.top, one.height, other.top, other.height);
  const both = width * height;
  const union = one.width * one.height + other.width * other.height - both;
  return union > 0 ? both / union : 0;
}

/** A detection in pixels of the image; the box of a rotated tensor becomes the upright one around it. */
export function inImage<D extends RawDetection>(detection: D, placement: ImagePlacement): D {
  const { left, top, width, height } = detection.box;
  const corners = [
    [left, top],
    [left + width, top],
    [left, top + height],
    [left + width, top + height],
  ].map(([x = 0, y = 0]) => toImage(placement, { x, y }));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [newLeft, newTop] = [Math.min(...xs), Math.min(...ys)];
  return {
    ...detection,
    box: { left: newLeft, top: newTop, width: Math.max(...xs) - newLeft, height: Math.max(...ys) - newTop },
    keyPoints: detection.keyPoints.map((point) => toImage(placement, point)),
  };
}

function shared(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart));
}

/** What counts as the same thing. */
export interface SuppressionOptions {
  /** Detections whose intersection over union is larger are the same thing. Default: 0.5. */
  readonly overlap?: number;
  /** How many detections are kept at most. Default: 1000. */
  readonly maxResults?: number;
  /** Whether things of different classes can be the same. Default: false. */
  readonly acrossClasses?: boolean;
  /**
   * `drop` keeps the best detection of a thing; `merge` keeps the mean of all, weighted by their scores, as MediaPipe
   * does: it trembles less from frame to frame. Default: `drop`.
   */
  readonly duplicates?: 'drop' | 'merge';
}

const DEFAULT_OVERLAP = 0.5;
/** Each detection is compared with all that are kept: without a limit, time grows with the square of the detections. */
const DEFAULT_MAX_RESULTS = 1000;

const DETECTIONS = listOf(having({ box: BOX, score: NUMBER, index: NUMBER, keyPoints: listOf(having(POINT)) }));
/** @internal */
export const SUPPRESSION = {
  overlap: optional(REAL),
  maxResults: optional(REAL),
  acrossClasses: optional(FLAG),
  duplicates: optional(oneOf(['drop', 'merge'])),
};

/**
 * Non-maximum suppression.
 *
 * @param detections - In any order.
 * @param options - What counts as the same thing.
 * @returns Highest score first.
 * @throws OptionError
 */
export function nonMaxSuppression<D extends RawDetection>(
  detections: readonly D[],
  options: SuppressionOptions = {},
): D[] {
  const kinds = { detections: DETECTIONS, options: SUPPRESSION };
  checkArguments('nonMaxSuppression', { detections, options }, kinds);
  const { overlap = DEFAULT_OVERLAP, maxResults = DEFAULT_MAX_RESULTS, acrossClasses = false, duplicates } = options;
  const groups: D[][] = [];
  // Only boxes that were kept suppress others, without `acrossClasses` only those of their class, and none by 1 or
  // more.
  const groupsOf = new Map<number, D[][]>();
  for (const detection of [...detections].sort((one, other) => other.score - one.score)) {
    const isFull = groups.length >= maxResults;
    if (isFull && duplicates !== 'merge') break;
    const key = acrossClasses ? 0 : detection.index;
    const rivals = (overlap < 1 && groupsOf.get(key)) || [];
    const same = rivals.find(([best]) => best && intersectionOverUnion(best.box, detection.box) > overlap);
    if (same) {
      if (duplicates === 'merge') same.push(detection);
    } else if (!isFull) {
      const group = [detection];
      groups.push(group);
      rivals.push(group);
      groupsOf.set(key, rivals);
    }
  }
  return groups.map((group) => (duplicates === 'merge' ? meanOf(group) : group[0]) as D);
}

/** The mean position of detections, weighted by score, with all else of the best. */
function meanOf<D extends RawDetection>(same: readonly D[]): D {
  const best = same[0] as D;
  const total = same.reduce((sum, { score }) => sum + score, 0);
  if (total === 0) return best;
  const mean = (value: (detection: D) => number | undefined) =>
    same.reduce((sum, detection) => sum + detection.score * (value(detection) ?? 0), 0) / total;
  const side = (key: keyof Box) => mean(({ box }) => box[key]);
  return {
    ...best,
    box: { left: side('left'), top: side('top'), width: side('width'), height: side('height') },
    keyPoints: best.keyPoints.map((_, index) => ({
      x: mean(({ keyPoints }) => keyPoints[index]?.x),
      y: mean(({ keyPoints }) => keyPoints[index]?.y),
    })),
  };
}

/**
 * The options of a head: provided, or those of a preset.
 *
 * @throws OptionError, which lists the presets for a name that is none.
 */
export function presetOr<Options extends object, Name extends string>(
  call: string,
  options: Options | Name,
  presets: Readonly<Record<Name, Options>>,
  kinds: Members,
): Options {
  const isName = typeof options === 'string';
  checkArguments(call, { options }, { options: isName ? oneOf(Object.keys(presets)) : kinds });
  return isName ? presets[options] : options;
}

/**
 * How a kind of detectors writes its outputs: `anchorHead()`, `mediapipeHead()`, `postProcessHead()` or `yoloHead()`.
 */
export interface DetectorHead {
  /** Whether the model itself has left out what it found twice. */
  readonly isSuppressed: boolean;
  /**
   * Reads the outputs.
   *
   * @param results - All outputs of the model.
   * @param threshold - Minimum score.
   * @param inputSize - Of the model's input in pixels, where it is known.
   * @returns Detections relative to the tensor, and the number of classes, or null if the outputs do not have it.
   */
  read(
    results: readonly Result[],
    threshold: number,
    inputSize?: Size,
  ): {
    /** Relative to the tensor, 0 to 1. */
    detections: RawDetection[];
    /** How many the model knows; null if the outputs do not have it. */
    classes: number | null;
  };
}

/** How detections are read. */
export interface DetectionOptions extends SuppressionOptions, ClassOptions {
  /** How the detector writes its outputs. */
  readonly head: DetectorHead;
  /** Minimum score. Default: 0.5. */
  readonly threshold?: number;
  /** Of the tensor that the model got, from `imageToTensor()`: detections are then in pixels of the image. */
  readonly placement?: ImagePlacement;
}

const DEFAULT_THRESHOLD = 0.5;

const READER = having({ read: FUNCTION, isSuppressed: optional(FLAG) });
/** @internal */
export const HEAD: Kind = ['what anchorHead(), mediapipeHead(), postProcessHead() or yoloHead() returns', READER[1]];
const KINDS = {
  results: listOf(having(RESULT)),
  options: {
    head: HEAD,
    ...SUPPRESSION,
    ...CLASS_KINDS,
    threshold: optional(REAL),
    placement: optional(having(PLACEMENT)),
  },
};

/**
 * Reads the outputs of a detector.
 *
 * @param results - All outputs of the model.
 * @param options - How they are written, and which detections are requested.
 * @returns Detections, highest score first; each thing once.
 * @throws OutputError, also where an output has another shape than the head writes; OptionError.
 */
export function decodeDetections(results: readonly Result[], options: DetectionOptions): Detection[] {
  checkArguments('decodeDetections', { results, options }, KINDS);
  const { head, labels, threshold = DEFAULT_THRESHOLD, placement } = options;
  const { detections, classes } = head.read(results, threshold, placement?.tensor);
  if (classes !== null) checkLabels(labels, classes);
  const overlap = head.isSuppressed ? { overlap: Number.POSITIVE_INFINITY } : {};
  const counts = classFilter(options);
  // What does not count suppresses nothing.
  const counted = detections.filter(({ index }) => counts(index));
  return nonMaxSuppression(counted, { ...pick(options, SUPPRESSION), ...overlap }).map((detection) => {
    const named = { ...detection, label: labelOf(detection.index, labels) };
    return placement ? inImage(named, placement) : named;
  });
}
