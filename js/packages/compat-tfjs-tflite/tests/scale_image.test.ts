/** Resizing as libyuv does it; web_tests compares all ways of it with tfjs-tflite's own module. */

import { describe, expect, it } from 'vitest';
import { scaleImage } from '../src/tasks/scale_image.js';

/** An image whose pixels are all grey; the values are those of its rows. */
function grey(rows: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(rows.flat().flatMap((value) => [value, value, value, 255]));
}

function scaled(rows: readonly (readonly number[])[], width: number, height: number): number[] {
  const pixels = scaleImage(grey(rows), rows[0]?.length ?? 0, rows.length, width, height);
  return Array.from(pixels.filter((_, index) => index % 3 === 0));
}

describe('scaleImage()', () => {
  it('drops alpha, and leaves an image of the same size as it is', () => {
    expect(scaleImage(Uint8Array.of(1, 2, 3, 4), 1, 1, 1, 1)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('averages four pixels where it halves', () => {
    expect(
      scaled(
        [
          [0, 100],
          [40, 61],
        ],
        1,
        1,
      ),
    ).toEqual([50]);
  });

  it('uses the middle pixel where it scales to a third', () => {
    expect(
      scaled(
        [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
        ],
        1,
        1,
      ),
    ).toEqual([5]);
  });

  it('blends rows with rounding, and leaves columns of the same number as they are', () => {
    expect(
      scaled(
        [
          [0, 10],
          [100, 20],
          [200, 30],
          [255, 40],
        ],
        2,
        3,
      ),
    ).toEqual([16, 12, 150, 25, 246, 38]);
  });

  it('reaches from edge to edge where it grows', () => {
    const [first, , last] = scaled(
      [
        [0, 128],
        [0, 128],
      ],
      3,
      2,
    );
    expect(first).toBe(0);
    expect(last).toBeGreaterThan(124);
  });
});
