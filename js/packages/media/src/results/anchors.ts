/** Anchor boxes, which detectors of the SSD family describe their boxes by. */

import { checkArguments, FLAG, integer, listOf, optional, POSITIVE, REAL } from './arguments.js';

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

/** Settings of the anchors, by the names of MediaPipe's SsdAnchorsCalculator; TensorFlow's SSDs are made by the same rule. */
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
const OPTIONS = {
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
  checkArguments('ssdAnchors', { options }, { options: OPTIONS });
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
