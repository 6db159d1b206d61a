import { describe, expect, it } from 'vitest';
import { categoryMask } from '../src/mask.js';

const [WIDTH, HEIGHT] = [9, 7];

/** Interpolates each class of each pixel by itself. */
function eachByItself(values: Float32Array, classes: number, size: { width: number; height: number }): Uint8Array {
  const interpolation = (pixel: number, length: number, scores: number) => {
    const at = length > 1 ? (pixel * (scores - 1)) / (length - 1) : 0;
    const before = Math.min(Math.floor(at + 1e-9), scores - 1);
    return { before, after: Math.min(before + 1, scores - 1), share: at - before };
  };
  return Uint8Array.from({ length: size.width * size.height }, (_, pixel) => {
    const x = interpolation(pixel % size.width, size.width, WIDTH);
    const y = interpolation(Math.floor(pixel / size.width), size.height, HEIGHT);
    const scores = Array.from({ length: classes }, (_, index) => {
      const at = (row: number, column: number) => values[(row * WIDTH + column) * classes + index] as number;
      const above = at(y.before, x.before) * (1 - x.share) + at(y.before, x.after) * x.share;
      const below = at(y.after, x.before) * (1 - x.share) + at(y.after, x.after) * x.share;
      return above * (1 - y.share) + below * y.share;
    });
    return classes === 1 ? ((scores[0] as number) > 0.1 ? 0 : 255) : scores.indexOf(Math.max(...scores));
  });
}

describe('categoryMask()', () => {
  it.each([
    [1, { width: 23, height: 17 }],
    [1, { width: 4, height: 3 }],
    [5, { width: 23, height: 17 }],
    [5, { width: 4, height: 3 }],
    [5, { width: 1, height: 1 }],
  ])('chooses the best of %i classes that are interpolated, %o', (classes, size) => {
    // Neighbours alike, so that some pixels lie between four of one class, and others do not.
    const values = Float32Array.from({ length: WIDTH * HEIGHT * classes }, (_, at) => {
      const [position, index] = [Math.floor(at / classes), at % classes];
      return Math.sin((position % WIDTH) / 2 + 2 * index) + Math.cos(Math.floor(position / WIDTH) / 3 - index);
    });
    const mask = categoryMask({ values, classes, width: WIDTH, height: HEIGHT }, size, 0.1);
    const expected = eachByItself(values, classes, size);
    expect(mask).toEqual(expected);
    expect(new Set(mask).size).toBeGreaterThan(size.width > 1 ? 1 : 0);
  });
});
