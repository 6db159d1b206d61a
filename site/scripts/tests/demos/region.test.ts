import { describe, expect, it } from 'vitest';
import type { Picture } from '../../demos/picture.js';
import { cutOut, placeIn, regionOf, turnOf } from '../../demos/region.js';

const WHOLE = { scale: 1, shiftY: 0 };

/** Each pixel's red is its number. */
function numbered(side: number): Picture {
  const data = new Uint8ClampedArray(side * side * 4);
  for (let pixel = 0; pixel < side * side; pixel++) data[pixel * 4] = pixel;
  return { width: side, height: side, data };
}

function reds(pixels: { data: Uint8Array }): number[] {
  return [...pixels.data].filter((_, index) => index % 3 === 0);
}

describe('turnOf', () => {
  it('is 0 if the line already has the target angle', () => {
    expect(turnOf({ x: 1, y: 5 }, { x: 4, y: 5 }, 0)).toBeCloseTo(0);
    expect(turnOf({ x: 3, y: 9 }, { x: 3, y: 2 }, 90)).toBeCloseTo(0); // upwards on the screen
  });

  it('is 90° clockwise for a hand that points to the right', () => {
    expect(turnOf({ x: 0, y: 0 }, { x: 5, y: 0 }, 90)).toBeCloseTo(Math.PI / 2);
  });
});

describe('regionOf', () => {
  it('returns a square around the longer side, shifted along its own axis', () => {
    const region = regionOf({ x: 10, y: 10 }, 4, 6, Math.PI / 2, { scale: 2, shiftY: -0.5 });
    expect(region.size).toBe(12);
    expect(region.centre.x).toBeCloseTo(13); // "up" of a region rotated by 90° points to the right
    expect(region.centre.y).toBeCloseTo(10);
  });
});

describe('placeIn', () => {
  it('rotates with the region', () => {
    const region = regionOf({ x: 10, y: 20 }, 8, 8, Math.PI / 2, WHOLE);
    const place = placeIn(region, { x: 1, y: 0.5 }); // its right edge is below its centre
    expect(place.x).toBeCloseTo(10);
    expect(place.y).toBeCloseTo(24);
  });
});

describe('cutOut', () => {
  it('returns the picture for a region that covers it', () => {
    const region = regionOf({ x: 1.5, y: 1.5 }, 3, 3, 0, WHOLE);
    expect(reds(cutOut(numbered(3), region, 3))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('rotates the region', () => {
    const region = regionOf({ x: 1, y: 1 }, 2, 2, Math.PI / 2, WHOLE);
    expect(reds(cutOut(numbered(2), region, 2))).toEqual([1, 3, 0, 2]);
  });

  it('averages a region that is much larger than the result', () => {
    const stripes = { width: 8, height: 8, data: new Uint8ClampedArray(8 * 8 * 4) };
    for (let pixel = 0; pixel < 64; pixel += 2) stripes.data[pixel * 4] = 200; // every other column
    const region = regionOf({ x: 4, y: 4 }, 8, 8, 0, WHOLE);
    for (const red of reds(cutOut(stripes, region, 2))) expect(Math.abs(red - 100)).toBeLessThan(10);
  });

  it('is black outside', () => {
    const region = regionOf({ x: -5, y: -5 }, 4, 4, 0, WHOLE);
    expect(reds(cutOut(numbered(3), region, 2))).toEqual([0, 0, 0, 0]);
  });
});
