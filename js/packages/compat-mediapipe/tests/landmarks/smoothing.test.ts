import { describe, expect, it } from 'vitest';
import { OneEuroFilter, PointSmoother, PoseSmoother, VisibilitySmoother } from '../../src/landmarks/smoothing.js';

describe('OneEuroFilter', () => {
  it('follows the published algorithm', () => {
    const filter = new OneEuroFilter({ minCutoff: 1, beta: 0.5 });
    expect([...Array.from(filter.apply([10], 100))]).toEqual([10]);
    // By hand: the rate is 10 Hz, the speed 20 / s, of which its filter lets 1 / (1 + 10 / 2 pi) pass.
    const share = 1 / (1 + 10 / (2 * Math.PI));
    const cutoff = 1 + 0.5 * share * 20;
    const expected = 10 + 2 / (1 + 10 / (2 * Math.PI * cutoff));
    expect(filter.apply([12], 200)[0]).toBeCloseTo(expected, 12);
  });

  it('smooths what rests, and hardly lags behind what moves', () => {
    const filter = new OneEuroFilter({ minCutoff: 0.05, beta: 80 });
    filter.apply([0], 33);
    const resting = filter.apply([1], 66, 1e5)[0] as number;
    filter.reset();
    filter.apply([0], 33);
    const moving = filter.apply([1], 66, 1)[0] as number;
    expect(resting).toBeLessThan(0.05);
    expect(moving).toBeGreaterThan(0.95);
  });

  it('returns values as they are if time does not pass', () => {
    const filter = new OneEuroFilter({ minCutoff: 1, beta: 0 });
    filter.apply([0], 50);
    expect(filter.apply([5], 50)).toEqual([5]);
  });

  it('begins again after a reset', () => {
    const filter = new OneEuroFilter({ minCutoff: 0.01, beta: 0 });
    filter.apply([0], 10);
    filter.reset();
    expect(filter.apply([7], 20)).toEqual([7]);
  });
});

describe('smoothers', () => {
  const point = { x: 10, y: 20, z: 3, visibility: 1, presence: 0.5 };

  it('smooth x, y and z by the size of the thing, and keep the others', () => {
    const smoother = new PointSmoother({ minCutoff: 1, beta: 0 });
    smoother.apply([point], 100, 50);
    const [smooth] = smoother.apply([{ ...point, x: 12 }], 200, 50);
    expect(smooth).toMatchObject({ y: 20, z: 3, visibility: 1, presence: 0.5 });
    expect(smooth?.x).toBeCloseTo(10 + 2 / (1 + 10 / (2 * Math.PI)));
  });

  it('do not touch points without extent', () => {
    const smoother = new PointSmoother({ minCutoff: 0.01, beta: 0 });
    smoother.apply([point], 100);
    expect(smoother.apply([{ ...point, x: 99 }], 200)).toEqual([{ ...point, x: 99 }]);
  });

  it('smooth visibility', () => {
    const smoother = new VisibilitySmoother();
    expect(smoother.apply([point])).toEqual([point]);
    expect(smoother.apply([{ ...point, visibility: 0 }])[0]?.visibility).toBeCloseTo(0.9);
  });

  it('smooth a body in the image and in space, and reset after it was lost', () => {
    const smoother = new PoseSmoother();
    const body = { points: [point], world: [{ ...point, x: 0 }] };
    const moved = { points: [{ ...point, x: 11 }], world: [{ ...point, x: 0.001 }] };
    smoother.apply(body, 1e6, 100);
    const smooth = smoother.apply(moved, 1e6, 133);
    expect(smooth.points[0]?.x).toBeLessThan(10.2);
    expect(smooth.world[0]?.x).toBeLessThan(0.0005);
    smoother.lose();
    const found = smoother.apply(moved, 1e6, 166);
    expect(found.points[0]?.x).toBe(11);
    expect(found.world[0]?.x).toBeLessThan(0.001);
  });
});
