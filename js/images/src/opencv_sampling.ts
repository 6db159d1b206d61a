/**
 * Bilinear interpolation as OpenCV's `warpPerspective()` computes it: places are whole 32nds of a pixel, results whole
 * numbers. So all of it is in integers, and a table has the tensor's value of each.
 *
 * A task's first picture is sampled before the engine has compiled these loops: interpreted, every step counts.
 */

import { arrayFor, convertInto, type Dimensions, type ImageInput } from './image_input.js';
import type { Pixels } from './open_image.js';
import { type Coloring, type Grid, type Lanes, lanesOf } from './sampling.js';
import { Scratch } from './scratch.js';

const SHARE_BITS = 5;
const ONE = 1 << SHARE_BITS;
const SHARE = ONE - 1;
const VALUE_BITS = 2 * SHARE_BITS;
const WHOLE = 1 << VALUE_BITS;
const HALF = WHOLE / 2;
const OUTSIDE = -1;
const BYTES = 256;
const BYTE = BYTES - 1;
/** Values of each channel in the table: those of all bytes, then that of the background. */
const VALUES = BYTES + 1;
const RGB = 3;
const RGBA = 4;

/** An array of the input's type. */
type Numbers = { [index: number]: number };

/** What all rows of a tensor share. */
interface Sampling {
  readonly lanes: Lanes;
  /** What each byte becomes in each channel. */
  readonly table: Float32Array;
  /** Places of a row's pixels in the picture, in 32nds of a pixel. */
  readonly xs: Int32Array;
  readonly ys: Int32Array;
  /** Pixels of a row. */
  readonly columns: number;
  readonly target: Numbers;
}

const places = [new Scratch(Int32Array), new Scratch(Int32Array)] as const;

/**
 * Fills a tensor. A pixel whose center lies beyond the picture's edge is background, or that of the nearest place in it.
 *
 * @param pixels - The picture or a part of it; it has each of the tensor's channels, or only one.
 * @param grid - Places of the tensor's pixels in it.
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
  const { data, width, height, channels } = pixels;
  const lanes = lanesOf(channels, coloring, tensor);
  const isEndless = coloring.background === 'edge';
  const columns = tensor.width;
  const [xs, ys] = [places[0].take(columns), places[1].take(columns)];
  const sampling = { lanes, table: tableOf(lanes, coloring, input), xs, ys, columns, target };
  const isWhole = channels === RGBA && lanes.count === RGB && data.byteOffset % RGBA === 0;
  const words = isWhole ? new Int32Array(data.buffer, data.byteOffset, width * height) : null;
  for (let y = 0; y < tensor.height; y++) {
    // Of an upright grid, all rows have the same columns.
    if (y === 0 || grid.xy !== 0) placesAlong(grid.left + (y + 0.5) * grid.xy, grid.xx, width, isEndless, columns, xs);
    placesAlong(grid.top + (y + 0.5) * grid.yy, grid.yx, height, isEndless, columns, ys);
    const start = y * columns * lanes.step;
    if (words) sampleWords(words, width, sampling, start);
    else sampleBytes(pixels, sampling, start);
  }
}

/** A row of three channels out of RGBA: a pixel is read at once, as a small integer where it is opaque. */
function sampleWords(words: Int32Array, width: number, sampling: Sampling, start: number): void {
  const { lanes, table, xs, ys, columns, target } = sampling;
  const { sources, starts, step } = lanes;
  const [first, last] = [8 * (sources[0] as number), 8 * (sources[2] as number)];
  const [second, third] = [starts[1] as number, starts[2] as number];
  for (let x = 0, to = start; x < columns; x++, to += step) {
    const atX = xs[x] as number;
    const atY = ys[x] as number;
    if ((atX | atY) < 0) {
      fill(lanes, table, target, to);
      continue;
    }
    const across = atX & SHARE;
    const down = atY & SHARE;
    const upper = (atY >> SHARE_BITS) * width + (atX >> SHARE_BITS);
    const lower = down > 0 ? upper + width : upper;
    const next = across > 0 ? 1 : 0;
    const p = words[upper] as number;
    const q = words[upper + next] as number;
    const r = words[lower] as number;
    const s = words[lower + next] as number;
    const ofS = across * down;
    const ofQ = across * ONE - ofS;
    const ofR = down * ONE - ofS;
    const ofP = WHOLE - ofQ - ofR - ofS;
    const one = ((p >> first) & BYTE) * ofP + ((q >> first) & BYTE) * ofQ;
    target[to] = table[(one + ((r >> first) & BYTE) * ofR + ((s >> first) & BYTE) * ofS + HALF) >> VALUE_BITS] as number;
    const two = ((p >> 8) & BYTE) * ofP + ((q >> 8) & BYTE) * ofQ;
    target[to + second] = table[
      VALUES + ((two + ((r >> 8) & BYTE) * ofR + ((s >> 8) & BYTE) * ofS + HALF) >> VALUE_BITS)
    ] as number;
    const three = ((p >> last) & BYTE) * ofP + ((q >> last) & BYTE) * ofQ;
    target[to + third] = table[
      2 * VALUES + ((three + ((r >> last) & BYTE) * ofR + ((s >> last) & BYTE) * ofS + HALF) >> VALUE_BITS)
    ] as number;
  }
}

/** A row of any channels. */
function sampleBytes({ data, width, channels }: Pixels, sampling: Sampling, start: number): void {
  const { lanes, table, xs, ys, columns, target } = sampling;
  const { count, sources, starts, step } = lanes;
  const line = width * channels;
  for (let x = 0, to = start; x < columns; x++, to += step) {
    const atX = xs[x] as number;
    const atY = ys[x] as number;
    if ((atX | atY) < 0) {
      fill(lanes, table, target, to);
      continue;
    }
    const across = atX & SHARE;
    const down = atY & SHARE;
    const corner = (atY >> SHARE_BITS) * line + (atX >> SHARE_BITS) * channels;
    const next = across > 0 ? channels : 0;
    const below = down > 0 ? line : 0;
    for (let lane = 0; lane < count; lane++) {
      const upper = corner + (sources[lane] as number);
      const lower = upper + below;
      const above = (data[upper] as number) * (ONE - across) + (data[upper + next] as number) * across;
      const under = (data[lower] as number) * (ONE - across) + (data[lower + next] as number) * across;
      const byte = (above * (ONE - down) + under * down + HALF) >> VALUE_BITS;
      target[to + (starts[lane] as number)] = table[lane * VALUES + byte] as number;
    }
  }
}

function fill({ count, starts }: Lanes, table: Float32Array, target: Numbers, to: number): void {
  for (let lane = 0; lane < count; lane++) {
    target[to + (starts[lane] as number)] = table[lane * VALUES + BYTES] as number;
  }
}

/** Places of a row of the tensor along one side of the picture. */
function placesAlong(
  origin: number,
  step: number,
  size: number,
  isEndless: boolean,
  columns: number,
  found: Int32Array,
): void {
  const last = (size - 1) * ONE;
  const [before, after] = isEndless ? [0, last] : [OUTSIDE, OUTSIDE];
  const count = step === 0 ? 1 : columns;
  for (let x = 0; x < count; x++) {
    const at = origin + (x + 0.5) * step;
    let place = after;
    if (at < 0) place = before;
    else if (at < size) {
      place = ((at - 0.5) * ONE + 0.5) | 0; // rounded: what is under 0 is 0
      if (place < 0) place = 0;
      else if (place > last) place = last;
    }
    found[x] = place;
  }
  if (step === 0) found.fill(found[0] as number, 1, columns);
}

function tableOf({ count, scales, offsets }: Lanes, { background }: Coloring, input: ImageInput): Float32Array {
  const floats = new Float32Array(count * VALUES);
  for (let lane = 0, at = 0; lane < count; lane++) {
    const [scale, offset] = [scales[lane] as number, offsets[lane] as number];
    for (let byte = 0; byte < BYTES; byte++) floats[at++] = byte * scale + offset;
    floats[at++] = (background === 'edge' ? 0 : background) * scale + offset;
  }
  const table = arrayFor(input, floats.length, undefined);
  convertInto(floats, table, input);
  return table as Float32Array; // or any other array of numbers
}
