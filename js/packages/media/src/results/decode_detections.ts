/** From the outputs of a detector to detections. */

import { type ImagePlacement, PLACEMENT } from '../images/placement.js';
import { checkArguments, FLAG, FUNCTION, having, type Kind, listOf, optional, pick, REAL } from './arguments.js';
import { type Detection, inImage, type RawDetection } from './detection.js';
import { nonMaxSuppression, SUPPRESSION, type SuppressionOptions } from './non_max_suppression.js';
import { RESULT, type Result } from './result.js';
import { checkLabels, LABELS, labelOf } from './top_k.js';

/** How a kind of detectors writes its outputs: `anchorHead()`, `mediapipeHead()`, `postProcessHead()` or `yoloHead()`. */
export interface DetectorHead {
  /** Whether the model itself has left out what it found twice. */
  readonly isSuppressed: boolean;
  /**
   * Reads the outputs.
   *
   * @param results - All outputs of the model.
   * @param threshold - The least score.
   * @returns Detections relative to the tensor, and the number of classes, or null if the outputs do not have it.
   */
  read(
    results: readonly Result[],
    threshold: number,
  ): {
    /** Relative to the tensor, 0 to 1. */
    detections: RawDetection[];
    /** How many the model knows; null if the outputs do not have it. */
    classes: number | null;
  };
}

/** How detections are read. */
export interface DetectionOptions extends SuppressionOptions {
  /** How the detector writes its outputs. */
  readonly head: DetectorHead;
  /** Names by index of the class. */
  readonly labels?: readonly string[];
  /** The least score. Default: 0.5. */
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
    labels: LABELS,
    threshold: optional(REAL),
    placement: optional(having(PLACEMENT)),
  },
};

/**
 * Reads the outputs of a detector.
 *
 * @param results - All outputs of the model.
 * @param options - How they are written, and which detections are wanted.
 * @returns Detections, highest score first; each thing once.
 * @throws OutputError, also where an output has another shape than the head writes; OptionError.
 */
export function decodeDetections(results: readonly Result[], options: DetectionOptions): Detection[] {
  checkArguments('decodeDetections', { results, options }, KINDS);
  const { head, labels, threshold = DEFAULT_THRESHOLD, placement } = options;
  const { detections, classes } = head.read(results, threshold);
  if (classes !== null) checkLabels(labels, classes);
  const overlap = head.isSuppressed ? { overlap: Number.POSITIVE_INFINITY } : {};
  return nonMaxSuppression(detections, { ...pick(options, SUPPRESSION), ...overlap }).map((detection) => {
    const named = { ...detection, label: labelOf(detection.index, labels) };
    return placement ? inImage(named, placement) : named;
  });
}
