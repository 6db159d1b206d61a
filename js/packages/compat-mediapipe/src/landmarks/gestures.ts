/** From a hand's landmarks to its gesture: what the embedder sees, and which classifier's answer counts. */

import type { Category } from '../results.js';
import type { Point3 } from './points.js';

// The name of no gesture.
const NONE = 'None';
// Keeps points that all lie in one place from a division by zero.
const MIN_EXTENT = 1e-5;

/**
 * The embedder's input of a hand's points: upright, from the wrist, and in sides of the hand.
 *
 * @param points - x, y and z in one measure: pixels, or meters.
 * @param rotation - Of the image, in radians clockwise.
 */
export function handFeatures(points: readonly Point3[], rotation: number): Float32Array {
  const [cos, sin] = [Math.cos(rotation), Math.sin(-rotation)];
  const [wrist] = points as [Point3];
  const values = points.map(({ x, y, z }) => {
    const [right, down] = [x - wrist.x, y - wrist.y];
    return [right * cos - down * sin, down * cos + right * sin, z - wrist.z] as const;
  });
  const extent = (axis: 0 | 1) => {
    const places = values.map((value) => value[axis]);
    return Math.max(...places) - Math.min(...places);
  };
  const size = Math.max(extent(0), extent(1)) + MIN_EXTENT;
  return Float32Array.from(values.flat(), (value) => value / size);
}

/**
 * The gesture of a hand: the best of the first classifier that sees one, else that the first sees none.
 *
 * @param answers - Of each classifier, in the order of their rank; empty where no class passed its options.
 */
export function winningGesture(answers: readonly (readonly Category[])[]): Category | null {
  const winners = answers.flatMap((categories) => bestOf(categories) ?? []);
  const winner = winners.find(({ categoryName }) => categoryName !== NONE) ?? winners[0];
  if (winner === undefined) return null;
  // Indices of two classifiers overlap.
  return { score: winner.score, index: -1, categoryName: winner.categoryName, displayName: '' };
}

function bestOf(categories: readonly Category[]): Category | undefined {
  return categories.reduce<Category | undefined>(
    (best, category) => (best === undefined || category.score > best.score ? category : best),
    undefined,
  );
}
