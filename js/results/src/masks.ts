/** Masks of segmentation models. */

import { type ImagePlacement, type Size, toTensor } from '../../images/src/placement.js';
import { ResultOptionError } from './errors.js';
import { type Result, realValues, sigmoid, sizesOf, wrongShape } from './result.js';

/** A number for each pixel. */
export interface Mask extends Size {
  /** Row by row. */
  readonly values: Float32Array;
}

/** The class of each pixel. */
export interface ClassMask extends Size {
  /** Indices of classes, row by row. */
  readonly classes: Uint8Array;
}

/** A class and how much of a mask it covers. */
export interface ClassShare {
  /** Index of the class. */
  readonly index: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** How a mask is read. */
export interface MaskOptions {
  /** Order of the result's dimensions. Default: `nhwc`. */
  readonly layout?: 'nhwc' | 'nchw';
  /** Of the tensor that the model got: the mask then has the size of the picture. Default: the size of the result. */
  readonly placement?: ImagePlacement;
}

/** How a mask of one channel is read. */
export interface ChannelMaskOptions extends MaskOptions {
  /** The channel, e.g. the index of a class. Default: 0. */
  readonly channel?: number;
  /** What makes probabilities of the values. Default: `none`. */
  readonly activation?: 'none' | 'sigmoid';
  /** How `imageToTensor()` has made the tensor: `opencv` counts no half pixels on the way back either. Default: `tflite`. */
  readonly resampling?: 'tflite' | 'opencv';
}

interface Grid extends Size {
  readonly channels: number;
  readonly values: ArrayLike<number>;
  /** Distance of two pixels and of two channels. */
  readonly pixelStep: number;
  readonly channelStep: number;
}

const MOST_CLASSES = 256;
const HALF_PIXEL = 0.5;

/**
 * One channel of a result, e.g. the probability that a pixel belongs to a person. With `placement`, it is interpolated
 * to the picture's size; pixels that the model did not see are 0.
 *
 * @param result - Of shape [1, height, width, channels], [1, height, width] or [1, channels, height, width].
 * @throws ResultShapeError, ResultOptionError
 */
export function toMask(result: Result, options: ChannelMaskOptions = {}): Mask {
  const { channel = 0, activation = 'none', placement, resampling } = options;
  const { width, height, channels, values, pixelStep, channelStep } = gridOf(result, options);
  if (!Number.isInteger(channel) || channel < 0 || channel >= channels) {
    throw new ResultOptionError(`channel is ${channel}, but the result has ${channels}.`);
  }
  const plane = new Float32Array(width * height);
  for (let pixel = 0; pixel < plane.length; pixel++) {
    const value = values[pixel * pixelStep + channel * channelStep] as number;
    plane[pixel] = activation === 'sigmoid' ? sigmoid(value) : value;
  }
  const mask = { width, height, values: plane };
  return placement ? resample(mask, placement, resampling === 'opencv' ? 0 : HALF_PIXEL) : mask;
}

/**
 * The best class of each pixel; of equal ones the first. A result of one channel has the classes themselves. With
 * `placement`, each pixel of the picture gets the class of the nearest place; those that the model did not see get 0.
 *
 * @param result - Of shape [1, height, width, classes], [1, height, width] or [1, classes, height, width].
 * @throws ResultShapeError, also where there are more than 256 classes.
 */
export function argmaxMask(result: Result, options: MaskOptions = {}): ClassMask {
  const grid = gridOf(result, options);
  if (grid.channels > MOST_CLASSES) throw wrongShape(result, `of at most ${MOST_CLASSES} classes`);
  const { width, height } = grid;
  const classes = new Uint8Array(width * height);
  for (let pixel = 0; pixel < classes.length; pixel++) classes[pixel] = classAt(pixel, grid);
  return options.placement ? nearest({ width, height, classes }, options.placement) : { width, height, classes };
}

/** How much of a mask each class covers, for all classes that occur: largest first. */
export function classShares({ classes }: ClassMask): ClassShare[] {
  const counts = new Float64Array(MOST_CLASSES);
  for (const index of classes) counts[index] = (counts[index] as number) + 1;
  const shares = Array.from(counts, (count, index) => ({ index, share: count / classes.length }));
  return shares.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share);
}

function classAt(pixel: number, { channels, values, pixelStep, channelStep }: Grid): number {
  const at = (channel: number) => values[pixel * pixelStep + channel * channelStep] as number;
  if (channels === 1) return at(0);
  let best = 0;
  for (let channel = 1; channel < channels; channel++) if (at(channel) > at(best)) best = channel;
  return best;
}

function gridOf(result: Result, { layout = 'nhwc' }: MaskOptions): Grid {
  const sizes = sizesOf(result);
  const [height, width, channels] = (
    sizes.length === 2 ? [...sizes, 1] : layout === 'nhwc' ? sizes : [sizes[1], sizes[2], sizes[0]]
  ) as [number, number, number];
  const isPicture = sizes.length === 2 || sizes.length === 3;
  if (!isPicture || height * width * channels !== result.data.length || result.data.length === 0) {
    throw wrongShape(result, '[1, height, width, channels]');
  }
  const [pixelStep, channelStep] = layout === 'nhwc' ? [channels, 1] : [1, width * height];
  return { width, height, channels, values: realValues(result), pixelStep, channelStep };
}

/** Bilinear, with a pixel's center as far from its corner as `center` says. */
function resample(mask: Mask, placement: ImagePlacement, center: number): Mask {
  const { width, height } = placement.image;
  const values = new Float32Array(width * height);
  forEachPixel(placement, center, (pixel, x, y) => {
    values[pixel] = between(mask, x * mask.width - center, y * mask.height - center);
  });
  return { width, height, values };
}

function between({ width, height, values }: Mask, x: number, y: number): number {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const at = (column: number, row: number) => values[row * width + column] as number;
  const [across, down] = [Math.max(0, x - left), Math.max(0, y - top)];
  const upper = at(left, top) + (at(right, top) - at(left, top)) * across;
  const lower = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * across;
  return upper + (lower - upper) * down;
}

function nearest(mask: ClassMask, placement: ImagePlacement): ClassMask {
  const { width, height } = placement.image;
  const classes = new Uint8Array(width * height);
  forEachPixel(placement, HALF_PIXEL, (pixel, x, y) => {
    classes[pixel] = mask.classes[Math.floor(y * mask.height) * mask.width + Math.floor(x * mask.width)] as number;
  });
  return { width, height, classes };
}

/** Calls `take` for each pixel of the picture that the tensor shows, with its place there. */
function forEachPixel(
  placement: ImagePlacement,
  center: number,
  take: (pixel: number, x: number, y: number) => void,
): void {
  const { width, height } = placement.image;
  // The way to the tensor is linear: two steps tell it.
  const origin = toTensor(placement, { x: center, y: center });
  const next = toTensor(placement, { x: center + 1, y: center });
  const below = toTensor(placement, { x: center, y: center + 1 });
  for (let row = 0, pixel = 0; row < height; row++) {
    for (let column = 0; column < width; column++, pixel++) {
      const x = origin.x + column * (next.x - origin.x) + row * (below.x - origin.x);
      const y = origin.y + column * (next.y - origin.y) + row * (below.y - origin.y);
      if (x >= 0 && y >= 0 && x < 1 && y < 1) take(pixel, x, y);
    }
  }
}
