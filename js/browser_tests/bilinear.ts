/** Bilinear interpolation with half-pixel centers in float64, the reference of imageToTensor(). */

import type { Region, Size } from 'tflite-webnn/image';

/** An image of three bytes a pixel. */
export interface Rgb extends Size {
  readonly data: Uint8Array;
}

const CHANNELS = 3;

/** A region of an image, in rows of pixels. A pixel whose center lies outside of the image is `background`. */
export function sampled(image: Rgb, region: Region, { width, height }: Size, background = 0): Float64Array {
  const result = new Float64Array(width * height * CHANNELS);
  const [cos, sin] = [Math.cos(region.rotation ?? 0), Math.sin(region.rotation ?? 0)];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const u = ((column + 0.5) / width - 0.5) * region.width;
      const v = ((row + 0.5) / height - 0.5) * region.height;
      const [x, y] = [region.center.x + u * cos - v * sin, region.center.y + u * sin + v * cos];
      const isInside = x >= 0 && y >= 0 && x < image.width && y < image.height;
      const blended = isInside ? blend(image, x, y) : Array<number>(CHANNELS).fill(background);
      result.set(blended, (row * width + column) * CHANNELS);
    }
  }
  return result;
}

function blend({ data, width, height }: Rgb, x: number, y: number): number[] {
  const [column, row] = [clamp(x - 0.5, width - 1), clamp(y - 0.5, height - 1)];
  const [left, top] = [Math.floor(column), Math.floor(row)];
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [fx, fy] = [column - left, row - top];
  return [0, 1, 2].map((channel) => {
    const at = (line: number, position: number) => data[(line * width + position) * CHANNELS + channel] as number;
    const upper = at(top, left) * (1 - fx) + at(top, right) * fx;
    const lower = at(bottom, left) * (1 - fx) + at(bottom, right) * fx;
    return upper * (1 - fy) + lower * fy;
  });
}

const clamp = (value: number, largest: number) => Math.min(Math.max(value, 0), largest);
