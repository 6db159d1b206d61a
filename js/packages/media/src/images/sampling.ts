/** Bilinear interpolation with half-pixel centers, as TFLite's RESIZE_BILINEAR computes it, of any region. */

import type { Dimensions } from './image_input.js';
import type { PixelBytes, Pixels } from './image_source.js';
import type { Steps } from './normalization.js';

/** Centers of the tensor's pixels in the source: (x, y) is at `left + (x + 0.5) * xx + (y + 0.5) * xy`; `top` likewise. */
export interface Grid {
  readonly left: number;
  readonly top: number;
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

/** What a sample becomes. */
export interface Coloring {
  /** In the order of the tensor's channels. */
  readonly steps: Steps;
  /** Whether blue is the tensor's first channel. */
  readonly isBgr: boolean;
  /** What shows beyond the image's edge, from 0 to 255; or the pixels at the edge. */
  readonly background: number | 'edge';
}

/** The channels of a tensor: typed arrays, which the loop over all pixels reads fastest. */
export interface Lanes {
  readonly count: number;
  /** Channels of the source. */
  readonly sources: Int32Array;
  readonly scales: Float64Array;
  readonly offsets: Float64Array;
  /** Indices of the first elements in the tensor. */
  readonly starts: Int32Array;
  /** Distance of the elements of two neighbors. */
  readonly step: number;
}

const MAX_CHANNELS = 4;
const ALPHA = 3;
const OPAQUE = 255;
const RGB = [0, 1, 2, 3];
const BGR = [2, 1, 0, 3];

/**
 * Fills a tensor. A pixel whose center lies beyond the image's edge is background, or that of the nearest point of it.
 *
 * @param pixels - The image or a part of it; it has each of the tensor's channels, or only one.
 * @param grid - Positions of the tensor's pixels in it.
 * @param target - At least as many floats as the tensor has elements.
 */
export function sample(pixels: Pixels, grid: Grid, coloring: Coloring, tensor: Dimensions, target: Float32Array): void {
  const lanes = lanesOf(pixels.channels, coloring, tensor);
  const { background } = coloring;
  const { data, width, height, channels } = pixels;
  const line = width * channels;
  for (let y = 0, to = 0; y < tensor.height; y++) {
    const rowX = grid.left + (y + 0.5) * grid.xy;
    const rowY = grid.top + (y + 0.5) * grid.yy;
    for (let x = 0; x < tensor.width; x++, to += lanes.step) {
      const atX = rowX + (x + 0.5) * grid.xx;
      const atY = rowY + (x + 0.5) * grid.yx;
      if (background !== 'edge' && isOutside(atX, atY, width, height)) {
        fill(background, lanes, target, to);
        continue;
      }
      const left = pixelIndexOf(atX, width);
      const top = pixelIndexOf(atY, height);
      const column = Math.trunc(left);
      const row = Math.trunc(top);
      const upper = row * line + column * channels;
      const lower = row < height - 1 ? upper + line : upper;
      const next = column < width - 1 ? channels : 0;
      blend(data, upper, lower, next, left - column, top - row, lanes, target, to);
    }
  }
}

/** Index of the pixel that has its center there, with the share of the next one. */
function pixelIndexOf(at: number, size: number): number {
  return Math.min(Math.max(0, at - 0.5), size - 1);
}

function isOutside(x: number, y: number, width: number, height: number): boolean {
  return !(x >= 0 && y >= 0 && x < width && y < height);
}

/** Interpolates all channels of one pixel; numbers instead of an object, which would be created for each pixel. */
function blend(
  data: PixelBytes,
  upper: number,
  lower: number,
  next: number,
  right: number,
  down: number,
  { count, sources, scales, offsets, starts }: Lanes,
  target: Float32Array,
  to: number,
): void {
  for (let lane = 0; lane < count; lane++) {
    const above = upper + (sources[lane] as number);
    const below = lower + (sources[lane] as number);
    const a = data[above] as number;
    const b = data[below] as number;
    const topValue = a + ((data[above + next] as number) - a) * right;
    const value = topValue + (b + ((data[below + next] as number) - b) * right - topValue) * down;
    target[to + (starts[lane] as number)] = value * (scales[lane] as number) + (offsets[lane] as number);
  }
}

function fill(value: number, { count, scales, offsets, starts }: Lanes, target: Float32Array, to: number): void {
  for (let lane = 0; lane < count; lane++) {
    target[to + (starts[lane] as number)] = value * (scales[lane] as number) + (offsets[lane] as number);
  }
}

/** The channels of a tensor, for an image of `sourceChannels`. */
export function lanesOf(sourceChannels: number, { steps, isBgr }: Coloring, tensor: Dimensions): Lanes {
  const count = tensor.channels;
  const [sources, starts] = [new Int32Array(count), new Int32Array(count)];
  const [scales, offsets] = [new Float64Array(count), new Float64Array(count)];
  for (let lane = 0; lane < count; lane++) {
    const [scale, offset] = [steps.scale[lane] as number, steps.offset[lane] as number];
    // An image without alpha is opaque.
    const isMissing = lane === ALPHA && sourceChannels < MAX_CHANNELS;
    sources[lane] = sourceChannels === 1 || isMissing ? 0 : ((isBgr ? BGR : RGB)[lane] as number);
    scales[lane] = isMissing ? 0 : scale;
    offsets[lane] = isMissing ? OPAQUE * scale + offset : offset;
    starts[lane] = tensor.layout === 'nhwc' ? lane : lane * tensor.width * tensor.height;
  }
  return { count, sources, scales, offsets, starts, step: tensor.layout === 'nhwc' ? count : 1 };
}
