import type { Region } from '@tflite-webnn/media/images';
import { boxRegion, grownRegion } from '@tflite-webnn/media/results/unchecked';
import { describe, expect, it } from 'vitest';
import {
  circleRegion,
  earliestRegions,
  faceRegion,
  handRegion,
  latestRegions,
  regionOverlap,
} from '../../src/landmarks/regions.js';

const at = (x: number, y: number, side = 10, rotation = 0): Region => ({
  center: { x, y },
  width: side,
  height: side,
  rotation,
});

function expectRegion(region: Region, expected: Region) {
  const numbers = ({ center, width, height, rotation }: Region) => [center.x, center.y, width, height, rotation];
  numbers(region).forEach((value, index) => {
    expect(value).toBeCloseTo(numbers(expected)[index] as number, 9);
  });
}

describe('regions of detections', () => {
  it('grow, become square and move along their own axis', () => {
    const box = { left: 10, top: 20, width: 40, height: 20 };
    expectRegion(grownRegion(boxRegion(box, 0), { scale: 2.6, shiftY: -0.5 }), at(30, 20, 104));
    const turned = grownRegion(boxRegion(box, Math.PI / 2), { scale: 2, shiftY: -0.5 });
    expectRegion(turned, at(40, 30, 80, Math.PI / 2));
  });

  it('keep the shape of the box if they must', () => {
    const region = grownRegion(boxRegion({ left: 0, top: 0, width: 4, height: 2 }, 0.3), {
      scale: 1.5,
      isSquare: false,
    });
    expect([region.width, region.height]).toEqual([6, 3]);
  });

  it('hold the circle around a body, whose point is above the center', () => {
    expectRegion(circleRegion({ x: 50, y: 60 }, { x: 50, y: 40 }), at(50, 60, 40));
    expectRegion(circleRegion({ x: 50, y: 60 }, { x: 70, y: 60 }), at(50, 60, 40, Math.PI / 2));
  });
});

describe('regions of landmarks', () => {
  it('hold a face, the line between its eyes horizontal', () => {
    const points = Array.from({ length: 478 }, () => ({ x: 50, y: 50 }));
    points[10] = { x: 30, y: 20 };
    points[152] = { x: 70, y: 100 };
    points[33] = { x: 40, y: 40 };
    points[263] = { x: 60, y: 60 };
    expectRegion(faceRegion(points), { center: { x: 50, y: 60 }, width: 40, height: 80, rotation: Math.PI / 4 });
  });

  it('hold the steady joints of a hand, whatever its fingertips do', () => {
    const points = Array.from({ length: 21 }, () => ({ x: 100, y: 100 }));
    points[0] = { x: 100, y: 160 };
    points[17] = { x: 130, y: 110 };
    points[1] = { x: 70, y: 120 };
    const upright = handRegion(points);
    expectRegion(upright, { center: { x: 100, y: 130 }, width: 60, height: 60, rotation: 0 });
    points[8] = { x: 500, y: -400 }; // tip of the index finger
    expectRegion(handRegion(points), upright);
    // a quarter clockwise around (0, 0)
    const turned = handRegion(points.map(({ x, y }) => ({ x: -y, y: x })));
    expectRegion(turned, { center: { x: -130, y: 100 }, width: 60, height: 60, rotation: Math.PI / 2 });
  });
});

describe('association', () => {
  it('uses the overlap of the boxes before their rotation', () => {
    expect(regionOverlap(at(0, 0), at(5, 0))).toBeCloseTo(1 / 3);
    expect(regionOverlap(at(0, 0, 10, 1), at(0, 0))).toBe(1);
    expect(regionOverlap(at(0, 0), at(20, 0))).toBe(0);
  });

  it('lets a found face replace the tracked one, and lets a tracked hand stay', () => {
    const [tracked, same, other] = [at(0, 0), at(1, 0), at(50, 0)];
    expect(latestRegions([tracked], [same, other], 0.5)).toEqual([same, other]);
    expect(earliestRegions([tracked], [same, other], 0.5)).toEqual([tracked, other]);
    expect(latestRegions([tracked], [same], 0.9)).toEqual([tracked, same]);
    expect(earliestRegions([tracked], [same], 0.9)).toEqual([tracked, same]);
  });
});
