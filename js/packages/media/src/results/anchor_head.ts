/** Detectors whose boxes are relative to anchors: SSD, and MediaPipe's detectors of faces, palms and bodies. */

import { FLAG, having, integer, listOf, NUMBER, oneOf, optional, POSITIVE, REAL } from 'tflite-webnn/option_schema';
import { boxAround, type DetectorHead, presetOr, type RawDetection } from './detections.js';
import { checkArguments, type Result, realValues, sizesOf, wrongShape } from './result.js';
import { probabilitiesOf } from './unchecked.js';

/** An anchor box, relative to the tensor: 0 to 1. */
export interface Anchor {
  /** Center of the box. */
  readonly xCenter: number;
  /** Center of the box. */
  readonly yCenter: number;
  /** Width of the box. */
  readonly width: number;
  /** Height of the box. */
  readonly height: number;
}

/**
 * Settings of the anchors, by the names of MediaPipe's SsdAnchorsCalculator; TensorFlow's SSDs come from the same
 * rule.
 */
export interface AnchorOptions {
  /** Width and height of the model's input in pixels. */
  readonly inputSize: number;
  /** Pixels of the input for each cell of a layer, finest first; layers of one stride share a grid. */
  readonly strides: readonly number[];
  /** Size of the smallest anchors. Default: 0.2. */
  readonly minScale?: number;
  /** Size of the largest anchors. Default: 0.95. */
  readonly maxScale?: number;
  /** Width by height, of each anchor of a cell. Default: 1, 2, 1/2, 3, 1/3, as TensorFlow's. */
  readonly aspectRatios?: readonly number[];
  /** Aspect ratio of an anchor between the sizes of two layers; 0 for none. Default: 1. */
  readonly interpolatedScaleAspectRatio?: number;
  /** Whether the first layer has only three anchors. Default: true, as TensorFlow's. */
  readonly reduceBoxesInLowestLayer?: boolean;
  /** Whether all anchors are as large as the tensor, as in MediaPipe's detectors. Default: false. */
  readonly fixedAnchorSize?: boolean;
}

interface Shape {
  readonly width: number;
  readonly height: number;
}

const RATIOS = [1, 2, 1 / 2, 3, 1 / 3];
const [MIN_SCALE, MAX_SCALE] = [0.2, 0.95];
const LOWEST_LAYER_SCALE = 0.1;

/** Of a million cells and more, a detector has no use. */
const SIDE = integer(1, 2 ** 13);
const ANCHOR_OPTIONS = {
  inputSize: SIDE,
  strides: listOf(integer(2, 2 ** 13)),
  minScale: optional(POSITIVE),
  maxScale: optional(POSITIVE),
  aspectRatios: optional(listOf(POSITIVE)),
  interpolatedScaleAspectRatio: optional(REAL),
  reduceBoxesInLowestLayer: optional(FLAG),
  fixedAnchorSize: optional(FLAG),
};

/**
 * The anchors of a detector, in the order of its boxes.
 *
 * @param options - Side of the square input in pixels, strides of the layers, and the anchors of a cell.
 * @returns Anchors in shares of the input's sides: layer by layer, row by row.
 * @throws OptionError where sizes or strides are not positive.
 */
export function ssdAnchors(options: AnchorOptions): Anchor[] {
  checkArguments('ssdAnchors', { options }, { options: ANCHOR_OPTIONS });
  const { strides } = options;
  const anchors: Anchor[] = [];
  for (let layer = 0; layer < strides.length; ) {
    const stride = strides[layer] as number;
    const shapes: Shape[] = [];
    for (; strides[layer] === stride; layer++) shapes.push(...shapesOf(layer, options));
    const cells = Math.ceil(options.inputSize / stride);
    for (let cell = 0; cell < cells * cells; cell++) {
      const [xCenter, yCenter] = [((cell % cells) + 0.5) / cells, (Math.floor(cell / cells) + 0.5) / cells];
      for (const shape of shapes) anchors.push({ xCenter, yCenter, ...shape });
    }
  }
  return anchors;
}

function shapesOf(layer: number, options: AnchorOptions): Shape[] {
  const { aspectRatios = RATIOS, interpolatedScaleAspectRatio = 1, reduceBoxesInLowestLayer = true } = options;
  const scale = scaleOf(layer, options);
  const pairs: [ratio: number, scale: number][] = aspectRatios.map((ratio) => [ratio, scale]);
  if (layer === 0 && reduceBoxesInLowestLayer) {
    pairs.splice(0, pairs.length, [1, LOWEST_LAYER_SCALE], [2, scale], [1 / 2, scale]);
  } else if (interpolatedScaleAspectRatio > 0) {
    const next = layer === options.strides.length - 1 ? 1 : scaleOf(layer + 1, options);
    pairs.push([interpolatedScaleAspectRatio, Math.sqrt(scale * next)]);
  }
  if (options.fixedAnchorSize) return pairs.map(() => ({ width: 1, height: 1 }));
  return pairs.map(([ratio, size]) => ({ width: size * Math.sqrt(ratio), height: size / Math.sqrt(ratio) }));
}

function scaleOf(layer: number, { strides, minScale = MIN_SCALE, maxScale = MAX_SCALE }: AnchorOptions): number {
  if (strides.length === 1) return (minScale + maxScale) / 2;
  return minScale + ((maxScale - minScale) * layer) / (strides.length - 1);
}

/** How boxes and scores are written. */
export interface AnchorHeadOptions {
  /** Of each box, in the model's order; `ssdAnchors()` generates them. */
  readonly anchors: readonly Anchor[];
  /** What a box's y, x, height and width are divided by. Default: 10, 10, 5, 5, as TensorFlow's SSDs. */
  readonly scales?: readonly [y: number, x: number, height: number, width: number];
  /** Whether x comes before y. Default: false. */
  readonly xFirst?: boolean;
  /** Whether height and width are exponents. Default: true. */
  readonly exponentialSize?: boolean;
  /** Points of a box, x and y of each after the box. Default: 0. */
  readonly keyPoints?: number;
  /** Turns scores into probabilities. Default: `sigmoid`. */
  readonly activation?: 'sigmoid' | 'softmax' | 'none';
  /** Whether the first score is that of the background; it is no class. Default: false. */
  readonly background?: boolean;
}

/** Settings of MediaPipe's detectors. */
export interface MediapipeHeadOptions extends Pick<AnchorOptions, 'interpolatedScaleAspectRatio'> {
  /** Side of the model's square input in pixels. */
  readonly inputSize: number;
  /** Strides of the anchors' layers, e.g. [8, 16, 16, 16]. */
  readonly strides: readonly number[];
  /** Points of a detection, e.g. 6 of a face. */
  readonly keyPoints: number;
}

interface Decoding extends Required<AnchorHeadOptions> {
  /** Numbers of a box. */
  readonly stride: number;
}

const BOX_NUMBERS = 4;
const SSD_SCALES = [10, 10, 5, 5] as const;
const KEY_POINTS = integer(0, 2 ** 16);
const OPTIONS = {
  anchors: listOf(having({ xCenter: NUMBER, yCenter: NUMBER, width: NUMBER, height: NUMBER })),
  scales: optional(listOf(NUMBER)),
  xFirst: optional(FLAG),
  exponentialSize: optional(FLAG),
  keyPoints: optional(KEY_POINTS),
  activation: optional(oneOf(['none', 'sigmoid', 'softmax'])),
  background: optional(FLAG),
};

/** TensorFlow's SSDs on 300 x 300 pixels, such as `ssd_mobilenet_v1` and `v2`; the first class is the background. */
const SSD: Readonly<Record<SsdPreset, AnchorHeadOptions>> = {
  get ssd_mobilenet() {
    return { anchors: ssdAnchors({ inputSize: 300, strides: [16, 32, 64, 128, 256, 512] }), background: true };
  },
};
/** An SSD of TensorFlow. */
export type SsdPreset = 'ssd_mobilenet';

const MEDIAPIPE_OPTIONS = {
  inputSize: NUMBER,
  strides: listOf(NUMBER),
  keyPoints: KEY_POINTS,
  interpolatedScaleAspectRatio: optional(REAL),
};
/** MediaPipe's detectors of a name: of faces near the camera and as far as five meters, of palms and of bodies. */
const MEDIAPIPE: Readonly<Record<MediapipePreset, MediapipeHeadOptions>> = {
  face_short_range: { inputSize: 128, strides: [8, 16, 16, 16], keyPoints: 6 },
  face_full_range: { inputSize: 192, strides: [4], keyPoints: 6, interpolatedScaleAspectRatio: 0 },
  palm: { inputSize: 192, strides: [8, 16, 16, 16], keyPoints: 7 },
  pose: { inputSize: 224, strides: [8, 16, 32, 32, 32], keyPoints: 4 },
};
/** A detector of MediaPipe. */
export type MediapipePreset = 'face_short_range' | 'face_full_range' | 'palm' | 'pose';

/**
 * The head of an SSD without its post-processing: outputs [1, boxes, 4] and [1, boxes, classes].
 *
 * @param options - Anchors, and how boxes relate to them; or the name of a known SSD.
 */
export function anchorHead(options: AnchorHeadOptions | SsdPreset): DetectorHead {
  const provided = presetOr<AnchorHeadOptions, SsdPreset>('anchorHead', options, SSD, OPTIONS);
  const decoding: Decoding = {
    scales: SSD_SCALES,
    xFirst: false,
    exponentialSize: true,
    keyPoints: 0,
    activation: 'sigmoid',
    background: false,
    ...provided,
    stride: BOX_NUMBERS + 2 * (provided.keyPoints ?? 0),
  };
  return { isSuppressed: false, read: (results, threshold) => read(results, threshold, decoding) };
}

/**
 * The head of MediaPipe's detectors: outputs [1, boxes, 4 + 2 * keyPoints] and [1, boxes, 1].
 *
 * @param options - Input size, layers and key points of the model, or its name.
 */
export function mediapipeHead(options: MediapipeHeadOptions | MediapipePreset): DetectorHead {
  const { keyPoints, ...layers } = presetOr<MediapipeHeadOptions, MediapipePreset>(
    'mediapipeHead',
    options,
    MEDIAPIPE,
    MEDIAPIPE_OPTIONS,
  );
  const { inputSize } = layers;
  const grid = { aspectRatios: [1], reduceBoxesInLowestLayer: false, fixedAnchorSize: true };
  return anchorHead({
    anchors: ssdAnchors({ ...layers, ...grid }),
    scales: [inputSize, inputSize, inputSize, inputSize],
    xFirst: true,
    exponentialSize: false,
    keyPoints,
  });
}

function read(results: readonly Result[], threshold: number, decoding: Decoding) {
  const { anchors, stride, background } = decoding;
  const [boxes, scores] = boxesAndScores(results, decoding);
  const columns = sizesOf(scores)[1] as number;
  const [boxValues, scoreValues] = [realValues(boxes), realValues(scores)];
  const first = +background;
  const detections: RawDetection[] = [];
  const probabilities = probabilitiesOf(scoreValues, columns, decoding.activation);
  for (let row = 0, at = 0; row < anchors.length; row++) {
    for (let index = 0 - first; index < columns - first; index++, at++) {
      const score = probabilities[at] as number;
      if (index < 0 || !(score >= threshold)) continue;
      detections.push({ ...decode(boxValues, row * stride, anchors[row] as Anchor, decoding), score, index });
    }
  }
  return { detections, classes: columns - first };
}

/** In either order: the boxes are those with as many columns as a box has numbers. */
function boxesAndScores(results: readonly Result[], { anchors, stride }: Decoding): readonly [Result, Result] {
  const rows = anchors.length;
  const fits = (result: Result) => {
    const sizes = sizesOf(result);
    return sizes.length === 2 && sizes[0] === rows;
  };
  const boxes = results.find((result) => fits(result) && sizesOf(result)[1] === stride);
  const scores = results.find((result) => fits(result) && result !== boxes);
  if (boxes && scores) return [boxes, scores];
  const expected = `[1, ${rows}, ${stride}] for boxes, or [1, ${rows}, classes] for scores`;
  throw wrongShape(results.find((result) => !fits(result)) ?? { data: [], shape: [] }, expected);
}

function decode(values: ArrayLike<number>, start: number, anchor: Anchor, decoding: Decoding) {
  const { scales, xFirst, exponentialSize, keyPoints } = decoding;
  const [yScale, xScale, heightScale, widthScale] = scales;
  const at = (index: number) => values[start + index] as number;
  const pointAt = (index: number) => {
    const [x, y] = xFirst ? [at(index), at(index + 1)] : [at(index + 1), at(index)];
    return { x: (x / xScale) * anchor.width + anchor.xCenter, y: (y / yScale) * anchor.height + anchor.yCenter };
  };
  const [width, height] = (xFirst ? [at(2), at(3)] : [at(3), at(2)]) as [number, number];
  const grown = exponentialSize ? Math.exp : (value: number) => value;
  const { x, y } = pointAt(0);
  const box = boxAround(x, y, grown(width / widthScale) * anchor.width, grown(height / heightScale) * anchor.height);
  return { box, keyPoints: Array.from({ length: keyPoints }, (_, point) => pointAt(BOX_NUMBERS + 2 * point)) };
}
