import { regionAround, rotationBetween, toLandmarks } from '@tflite-webnn/media/results';
import { OptionError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';

const inputSize = { width: 100, height: 50 };
const placement = {
  image: { width: 400, height: 200 },
  region: { center: { x: 200, y: 100 }, width: 200, height: 100, rotation: 0 },
};

describe('toLandmarks', () => {
  const result = { data: Float32Array.of(0, 0, 10, 50, 25, 0), shape: [1, 6] };

  it('are relative to the tensor, or in pixels of the image', () => {
    expect(toLandmarks(result, { inputSize })).toEqual([
      { x: 0, y: 0, z: expect.closeTo(0.1), visibility: 1 },
      { x: 0.5, y: 0.5, z: 0, visibility: 1 },
    ]);
    expect(toLandmarks(result, { inputSize, placement })).toEqual([
      { x: 100, y: 50, z: expect.closeTo(20), visibility: 1 },
      { x: 200, y: 100, z: 0, visibility: 1 },
    ]);
  });

  it('have a visibility from their fourth number, and may be fewer than the model outputs', () => {
    const five = { data: Float32Array.of(1, 2, 3, 0, 9, 4, 5, 6, 50, 9), shape: [1, 10] };
    expect(toLandmarks(five, { inputSize, numbers: 5 }).map(({ visibility }) => visibility)).toEqual([0.5, 1]);
    expect(toLandmarks(five, { inputSize, numbers: 5, count: 1 })).toHaveLength(1);
    expect(toLandmarks(five, { inputSize, numbers: 2 })[4]).toEqual({ x: 0.5, y: 0.18, z: 0, visibility: 1 });
  });

  it('move to the warm cells of a heat map, and stay where it is cold', () => {
    const two = { data: Float32Array.of(32, 32, 0, 16, 16, 0), shape: [1, 6] };
    const data = new Float32Array(8 * 8 * 2).fill(-20);
    data[(5 * 8 + 6) * 2] = 20; // to the right of and below the first point
    const heatmap = { data, shape: [1, 8, 8, 2] };
    const [first, second] = toLandmarks(two, { inputSize: { width: 64, height: 64 }, heatmap });
    expect([first?.x, first?.y]).toEqual([expect.closeTo(6 / 8, 5), expect.closeTo(5 / 8, 5)]);
    expect([second?.x, second?.y]).toEqual([0.25, 0.25]);
    const outside = { data: Float32Array.of(-1, 99, 0), shape: [3] };
    expect(toLandmarks(outside, { inputSize: { width: 64, height: 64 }, heatmap })[0]?.x).toBe(-1 / 64);
  });

  it('reject other shapes, and an input without size', () => {
    expect(() => toLandmarks(result, { inputSize, numbers: 4 })).toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'RESULT_SHAPE' }),
    );
    expect(() => toLandmarks(result, { inputSize, count: 3 })).toThrow('3 x 3 numbers');
    expect(() => toLandmarks(result, { inputSize: { width: 0, height: 5 } })).toThrow(OptionError);
    const heatmap = { data: new Float32Array(4), shape: [1, 2, 2, 1] };
    expect(() => toLandmarks(result, { inputSize, heatmap })).toThrow('2 points or more');
  });
});

describe('rotationBetween', () => {
  it('is 0 if the line already has the target angle', () => {
    expect(rotationBetween({ x: 1, y: 5 }, { x: 4, y: 5 }, 0)).toBeCloseTo(0);
    expect(rotationBetween({ x: 3, y: 9 }, { x: 3, y: 2 }, 90)).toBeCloseTo(0); // upwards on the screen
  });

  it('is 90° clockwise for a hand that points to the right', () => {
    expect(rotationBetween({ x: 0, y: 0 }, { x: 5, y: 0 }, 90)).toBeCloseTo(Math.PI / 2);
  });
});

describe('regionAround', () => {
  it('returns a square around the longer side, shifted along its own axis', () => {
    const box = { left: 8, top: 7, width: 4, height: 6 };
    const region = regionAround(box, { rotation: Math.PI / 2, scale: 2, shiftY: -0.5 });
    expect([region.width, region.height, region.rotation]).toEqual([12, 12, Math.PI / 2]);
    expect(region.center.x).toBeCloseTo(13); // "up" of a region rotated by 90° points to the right
    expect(region.center.y).toBeCloseTo(10);
    expect(regionAround(box)).toEqual({ center: { x: 10, y: 10 }, width: 6, height: 6, rotation: 0 });
  });
});
