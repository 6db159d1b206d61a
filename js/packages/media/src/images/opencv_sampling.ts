/**
 * Bilinear interpolation as OpenCV's `warpPerspective()` computes it: positions are integer 32nds of a pixel, results
 * integers. So all of it is computed in integers, and a table has the tensor's value of each.
 */

import { arrayFor, convertInto, type Dimensions, type ImageInput } from './image_input.js';
import type { PixelBytes, Pixels } from './image_source.js';
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

/** An array of the input's type. */
type Numbers = { [index: number]: number };

const columns = new Scratch(Int32Array);
const rows = new Scratch(Int32Array);

/**
 * Fills a tensor. A pixel whose center lies beyond the image's edge is background, or that of the nearest point of it.
 *
 * @param pixels - The image or a part of it; it has each of the tensor's channels, or only one.
 * @param grid - Positions of the tensor's pixels in it.
 * @param input - Of which `target` is an array.
 */
export function sampleAsOpencv(
  pixels: Pixels,
  grid: Grid,
  coloring: Coloring,
  tensor: Dimensions,
  input: ImageInput,
  target: Numbers,
): void {
  const { width, height, channels } = pixels;
  const lanes = lanesOf(channels, coloring, tensor);
  const table = tableOf(lanes, coloring, input);
  const isEndless = coloring.background === 'edge';
  const [xs, ys] = [columns.reserve(tensor.width), rows.reserve(tensor.width)];
  for (let y = 0, to = 0; y < tensor.height; y++, to += tensor.width * lanes.step) {
    // Of an upright grid, all rows have the same columns.
    if (y === 0 || grid.xy !== 0)
      positionsAlong(grid.left + (y + 0.5) * grid.xy, grid.xx, width, isEndless, tensor, xs);
    positionsAlong(grid.top + (y + 0.5) * grid.yy, grid.yx, height, isEndless, tensor, ys);
    sampleRow(pixels, xs, ys, tensor.width, lanes, table, target, to);
  }
}

/** Fills a row of the tensor. Engines compile this function while the first image is read, not after it. */
function sampleRow(
  { data, width, channels }: Pixels,
  xs: Int32Array,
  ys: Int32Array,
  count: number,
  lanes: Lanes,
  table: Float32Array,
  target: Numbers,
  first: number,
): void {
  const line = width * channels;
  for (let x = 0, to = first; x < count; x++, to += lanes.step) {
    const atX = xs[x] as number;
    const atY = ys[x] as number;
    if ((atX | atY) < 0) {
      fill(lanes, table, target, to);
      continue;
    }
    const across = atX & SHARE;
    const down = atY & SHARE;
    const upper = (atY >> SHARE_BITS) * line + (atX >> SHARE_BITS) * channels;
    const lower = down > 0 ? upper + line : upper;
    blend(data, upper, lower, across > 0 ? channels : 0, across, down, lanes, table, target, to);
  }
}

/** Interpolates all channels of one pixel, 1, 3 or 4. A loop over them is slower, as is a generated function. */
function blend(
  data: PixelBytes,
  upper: number,
  lower: number,
  next: number,
  across: number,
  down: number,
  { count, sources, starts }: Lanes,
  table: Float32Array,
  target: Numbers,
  to: number,
): void {
  const first = sources[0] as number;
  target[to] = table[between(data, upper + first, lower + first, next, across, down)] as number;
  if (count === 1) return;
  const second = sources[1] as number;
  target[to + (starts[1] as number)] = table[
    VALUES + between(data, upper + second, lower + second, next, across, down)
  ] as number;
  const third = sources[2] as number;
  target[to + (starts[2] as number)] = table[
    2 * VALUES + between(data, upper + third, lower + third, next, across, down)
  ] as number;
  if (count < 4) return;
  const fourth = sources[3] as number;
  target[to + (starts[3] as number)] = table[
    3 * VALUES + between(data, upper + fourth, lower + fourth, next, across, down)
  ] as number;
}

/** The byte between four others, 32nds to the right and down. */
function between(data: PixelBytes, upper: number, lower: number, next: number, across: number, down: number): number {
  const a = data[upper] as number;
  const b = data[lower] as number;
  const above = a * ONE + ((data[upper + next] as number) - a) * across;
  const below = b * ONE + ((data[lower + next] as number) - b) * across;
  return (above * ONE + (below - above) * down + HALF) >> VALUE_BITS;
}

function fill({ count, starts }: Lanes, table: Float32Array, target: Numbers, to: number): void {
  for (let lane = 0; lane < count; lane++) {
    target[to + (starts[lane] as number)] = table[lane * VALUES + BYTES] as number;
  }
}

/** Positions of a row of the tensor along one side of the image, in 32nds of a pixel. */
function positionsAlong(
  origin: number,
  step: number,
  size: number,
  isEndless: boolean,
  { width }: Dimensions,
  positions: Int32Array,
): void {
  const count = step === 0 ? 1 : width;
  for (let x = 0; x < count; x++) {
    const at = origin + (x + 0.5) * step;
    let position = 0;
    if (at > 0.5) position = at < size - 0.5 ? ((at - 0.5) * ONE + 0.5) | 0 : (size - 1) * ONE; // rounded
    positions[x] = isEndless || (at >= 0 && at < size) ? position : OUTSIDE;
  }
  if (step === 0) positions.fill(positions[0] as number, 1, width);
}

/** What each byte becomes in each channel of the tensor. */
function tableOf({ count, scales, offsets }: Lanes, { background }: Coloring, input: ImageInput) {
  const floats = new Float32Array(count * VALUES);
  for (let lane = 0, at = 0; lane < count; lane++) {
    for (let byte = 0; byte <= BYTES; byte++) {
      const pixel = byte < BYTES ? byte : +background; // nobody reads that of an edge
      floats[at++] = pixel * (scales[lane] as number) + (offsets[lane] as number);
    }
  }
  const table = arrayFor(input, floats.length, undefined);
  convertInto(floats, table, input);
  return table as Float32Array; // or any other array of numbers
}
