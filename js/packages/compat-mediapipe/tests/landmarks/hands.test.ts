import { describe, expect, it } from 'vitest';
import { handFeatures, winningGesture } from '../../src/landmarks/gesture_recognizer.js';
import { withoutDuplicates } from '../../src/landmarks/hand_landmarker.js';

const category = (categoryName: string, score: number) => ({ categoryName, score, index: 3, displayName: 'x' });

/** A hand of 21 points, 100 pixels tall. */
const hand = (shift: number) => ({
  points: Array.from({ length: 21 }, (_, index) => ({ x: shift + 10 * (index % 5), y: 5 * index, z: 0 })),
});

describe('withoutDuplicates()', () => {
  it('leaves out a hand on another one, and keeps neighbours', () => {
    const [first, same, neighbour] = [hand(0), hand(3), hand(200)];
    expect(withoutDuplicates([first, same, neighbour])).toEqual([first, neighbour]);
  });

  it('keeps hands of which less than half of the points match', () => {
    const other = hand(0).points.map((point, index) => (index < 9 ? point : { ...point, x: point.x + 60 }));
    expect(withoutDuplicates([hand(0), { points: other }])).toHaveLength(2);
  });
});

describe('handFeatures()', () => {
  const points = [
    { x: 10, y: 40, z: 1 },
    { x: 30, y: 40, z: 3 },
    { x: 10, y: 0, z: 1 },
  ];

  it('are relative to the wrist, in sides of the hand', () => {
    expect(Array.from(handFeatures(points, 0))).toEqual(
      Array.from(Float32Array.of(0, 0, 0, 20, 0, 2, 0, -40, 0), (value) => Math.fround(value / (40 + 1e-5))),
    );
  });

  it('are upright in a rotated image', () => {
    const turned = points.map(({ x, y, z }) => ({ x: -y, y: x, z })); // a quarter clockwise
    const upright = handFeatures(points, 0);
    handFeatures(turned, Math.PI / 2).forEach((value, index) => {
      expect(value).toBeCloseTo(upright[index] as number, 6);
    });
  });
});

describe('winningGesture()', () => {
  const none = category('None', 0.9);

  it('is the best of the first classifier that sees one', () => {
    const custom = [category('None', 0.6), category('Rock', 0.4)];
    const canned = [category('Victory', 0.7), category('None', 0.2)];
    const winner = { score: 0.7, categoryName: 'Victory', index: -1, displayName: '' };
    expect(winningGesture([custom, canned])).toEqual(winner);
    expect(winningGesture([[category('Rock', 0.5)], canned])?.categoryName).toBe('Rock');
  });

  it('is that of the first classifier if none sees one', () => {
    expect(winningGesture([[none], [category('None', 0.5)]])?.score).toBe(0.9);
    expect(winningGesture([[], []])).toBeNull();
  });
});
