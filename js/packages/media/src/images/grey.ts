/** Grey of colors, as Pillow's conversion to "L": ITU-R 601-2. */

import type { Pixels } from './open_image.js';
import { Scratch } from './scratch.js';

const [RED, GREEN, BLUE] = [19_595, 38_470, 7_471];
const BITS = 16;
const HALF = 1 << (BITS - 1);

const scratch = new Scratch(Uint8Array);

/** Pixels with one channel, valid until the next call. */
export function toGrey(pixels: Pixels): Pixels {
  const { data, width, height, channels } = pixels;
  if (channels === 1) return pixels;
  const grey = scratch.take(width * height);
  for (let pixel = 0, at = 0; pixel < width * height; pixel++, at += channels) {
    const sum = (data[at] as number) * RED + (data[at + 1] as number) * GREEN + (data[at + 2] as number) * BLUE;
    grey[pixel] = (sum + HALF) >> BITS;
  }
  return { data: grey, width, height, channels: 1 };
}
