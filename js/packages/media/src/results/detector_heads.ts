/** Detectors without anchors: those that end with TFLite_Detection_PostProcess, and YOLO. */

import type { ScoreCalibration, UltralyticsMetadata } from 'tflite-webnn';
import { COUNT, FLAG, type Kind, listOf, optional, REAL, TEXT } from 'tflite-webnn/option_schema';
import type { Size } from '../images/placement.js';
import { boxAround, type DetectorHead, presetOr, type RawDetection } from './detections.js';
import { checkArguments, OptionError, type Result, realValues, sizesOf, wrongShape } from './result.js';
import { calibratedScore, OPERATOR_ORDER, type PostProcessOutput, readRows, SIDES } from './unchecked.js';

const OPERATOR_CORNERS = [1, 0, 3, 2];
const CORNERS: Kind = [
  'four integers from 0 to 3',
  (value) => Array.isArray(value) && OPERATOR_CORNERS.every((_, side) => OPERATOR_CORNERS.includes(value[side])),
];

/**
 * The head of a detector with TFLite_Detection_PostProcess.
 *
 * @param order - Order of the outputs. Default: the operator's, which converters of TensorFlow 2 change.
 * @param corners - Positions of left, top, right and bottom in a box. Default: the operator's, [1, 0, 3, 2].
 * @throws OptionError
 */
export function postProcessHead(
  order: readonly PostProcessOutput[] = OPERATOR_ORDER,
  corners: readonly number[] = OPERATOR_CORNERS,
): DetectorHead {
  checkArguments('postProcessHead', { order, corners }, { order: listOf(TEXT), corners: CORNERS });
  const missing = OPERATOR_ORDER.filter((name) => !order.includes(name));
  if (missing.length > 0) throw new OptionError(`The order of the outputs lacks ${missing.join(', ')}.`);
  return { isSuppressed: true, read: (results, threshold) => readPostProcess(results, threshold, order, corners) };
}

/** @internal The same head with the scores that a calibration computes from its own. */
export function calibratedHead(head: DetectorHead, calibration: ScoreCalibration): DetectorHead {
  return {
    ...head,
    read(results, threshold, inputSize) {
      const { detections, classes } = head.read(results, Number.NEGATIVE_INFINITY, inputSize);
      const scored = detections.map((row) => ({ ...row, score: calibratedScore(calibration, row.index, row.score) }));
      return { detections: scored.filter(({ score }) => score >= threshold), classes };
    },
  };
}

function readPostProcess(
  results: readonly Result[],
  threshold: number,
  order: readonly PostProcessOutput[],
  corners: readonly number[],
) {
  const output = (name: PostProcessOutput) => {
    const result = results[order.indexOf(name)];
    if (result) return result;
    throw wrongShape({ name, data: [], shape: [] }, `the output ${order.indexOf(name) + 1} of ${order.length}`);
  };
  const boxes = output('boxes');
  if (sizesOf(boxes).at(-1) !== SIDES) throw wrongShape(boxes, '[1, boxes, 4]: pass the order of the outputs');
  const values = (name: PostProcessOutput) => realValues(output(name));
  return { detections: readRows(values, corners).filter(({ score }) => score >= threshold), classes: null };
}

/** How the output is written. */
export interface YoloHeadOptions {
  /**
   * Whether a candidate has the probability that it is a thing before those of the classes: v5 and v7. Default: false.
   */
  readonly objectness?: boolean;
  /** Number of classes. Default: all numbers after the box; models that also segment have more. */
  readonly classes?: number;
  /**
   * Side of the model's square input, if boxes are in its pixels. Default: those that end beyond 2 are in pixels, where
   * the placement of `imageToTensor()` has the size of the input; others are relative, as in TFLite exports.
   */
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

const YOLO_OPTIONS = { objectness: optional(FLAG), classes: optional(COUNT), inputSize: optional(REAL) };

/**
 * The head of YOLO v5 (with `objectness`), v8 and 11: an output of [1, numbers, candidates] or [1, candidates,
 * numbers].
 *
 * @param options - Which version.
 */
export function yoloHead(options: YoloHeadOptions | YoloPreset = {}): DetectorHead {
  const chosen = presetOr<YoloHeadOptions, YoloPreset>('yoloHead', options, VERSIONS, YOLO_OPTIONS);
  return inPixelsOrRelative({
    isSuppressed: false,
    read: ([result], threshold) => readYolo(result, threshold, chosen),
  });
}

function readYolo(result: Result | undefined, threshold: number, options: YoloHeadOptions) {
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

const ROW_NUMBERS = BOX_NUMBERS + 2;
/** No confident box ends further outside the image; one in pixels ends beyond this many of them. */
const MAX_RELATIVE_END = 2;

/**
 * @internal The head of Ultralytics' exports. YOLO v5 has a number more than a box and its classes: whether there is
 * anything. v10 and 26 end with rows without duplicates. Which exports have boxes in pixels, metadata do not say.
 */
export function ultralyticsHead(
  { names, imageSize, values }: Pick<UltralyticsMetadata, 'names'> & Partial<UltralyticsMetadata>,
  shape: readonly number[],
): DetectorHead {
  const objectness = Math.min(...shape.slice(1)) === BOX_NUMBERS + 1 + names.length;
  const head = values?.end2end === true ? END_TO_END : yoloHead({ classes: names.length, objectness });
  if (!imageSize) return head;
  const [height = 1, width = height] = imageSize;
  return { ...head, read: (results, threshold) => head.read(results, threshold, { width, height }) };
}

/** The head of exports whose boxes are relative or in pixels of the input, which the file does not say. */
function inPixelsOrRelative(head: DetectorHead): DetectorHead {
  return {
    ...head,
    read(results, threshold, inputSize) {
      const { detections, classes } = head.read(results, threshold);
      const ends = detections.map(({ box }) => Math.max(box.left + box.width, box.top + box.height));
      const isRelative = ends.every((end) => end <= MAX_RELATIVE_END);
      if (isRelative || !inputSize) return { detections, classes };
      return { detections: detections.map((row) => scaled(row, inputSize)), classes };
    },
  };
}

function scaled({ box, ...others }: RawDetection, { width, height }: Size): RawDetection {
  const { left, top } = box;
  return {
    ...others,
    box: { left: left / width, top: top / height, width: box.width / width, height: box.height / height },
  };
}

/** Rows of left, top, right, bottom, score and class. */
const END_TO_END = inPixelsOrRelative({
  isSuppressed: true,
  read([result], threshold) {
    const expected = '[1, rows, 6]';
    if (!result) throw wrongShape({ data: [], shape: [] }, expected);
    const [rows = 0, numbers] = sizesOf(result);
    if (numbers !== ROW_NUMBERS) throw wrongShape(result, expected);
    const values = realValues(result);
    const detections = Array.from({ length: rows }, (_, row) => {
      const at = (number: number) => values[row * ROW_NUMBERS + number] as number;
      const box = { left: at(0), top: at(1), width: at(2) - at(0), height: at(3) - at(1) };
      return { box, score: at(4), index: Math.round(at(5)), keyPoints: [] };
    });
    return { detections: detections.filter(({ score }) => score >= threshold), classes: null };
  },
});
