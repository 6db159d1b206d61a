/** Masks of segmentation models. */

import { BYTES, COUNT, having, oneOf, optional } from 'tflite-webnn/option_schema';
import { type ImagePlacement, PLACEMENT, type Size, toTensor } from '../images/placement.js';
import { checkArguments, OptionError, RESULT, type Result, realValues, sizesOf, wrongShape } from './result.js';
import { classesOf, sigmoid } from './unchecked.js';

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
  /** Of the tensor that the model got: the mask then has the size of the image. Default: the size of the result. */
  readonly placement?: ImagePlacement;
}

/** How a mask of one channel is read. */
export interface ChannelMaskOptions extends MaskOptions {
  /** The channel, e.g. the index of a class. Default: 0. */
  readonly channel?: number;
  /** Turns values into probabilities. Default: `none`. */
  readonly activation?: 'none' | 'sigmoid';
  /**
   * How `imageToTensor()` has created the tensor: `opencv` counts no half pixels on the way back either. Default:
   * `tflite`.
   */
  readonly resampling?: 'tflite' | 'opencv';
}

/** What a segmentation model has written. */
interface Grid extends Size {
  readonly channels: number;
  readonly values: ArrayLike<number>;
  /** Distance of two pixels and of two channels. */
  readonly pixelStep: number;
  readonly channelStep: number;
}

/** From pixels of the image to points of the tensor: (column, row) is at `x + column * xx + row * xy`; `y` likewise. */
interface Way {
  readonly x: number;
  readonly y: number;
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

/** Interpolation along a side of the image, for its pixels from `start` to `end`, which the mask covers. */
interface Interpolation {
  readonly start: number;
  readonly end: number;
  /** The mask's pixel before each of them. */
  readonly before: Int32Array;
  /** The share of the pixel after it. */
  readonly shares: Float64Array;
}

const MAX_CLASSES = 256;
const HALF_PIXEL = 0.5;

const OPTIONS = { layout: optional(oneOf(['nhwc', 'nchw'])), placement: optional(having(PLACEMENT)) };
const CHANNEL_OPTIONS = {
  ...OPTIONS,
  channel: optional(COUNT),
  activation: optional(oneOf(['none', 'sigmoid'])),
  resampling: optional(oneOf(['tflite', 'opencv'])),
};

/**
 * One channel of a result, e.g. the probability that a pixel belongs to a person. With `placement`, it is interpolated
 * to the image's size; pixels that the model did not see are 0.
 *
 * @param result - Of shape [1, height, width, channels], [1, height, width] or [1, channels, height, width]: floats, or
 *   quantized integers.
 * @param options - Which channel, 0 by default; its activation; and the placement of `imageToTensor()`.
 * @returns Floats, row by row, in the size of the result; with `placement` in that of the image.
 * @throws OutputError, OptionError
 */
export function toMask(result: Result, options: ChannelMaskOptions = {}): Mask {
  checkArguments('toMask', { result, options }, { result: RESULT, options: CHANNEL_OPTIONS });
  const { channel = 0, activation = 'none', placement, resampling } = options;
  const grid = gridOf(result, options);
  if (channel >= grid.channels) {
    throw new OptionError(`channel is ${channel}, but the result has ${grid.channels}.`);
  }
  const { width, height, values, pixelStep, channelStep } = grid;
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
 * `placement`, each pixel of the image gets the class of the nearest position; those that the model did not see get 0.
 *
 * @param result - Of shape [1, height, width, classes], [1, height, width] or [1, classes, height, width]: floats, or
 *   integers.
 * @param options - Order of the dimensions, `nhwc` by default, and the placement of `imageToTensor()`.
 * @returns A byte for each pixel, row by row.
 * @throws OutputError, also where there are more than 256 classes, or one is not from 0 to 255.
 */
export function argmaxMask(result: Result, options: MaskOptions = {}): ClassMask {
  checkArguments('argmaxMask', { result, options }, { result: RESULT, options: OPTIONS });
  const grid = gridOf(result, options);
  if (grid.channels > MAX_CLASSES) throw wrongShape(result, `of at most ${MAX_CLASSES} classes`);
  const { width, height, channels, values, pixelStep, channelStep } = grid;
  const classes = channels === 1 ? Uint8Array.from(values) : classesOf(values, channels, pixelStep, channelStep);
  if (channels === 1 && classes.some((byte, pixel) => byte !== Math.trunc(values[pixel] as number)))
    throw wrongShape(result, `of classes from 0 to ${MAX_CLASSES - 1}`);
  const mask = { width, height, classes };
  return options.placement ? nearest(mask, options.placement) : mask;
}

/**
 * How much of a mask each class covers, for all classes that occur: largest first.
 *
 * @param mask - What `argmaxMask()` returns.
 * @throws OptionError
 */
export function classShares(mask: ClassMask): ClassShare[] {
  checkArguments('classShares', { mask }, { mask: { classes: BYTES } });
  const { classes } = mask;
  const counts = new Float64Array(MAX_CLASSES);
  for (const index of classes) counts[index] = (counts[index] as number) + 1;
  const shares = Array.from(counts, (count, index) => ({ index, share: count / classes.length }));
  return shares.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share);
}

function gridOf(result: Result, { layout = 'nhwc' }: MaskOptions): Grid {
  const sizes = sizesOf(result);
  const [height, width, channels] = (
    sizes.length === 2 ? [...sizes, 1] : layout === 'nhwc' ? sizes : [sizes[1], sizes[2], sizes[0]]
  ) as [number, number, number];
  const isImage = sizes.length === 2 || sizes.length === 3;
  if (!isImage || height * width * channels !== result.data.length || result.data.length === 0) {
    throw wrongShape(result, '[1, height, width, channels]');
  }
  const [pixelStep, channelStep] = layout === 'nhwc' ? [channels, 1] : [1, width * height];
  return { width, height, channels, values: realValues(result), pixelStep, channelStep };
}

/** Bilinear, with a pixel's center as far from its corner as `center` says. */
function resample(mask: Mask, placement: ImagePlacement, center: number): Mask {
  const { width, height } = placement.image;
  const values = new Float32Array(width * height);
  const way = wayToTensor(placement, center);
  if (way.xy === 0 && way.yx === 0) resampleUpright(mask, way, center, placement.image, values);
  else resampleTurned(mask, way, center, placement.image, values);
  return { width, height, values };
}

/** Rows of the mask are interpolated once across, then each row of the image between two of them. */
function resampleUpright(mask: Mask, way: Way, center: number, { width, height }: Size, target: Float32Array): void {
  const columns = interpolationOf(way.x, way.xx, width, mask.width, center);
  const rows = interpolationOf(way.y, way.yy, height, mask.height, center);
  let upper = new Float64Array(width);
  let lower = new Float64Array(width);
  let [upperRow, lowerRow] = [-1, -1];
  for (let row = rows.start; row < rows.end; row++) {
    const top = rows.before[row] as number;
    const bottom = Math.min(top + 1, mask.height - 1);
    if (top === lowerRow) [upper, upperRow, lower, lowerRow] = [lower, lowerRow, upper, upperRow];
    if (top !== upperRow) stretchRow(mask, top, columns, upper);
    if (bottom !== lowerRow) stretchRow(mask, bottom, columns, lower);
    [upperRow, lowerRow] = [top, bottom];
    const share = rows.shares[row] as number;
    const start = row * width;
    for (let column = columns.start; column < columns.end; column++) {
      const above = upper[column] as number;
      target[start + column] = above + ((lower[column] as number) - above) * share;
    }
  }
}

function stretchRow(
  { width, values }: Mask,
  row: number,
  { before, shares, start, end }: Interpolation,
  line: Float64Array,
): void {
  for (let column = start; column < end; column++) {
    const left = before[column] as number;
    const value = values[row * width + left] as number;
    const next = values[row * width + Math.min(left + 1, width - 1)] as number;
    line[column] = value + (next - value) * (shares[column] as number);
  }
}

/** Where the pixels along a side of the image lie in the mask. `origin` and `step` are relative to the mask. */
function interpolationOf(origin: number, step: number, length: number, size: number, center: number): Interpolation {
  const [before, shares] = [new Int32Array(length), new Float64Array(length)];
  let [start, end] = [length, 0];
  for (let pixel = 0; pixel < length; pixel++) {
    const at = origin + pixel * step;
    if (!(at >= 0 && at < 1)) continue;
    start = Math.min(start, pixel);
    end = pixel + 1;
    const inMask = at * size - center;
    const floor = Math.max(0, Math.floor(inMask));
    before[pixel] = floor;
    shares[pixel] = Math.max(0, inMask - floor);
  }
  return { start, end, before, shares };
}

function resampleTurned(mask: Mask, way: Way, center: number, image: Size, target: Float32Array): void {
  const { x: left, y: top, xx, xy, yx, yy } = way;
  for (let row = 0, pixel = 0; row < image.height; row++) {
    for (let column = 0; column < image.width; column++, pixel++) {
      const x = left + column * xx + row * xy;
      const y = top + column * yx + row * yy;
      if (!(x >= 0 && y >= 0 && x < 1 && y < 1)) continue;
      target[pixel] = between(mask.values, mask.width, mask.height, x * mask.width - center, y * mask.height - center);
    }
  }
}

/** Numbers instead of an object, which would be created for each pixel. */
function between(values: Float32Array, width: number, height: number, x: number, y: number): number {
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const next = left < width - 1 ? 1 : 0;
  const across = Math.max(0, x - left);
  const above = top * width + left;
  const below = top < height - 1 ? above + width : above;
  const a = values[above] as number;
  const b = values[below] as number;
  const upper = a + ((values[above + next] as number) - a) * across;
  const lower = b + ((values[below + next] as number) - b) * across;
  return upper + (lower - upper) * Math.max(0, y - top);
}

function nearest(mask: ClassMask, placement: ImagePlacement): ClassMask {
  const { width, height } = placement.image;
  const classes = new Uint8Array(width * height);
  const { x: left, y: top, xx, xy, yx, yy } = wayToTensor(placement, HALF_PIXEL);
  for (let row = 0, pixel = 0; row < height; row++) {
    for (let column = 0; column < width; column++, pixel++) {
      const x = left + column * xx + row * xy;
      const y = top + column * yx + row * yy;
      if (x >= 0 && y >= 0 && x < 1 && y < 1) {
        classes[pixel] = mask.classes[Math.floor(y * mask.height) * mask.width + Math.floor(x * mask.width)] as number;
      }
    }
  }
  return { width, height, classes };
}

/** The way to the tensor is linear: the position of the first pixel, and how far a column and a row move it. */
function wayToTensor(placement: ImagePlacement, center: number): Way {
  const { x, y } = toTensor(placement, { x: center, y: center });
  const next = toTensor(placement, { x: center + 1, y: center });
  const below = toTensor(placement, { x: center, y: center + 1 });
  return { x, y, xx: next.x - x, yx: next.y - y, xy: below.x - x, yy: below.y - y };
}
