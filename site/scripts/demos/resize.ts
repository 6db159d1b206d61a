/**
 * Resizes as Pillow does (`Image.resize(..., BILINEAR)`), byte for byte. A canvas would be faster, but browsers filter
 * differently, and a model trained on filtered pictures sees skipped pixels as noise.
 */

import type { Box, Picture, RgbPixels } from './picture.js';

/** For each pixel of a line: the first source pixel, and the weights of the pixels from there on. */
interface Taps {
  readonly starts: Int32Array;
  readonly weights: readonly Int32Array[];
}

// Weights are 22-bit integers, as in Pillow: a sum of weighted bytes stays within 32 bits.
const WEIGHT_BITS = 22;
const ONE = 1 << WEIGHT_BITS;
const HALF = 1 << (WEIGHT_BITS - 1);
const CHANNELS = 3;

/**
 * Resizes a picture or a part of it.
 *
 * @param picture - The picture; its alpha channel is ignored.
 * @param width - Width of the result in pixels.
 * @param height - Height of the result in pixels.
 * @param box - The source rectangle. Default: the whole picture.
 */
export function resizePicture(picture: Picture, width: number, height: number, box: Box = wholeOf(picture)): RgbPixels {
  const columns = tapsOf(picture.width, box.left, box.right, width);
  const rows = tapsOf(picture.height, box.top, box.bottom, height);
  const narrow = resizeRows(picture, columns, width);
  return { width, height, data: resizeColumns(narrow, rows, width, height) };
}

export function wholeOf({ width, height }: Picture): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

/** A triangle filter as wide as two result pixels in the source, and at least two source pixels. */
function tapsOf(sourceSize: number, from: number, to: number, size: number): Taps {
  const scale = (to - from) / size;
  const support = Math.max(scale, 1);
  const starts = new Int32Array(size);
  const weights = Array.from(starts, (_, position) => {
    const centre = from + (position + 0.5) * scale;
    const start = Math.max(0, Math.trunc(centre - support + 0.5));
    const end = Math.min(sourceSize, Math.trunc(centre + support + 0.5));
    starts[position] = start;
    const heights = Array.from({ length: end - start }, (__, offset) =>
      Math.max(0, 1 - Math.abs((start + offset - centre + 0.5) / support)),
    );
    const sum = heights.reduce((total, value) => total + value, 0);
    return Int32Array.from(heights, (value) => Math.trunc(0.5 + (value / sum) * ONE));
  });
  return { starts, weights };
}

function resizeRows(picture: Picture, { starts, weights }: Taps, width: number): Uint8Array {
  const { data, height } = picture;
  const result = new Uint8Array(width * height * CHANNELS);
  for (let x = 0; x < width; x++) {
    const line = weights[x] as Int32Array;
    for (let y = 0; y < height; y++) {
      let red = HALF;
      let green = HALF;
      let blue = HALF;
      let at = (y * picture.width + (starts[x] as number)) * 4;
      for (const weight of line) {
        red += weight * (data[at] as number);
        green += weight * (data[at + 1] as number);
        blue += weight * (data[at + 2] as number);
        at += 4;
      }
      const to = (y * width + x) * CHANNELS;
      result[to] = byteOf(red);
      result[to + 1] = byteOf(green);
      result[to + 2] = byteOf(blue);
    }
  }
  return result;
}

function resizeColumns(source: Uint8Array, { starts, weights }: Taps, width: number, height: number): Uint8Array {
  const stride = width * CHANNELS;
  const result = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const line = weights[y] as Int32Array;
    const from = (starts[y] as number) * stride;
    for (let column = 0; column < stride; column++) {
      let sum = HALF;
      let at = from + column;
      for (const weight of line) {
        sum += weight * (source[at] as number);
        at += stride;
      }
      result[y * stride + column] = byteOf(sum);
    }
  }
  return result;
}

function byteOf(sum: number): number {
  return Math.min(255, Math.max(0, sum >> WEIGHT_BITS));
}
