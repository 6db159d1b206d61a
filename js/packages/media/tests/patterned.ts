/** Images of the tests. */

import type { PixelData } from '@tflite-webnn/media/images';

/** An image whose bytes follow a formula, to reproduce it in Pillow and numpy. */
export function patterned(width: number, height: number): PixelData {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    data.set([(x * 37 + y * 11) % 256, (x * y * 7) % 256, (x * x + 3 * y) % 256], pixel * 4);
  }
  return { width, height, data };
}

/** Each pixel's red is its number. */
export function numbered(width: number, height = width): PixelData {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) data.set([pixel, 0, 0], pixel * 4);
  return { width, height, data };
}

/** An input of [1, height, width, 3], or of other channels. */
export function inputOf(dtype: string, width: number, height: number, channels = 3) {
  return { name: 'image', dtype, shape: [1, height, width, channels] };
}

/** The first channel of a tensor of three. */
export function reds(data: ArrayLike<number>): number[] {
  return Array.from(data).filter((_, index) => index % 3 === 0);
}
