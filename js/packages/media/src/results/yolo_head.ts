/** YOLO detectors: one output with a column, or a row, for each candidate. */

import { COUNT, FLAG, optional, REAL } from './arguments.js';
import type { DetectorHead } from './decode_detections.js';
import { boxAround, type RawDetection } from './detection.js';
import { presetOr } from './presets.js';
import { type Result, realValues, sizesOf, wrongShape } from './result.js';

/** How the output is written. */
export interface YoloHeadOptions {
  /** Whether a candidate has the probability that it is a thing before those of the classes: v5 and v7. Default: false. */
  readonly objectness?: boolean;
  /** Number of classes. Default: all numbers after the box; models that also segment have more. */
  readonly classes?: number;
  /** Side of the model's square input, if boxes are in its pixels. Default: they are relative, as in TFLite exports. */
  readonly inputSize?: number;
}

const BOX_NUMBERS = 4;

/** A version of YOLO. */
export type YoloPreset = 'yolov5' | 'yolov7' | 'yolov8' | 'yolo11';
const VERSIONS: Readonly<Record<YoloPreset, YoloHeadOptions>> = {
  yolov5: { objectness: true },
  yolov7: { objectness: true },
  yolov8: {},
  yolo11: {},
};

const OPTIONS = { objectness: optional(FLAG), classes: optional(COUNT), inputSize: optional(REAL) };

/**
 * The head of YOLO v5 (with `objectness`), v8 and 11: an output of [1, numbers, candidates] or [1, candidates, numbers].
 *
 * @param options - Which version.
 */
export function yoloHead(options: YoloHeadOptions | YoloPreset = {}): DetectorHead {
  const chosen = presetOr<YoloHeadOptions, YoloPreset>('yoloHead', options, VERSIONS, OPTIONS);
  return { isSuppressed: false, read: ([result], threshold) => read(result, threshold, chosen) };
}

function read(result: Result | undefined, threshold: number, options: YoloHeadOptions) {
  const { objectness = false, inputSize = 1 } = options;
  const expected = '[1, numbers, candidates] or [1, candidates, numbers]';
  if (!result) throw wrongShape({ data: [], shape: [] }, expected);
  const sizes = sizesOf(result);
  const [rows = 0, columns = 0] = sizes;
  const first = BOX_NUMBERS + +objectness;
  // There are more candidates than numbers of one.
  const [numbers, candidates] = [Math.min(rows, columns), Math.max(rows, columns)];
  const classes = options.classes ?? numbers - first;
  if (sizes.length !== 2 || classes < 1 || first + classes > numbers) throw wrongShape(result, expected);
  const [step, stride] = rows === numbers ? [candidates, 1] : [1, numbers];
  const values = realValues(result);
  const detections: RawDetection[] = [];
  for (let candidate = 0; candidate < candidates; candidate++) {
    const at = (number: number) => values[candidate * stride + number * step] as number;
    const best = bestClass(at, first, classes);
    const score = best.score * (objectness ? at(BOX_NUMBERS) : 1);
    if (!(score >= threshold)) continue;
    const [x, y, width, height] = [at(0) / inputSize, at(1) / inputSize, at(2) / inputSize, at(3) / inputSize];
    detections.push({ box: boxAround(x, y, width, height), score, index: best.index, keyPoints: [] });
  }
  return { detections, classes };
}

function bestClass(at: (number: number) => number, first: number, classes: number) {
  let [index, score] = [0, at(first)];
  for (let other = 1; other < classes; other++) {
    if (at(first + other) > score) [index, score] = [other, at(first + other)];
  }
  return { index, score };
}
