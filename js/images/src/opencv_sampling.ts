/**
 * Bilinear interpolation as OpenCV's `warpPerspective()` computes it: places are whole 32nds of a pixel, results whole
 * numbers. So all of it is in integers, and a table has the tensor's value of each.
 */

import { arrayFor, convertInto, type Dimensions, type ImageInput } from './image_input.js';
import type { PixelBytes, Pixels } from './open_image.js';
import { type Coloring, type Grid, type Lanes, lanesOf } from './sampling.js';
import { Scratch } from './scratch.js';

const SHARE_BITS = 5;
const ONE = 1 << SHARE_BITS;
const SHARE = ONE - 1;
const VALUE_BITS = 2 * SHARE_BITS;
const HALF = 1 << (VALUE_BITS - 1);
const OUTSIDE = -1;
const BYTES = 256;
/** Values of each channel in the table: those of all bytes, then that of the background. */
const VALUES = BYTES + 1;

const columns = new Scratch(Int32Array);
const rows = new Scratch(Int32Array);

/**
 * Fills a tensor. A pixel whose center lies beyond the picture's edge is background, or that of the nearest place in it.
 *
 * @param pixels - The picture or a part of it; it has each of the tensor's channels, or only one.
 * @param grid - Places of the tensor's pixels in it.
 * @param input - Of which `target` is an array.
 */
export function sampleAsOpencv<Values extends { [index: number]: number }>(
  pixels: Pixels,
  grid: Grid,
  coloring: Coloring,
  tensor: Dimensions,
  input: ImageInput,
  target: Values,
): void {
  const { data, width, height, channels } = pixels;
  const lanes = lanesOf(channels, coloring, tensor);
  const { count, sources, starts } = lanes;
  const [source0 = 0, source1 = 0, source2 = 0, source3 = 0] = sources;
  const [, start1 = 0, start2 = 0, start3 = 0] = starts;
  const table = tableOf(lanes, coloring, input);
  const isEndless = coloring.background === 'edge';
  const [xs, ys] = [columns.take(tensor.width), rows.take(tensor.width)];
  const line = width * channels;
  const step = tensor.layout === 'nhwc' ? count : 1;
  for (let y = 0, to = 0; y < tensor.height; y++) {
    // Of an upright grid, all rows have the same columns.
    if (y === 0 || grid.xy !== 0) placesAlong(grid.left + (y + 0.5) * grid.xy, grid.xx, width, isEndless, tensor, xs);
    placesAlong(grid.top + (y + 0.5) * grid.yy, grid.yx, height, isEndless, tensor, ys);
    for (let x = 0; x < tensor.width; x++, to += step) {
      const atX = xs[x] as number;
      const atY = ys[x] as number;
      if ((atX | atY) < 0) {
        for (let lane = 0; lane < count; lane++) {
          target[to + (starts[lane] as number)] = table[lane * VALUES + BYTES] as number;
        }
        continue;
      }
      const across = atX & SHARE;
      const down = atY & SHARE;
      const upper = (atY >> SHARE_BITS) * line + (atX >> SHARE_BITS) * channels;
      const lower = down > 0 ? upper + line : upper;
      const next = across > 0 ? channels : 0;
      // Models have 1, 3 or 4 channels: a loop over them takes half as long again.
      target[to] = table[between(data, upper + source0, lower + source0, next, across, down)] as number;
      if (count === 1) continue;
      target[to + start1] = table[
        VALUES + between(data, upper + source1, lower + source1, next, across, down)
      ] as number;
      target[to + start2] = table[
        2 * VALUES + between(data, upper + source2, lower + source2, next, across, down)
      ] as number;
      if (count === 3) continue;
      target[to + start3] = table[
        3 * VALUES + between(data, upper + source3, lower + source3, next, across, down)
      ] as number;
    }
  }
}

/** The byte between four others, from 0 to 32 of `ONE` to the right and down. */
function between(data: PixelBytes, upper: number, lower: number, next: number, across: number, down: number): number {
  const a = data[upper] as number;
  const b = data[lower] as number;
  const above = a * ONE + ((data[upper + next] as number) - a) * across;
  const below = b * ONE + ((data[lower + next] as number) - b) * across;
  return (above * ONE + (below - above) * down + HALF) >> VALUE_BITS;
}

/** Places of a row of the tensor along one side of the picture, in 32nds of a pixel. */
function placesAlong(
  origin: number,
  step: number,
  size: number,
  isEndless: boolean,
  { width }: Dimensions,
  places: Int32Array,
): void {
  const last = (size - 1) * ONE;
  for (let x = 0; x < width; x++) {
    const at = origin + (x + 0.5) * step;
    const isSeen = isEndless || (at >= 0 && at < size);
    places[x] = isSeen ? Math.min(Math.max(0, Math.round((at - 0.5) * ONE)), last) : OUTSIDE;
  }
}

/** What each byte becomes in each channel of the tensor. */
function tableOf({ count, scales, offsets }: Lanes, { background }: Coloring, input: ImageInput) {
  const floats = new Float32Array(count * VALUES);
  for (let at = 0; at < floats.length; at++) {
    const [lane, byte] = [Math.floor(at / VALUES), at % VALUES];
    const pixel = byte === BYTES && background !== 'edge' ? background : byte;
    floats[at] = pixel * (scales[lane] as number) + (offsets[lane] as number);
  }
  const table = arrayFor(input, floats.length, undefined);
  convertInto(floats, table, input);
  return table as Float32Array; // or any other array of numbers
}
