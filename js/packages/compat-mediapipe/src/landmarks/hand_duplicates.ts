/** Hands that were found twice: two regions led to the same hand. */

import type { Point } from '@tflite-webnn/media/images';
import { overlapOf } from '@tflite-webnn/media/results';
import { boundsOf } from './regions.js';

const [WRIST, INDEX_BASE, LITTLE_BASE] = [0, 5, 17] as const;
// Points of two hands match if they are nearer than this share of the palm.
const NEAR = 0.2;
const MAX_MATCHES = 9;
const MAX_OVERLAP = 0.2;

/**
 * Leaves out hands that are the same as an earlier one.
 *
 * @param hands - Each with its 21 points in pixels.
 */
export function withoutDuplicates<H extends { readonly points: readonly Point[] }>(hands: readonly H[]): H[] {
  const kept: H[] = [];
  for (const hand of hands) {
    if (!kept.some((earlier) => isSameHand(hand.points, earlier.points))) kept.push(hand);
  }
  return kept;
}

function isSameHand(one: readonly Point[], other: readonly Point[]): boolean {
  const near = NEAR * Math.max(palmSize(one), palmSize(other));
  const matches = one.filter((point, index) => distance(point, other[index] as Point) < near).length;
  return matches > MAX_MATCHES && overlapOf(boundsOf(one), boundsOf(other)) > MAX_OVERLAP;
}

/** The longest side of the triangle of wrist, index finger and little finger. */
function palmSize(points: readonly Point[]): number {
  const [wrist, index, little] = [WRIST, INDEX_BASE, LITTLE_BASE].map((joint) => points[joint]) as [
    Point,
    Point,
    Point,
  ];
  return Math.max(distance(wrist, index), distance(index, little), distance(little, wrist));
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
