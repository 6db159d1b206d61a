/** How Pillow shrinks pixels and makes them grey, byte for byte. */

import type { PixelBytes, Pixels } from './image_source.js';
import type { Size } from './placement.js';
import { Scratch } from './scratch.js';

/** A part of a line of source pixels. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Size of the result, and how many of the source's channels it has. */
export interface ResizedSize extends Size {
  readonly channels: number;
}

/** For each target pixel the first source pixel, the number of its taps, and their weights. */
interface Taps {
  readonly numbers: Int32Array;
  /** Distance of the numbers of two target pixels. */
  readonly stride: number;
}

// Weights are 22-bit integers, as in Pillow: a sum of weighted bytes remains within 32 bits.
const WEIGHT_BITS = 22;
const ONE = 1 << WEIGHT_BITS;
const HALF = 1 << (WEIGHT_BITS - 1);
// The first source pixel and the number of taps come before the weights.
const WEIGHTS = 2;

const columnTaps = new Scratch(Int32Array);
const rowTaps = new Scratch(Int32Array);
const narrowRows = new Scratch(Uint8Array);
const result = new Scratch(Uint8Array);

/**
 * Resizes a part of an image.
 *
 * @param columns - Its columns, in pixels of `pixels`; they need not be integers.
 * @param rows - Its rows.
 * @returns Pixels that are valid until the next call.
 */
export function resizeAntialiased(pixels: Pixels, columns: Span, rows: Span, size: ResizedSize): Pixels {
  const { width, height, channels } = size;
  const narrow = narrowRows.reserve(width * pixels.height * channels);
  const line = width * channels;
  const data = result.reserve(line * height);
  const across = tapsOf(pixels.width, columns, width, columnTaps);
  for (let y = 0; y < pixels.height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = y * pixels.width * pixels.channels + channel;
        narrow[y * line + x * channels + channel] = filtered(pixels.data, from, pixels.channels, across, x);
      }
    }
  }
  const down = tapsOf(pixels.height, rows, height, rowTaps);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < line; x++) data[y * line + x] = filtered(narrow, x, line, down, y);
  }
  return { data, width, height, channels };
}

/** A triangle filter as wide as two target pixels in the source, and at least two source pixels. */
function tapsOf(sourceSize: number, { from, to }: Span, size: number, scratch: Scratch<Int32Array>): Taps {
  const scale = (to - from) / size;
  const support = Math.max(scale, 1);
  const stride = WEIGHTS + 2 * Math.ceil(support) + 1;
  const numbers = scratch.reserve(size * stride);
  for (let position = 0; position < size; position++) {
    const center = from + (position + 0.5) * scale;
    const start = Math.max(0, Math.trunc(center - support + 0.5));
    const count = Math.min(sourceSize, Math.trunc(center + support + 0.5)) - start;
    const height = (tap: number) => Math.max(0, 1 - Math.abs((start + tap - center + 0.5) / support));
    let sum = 0;
    for (let tap = 0; tap < count; tap++) sum += height(tap);
    let at = position * stride;
    numbers[at++] = start;
    numbers[at++] = count;
    for (let tap = 0; tap < count; tap++) numbers[at++] = Math.trunc(0.5 + (height(tap) / sum) * ONE);
  }
  return { numbers, stride };
}

/** One byte: the weighted sum of bytes that are `step` bytes from each other, the first of the line at `from`. */
function filtered(data: PixelBytes, from: number, step: number, { numbers, stride }: Taps, position: number): number {
  let tap = position * stride;
  let at = from + (numbers[tap++] as number) * step;
  let sum = HALF;
  for (const end = tap + 1 + (numbers[tap++] as number); tap < end; at += step) {
    sum += (numbers[tap++] as number) * (data[at] as number);
  }
  return Math.min(255, Math.max(0, sum >> WEIGHT_BITS));
}

const [RED, GREEN, BLUE] = [19_595, 38_470, 7_471];
const GREY_BITS = 16;
const HALF_GREY = 1 << (GREY_BITS - 1);

const scratch = new Scratch(Uint8Array);

/** Pixels with one channel, valid until the next call. */
export function toGrey(pixels: Pixels): Pixels {
  const { data, width, height, channels } = pixels;
  if (channels === 1) return pixels;
  const grey = scratch.reserve(width * height);
  for (let pixel = 0, at = 0; pixel < width * height; pixel++, at += channels) {
    const sum = (data[at] as number) * RED + (data[at + 1] as number) * GREEN + (data[at + 2] as number) * BLUE;
    grey[pixel] = (sum + HALF_GREY) >> GREY_BITS;
  }
  return { data: grey, width, height, channels: 1 };
}
