import { describe, expect, it } from 'vitest';
import { type Box, floatTensor, inSquare, type Picture } from '../../demos/picture.js';
import { resizePicture } from '../../demos/resize.js';

/** A picture whose bytes follow a formula, to reproduce it in Pillow. */
function patterned(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    data.set([(x * 37 + y * 11) % 256, (x * y * 7) % 256, (x * x + 3 * y) % 256], pixel * 4);
  }
  return { width, height, data };
}

// Pillow's results: Image.fromarray(patterned).resize((width, height), Image.Resampling.BILINEAR, box=box).
const PILLOW_CASES: { width: number; height: number; box?: Box; expected: number[] }[] = [
  {
    width: 4,
    height: 3,
    expected: [
      40, 5, 4, 115, 17, 12, 181, 31, 30, 70, 43, 55, 64, 17, 10, 139, 60, 18, 185, 108, 36, 79, 145, 61, 88, 30, 16,
      163, 103, 24, 160, 178, 42, 66, 144, 67,
    ],
  },
  {
    width: 3,
    height: 5,
    box: { left: 2, top: 1, right: 8, bottom: 6 },
    expected: [
      104, 18, 10, 178, 32, 24, 124, 46, 46, 115, 35, 13, 189, 63, 27, 135, 91, 49, 126, 53, 16, 200, 95, 30, 146, 137,
      52, 137, 70, 19, 179, 126, 33, 61, 182, 55, 148, 88, 22, 190, 158, 36, 72, 196, 58,
    ],
  },
  {
    width: 11,
    height: 9,
    expected: [
      0, 0, 0, 27, 0, 1, 57, 0, 3, 87, 0, 6, 118, 0, 10, 148, 0, 16, 178, 0, 23, 209, 0, 32, 122, 0, 42, 13, 0, 53, 40,
      0, 64, 7, 0, 2, 34, 3, 3, 64, 7, 5, 94, 11, 8, 125, 15, 12, 155, 19, 18, 185, 23, 25, 216, 26, 34, 129, 30, 44,
      20, 34, 55, 47, 37, 66, 16, 0, 4, 43, 7, 5, 73, 16, 7, 103, 24, 10, 134, 32, 14, 164, 40, 20, 194, 49, 27, 225,
      57, 36, 138, 65, 46, 29, 74, 57, 56, 81, 68, 24, 0, 7, 51, 11, 8, 81, 24, 10, 111, 37, 13, 142, 50, 17, 172, 62,
      23, 202, 75, 30, 233, 88, 39, 146, 100, 49, 37, 113, 60, 64, 124, 71, 33, 0, 9, 60, 15, 10, 90, 32, 12, 120, 50,
      15, 151, 67, 19, 181, 84, 25, 211, 101, 32, 242, 118, 41, 155, 136, 51, 46, 153, 62, 73, 168, 73, 42, 0, 11, 69,
      19, 12, 99, 41, 14, 129, 62, 17, 160, 84, 21, 190, 106, 27, 220, 127, 34, 124, 149, 43, 55, 171, 53, 55, 193, 64,
      82, 212, 75, 50, 0, 14, 77, 23, 15, 107, 49, 17, 137, 75, 20, 168, 101, 24, 198, 128, 30, 228, 154, 37, 96, 180,
      46, 33, 206, 56, 63, 193, 67, 90, 113, 78, 59, 0, 16, 86, 27, 17, 116, 58, 19, 146, 88, 22, 177, 119, 26, 207,
      149, 32, 237, 180, 39, 105, 210, 48, 42, 202, 58, 72, 140, 69, 99, 43, 80, 66, 0, 18, 93, 31, 19, 123, 65, 21,
      153, 99, 24, 184, 134, 28, 214, 168, 34, 244, 202, 41, 112, 237, 50, 49, 155, 60, 79, 49, 71, 106, 80, 82,
    ],
  },
];

describe('resizePicture', () => {
  it.each(PILLOW_CASES)("matches Pillow's bytes: $width x $height", ({ width, height, box, expected }) => {
    const resized = resizePicture(patterned(9, 7), width, height, box);
    expect([...resized.data]).toEqual(expected);
  });

  it('copies a picture of the same size', () => {
    const picture = patterned(4, 3);
    const rgb = [...picture.data].filter((_, index) => index % 4 < 3);
    expect([...resizePicture(picture, 4, 3).data]).toEqual(rgb);
  });
});

describe('floatTensor', () => {
  it('maps black to low and white to high', () => {
    const pixels = { width: 1, height: 1, data: Uint8Array.of(0, 255, 51) };
    expect([...floatTensor(pixels, { low: -1, high: 1 })]).toEqual([-1, 1, Math.fround(-0.6)]);
  });
});

describe('inSquare', () => {
  it('adds bars of equal width beside a tall picture', () => {
    const { pixels, left, top } = inSquare({ width: 1, height: 3, data: new Uint8Array(9).fill(7) }, 3);
    expect([left, top]).toEqual([1, 0]);
    const row = [0, 0, 0, 7, 7, 7, 0, 0, 0];
    expect([...pixels.data]).toEqual([...row, ...row, ...row]);
  });
});
