import { imageToTensorSync, type Region } from '@tflite-webnn/media/images';
import { describe, expect, it } from 'vitest';
import { inputOf, patterned } from './patterned.js';

const [WIDTH, HEIGHT] = [9, 7];
const IMAGE = patterned(WIDTH, HEIGHT);
const SOURCES = {
  RGBA: IMAGE,
  shifted: shifted(),
  RGB: { ...IMAGE, data: IMAGE.data.filter((_, at) => at % 4 < 3) },
};
const FULL: Region = { center: { x: 4.5, y: 3.5 }, width: 9, height: 7, rotation: 0 };
const BEYOND: Region = { center: { x: 5, y: 2.5 }, width: 12.3, height: 8.1, rotation: 0.4 };

interface Case {
  readonly region: Region;
  readonly background: number | 'edge';
  readonly range: readonly [number, number];
  readonly channelOrder?: 'rgb' | 'bgr';
}

/** The image in an array that begins at an odd offset. */
function shifted() {
  const data = new Uint8Array(IMAGE.data.length + 1).subarray(1);
  data.set(IMAGE.data);
  return { ...IMAGE, data };
}

/** The tensor of an image: each channel of each pixel by itself. */
function eachByItself(width: number, height: number, { region, background, range, channelOrder }: Case): number[] {
  const { center, rotation } = region;
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const [stepX, stepY] = [region.width / width, region.height / height];
  const byte = (x: number, y: number, channel: number) => IMAGE.data[(y * WIDTH + x) * 4 + channel] as number;
  return Array.from({ length: width * height * 3 }, (_, at) => {
    const [pixel, lane] = [Math.floor(at / 3), at % 3];
    const channel = channelOrder === 'bgr' ? 2 - lane : lane;
    // The first pixel's center is half a pixel of the image from the region's corner.
    const [right, down] = [(pixel % width) * stepX, Math.floor(pixel / width) * stepY];
    const [left, top] = [-region.width / 2, -region.height / 2];
    const x = center.x + left * cos - top * sin + right * cos - down * sin + 0.5;
    const y = center.y + left * sin + top * cos + right * sin + down * cos + 0.5;
    const isSeen = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
    let value = background as number;
    if (isSeen || background === 'edge') {
      const position = (to: number, size: number) => Math.min(Math.max(0, Math.round((to - 0.5) * 32) / 32), size - 1);
      const [column, row] = [position(x, WIDTH), position(y, HEIGHT)];
      const [x0, y0] = [Math.floor(column), Math.floor(row)];
      const [x1, y1] = [Math.min(x0 + 1, WIDTH - 1), Math.min(y0 + 1, HEIGHT - 1)];
      const above = byte(x0, y0, channel) * (1 - (column - x0)) + byte(x1, y0, channel) * (column - x0);
      const below = byte(x0, y1, channel) * (1 - (column - x0)) + byte(x1, y1, channel) * (column - x0);
      value = Math.round(above * (1 - (row - y0)) + below * (row - y0));
    }
    return range[0] + (value * (range[1] - range[0])) / 255;
  });
}

describe('imageToTensorSync() as OpenCV samples', () => {
  it.each<[string, string, Case]>([
    ['float32', 'upright', { region: FULL, background: 'edge', range: [-1, 1] }],
    ['float32', 'turned', { region: BEYOND, background: 'edge', range: [0, 1] }],
    ['float32', 'background that is no byte', { region: BEYOND, background: 12.5, range: [0, 1] }],
    ['uint8', 'blue first', { region: BEYOND, background: 7, range: [0, 255], channelOrder: 'bgr' }],
    ['int8', 'darkest first', { region: FULL, background: 0, range: [-128, 127] }],
  ])('interpolates each pixel: %s, %s', (dtype, _, options) => {
    for (const [width, height] of [
      [5, 4],
      [20, 13],
    ] as const) {
      const expected = eachByItself(width, height, options);
      for (const [name, source] of Object.entries(SOURCES)) {
        const { data } = imageToTensorSync(source, inputOf(dtype, width, height), { ...options, resampling: 'opencv' });
        Array.from(data as Float32Array).forEach((value, at) => {
          expect(value, `element ${at} of ${name}`).toBeCloseTo(expected[at] as number, 5);
        });
      }
    }
  });

  it('has planes where the channels come first, and no alpha where the image has none', () => {
    const grey = { width: 2, height: 1, data: Uint8Array.of(10, 20) };
    const input = { dtype: 'uint8', shape: [1, 3, 1, 2] };
    const { data } = imageToTensorSync(grey, input, { resampling: 'opencv' });
    expect([...data]).toEqual([10, 20, 10, 20, 10, 20]);
    const withAlpha = imageToTensorSync(grey, inputOf('uint8', 2, 1, 4), { resampling: 'opencv' });
    expect([...withAlpha.data]).toEqual([10, 10, 10, 255, 20, 20, 20, 255]);
  });
});
