/** Weighted orthogonal Procrustes: the scaled rotation and shift that best map points onto others. */

import type { Point3 } from './landmark_models.js';

/** Three rows of three numbers. */
type Matrix3 = readonly (readonly [number, number, number])[];
type Vector = readonly [number, number, number];

/** `scale * rotation * point + shift`. */
export interface Similarity {
  readonly scale: number;
  readonly rotation: Matrix3;
  readonly shift: Vector;
}

const AXES = [0, 1, 2] as const;
const SWEEPS = 32;
const CONVERGED = 1e-24;

/**
 * Maps `sources` onto `targets` with the minimum sum of weighted squared distances.
 *
 * The rotation is found as a unit quaternion (Horn, 1987): it is never a reflection.
 *
 * @param sources - Not all at the same position.
 * @param targets - As many as sources.
 * @param weights - One for each point, not negative.
 */
export function bestSimilarity(
  sources: readonly Point3[],
  targets: readonly Point3[],
  weights: readonly number[],
): Similarity {
  const [from, to] = [meanOf(sources, weights), meanOf(targets, weights)];
  const moments = AXES.map(() => [0, 0, 0] as [number, number, number]);
  let spread = 0;
  sources.forEach((source, index) => {
    const weight = weights[index] as number;
    if (weight === 0) return;
    const [s, t] = [minus(vectorOf(source), from), minus(vectorOf(targets[index] as Point3), to)];
    spread += weight * dot(s, s);
    for (const row of AXES) for (const column of AXES) moment(moments, row)[column] += weight * s[row] * t[column];
  });
  const rotation = rotationOf(moments);
  const aligned = AXES.reduce<number>(
    (sum, row) =>
      sum + AXES.reduce<number>((rest, column) => rest + at(rotation, row, column) * at(moments, column, row), 0),
    0,
  );
  const scale = aligned / spread;
  const turned = times(rotation, from);
  return {
    scale,
    rotation,
    shift: [0, 1, 2].map((axis) => (to[axis] as number) - scale * (turned[axis] as number)) as unknown as Vector,
  };
}

function moment(moments: [number, number, number][], row: number): [number, number, number] {
  return moments[row] as [number, number, number];
}

function at(matrix: Matrix3, row: number, column: number): number {
  return (matrix[row] as Vector)[column] as number;
}

function vectorOf({ x, y, z }: Point3): Vector {
  return [x, y, z];
}

function minus(one: Vector, other: Vector): Vector {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function times(matrix: Matrix3, vector: Vector): Vector {
  const [x, y, z] = matrix as readonly [Vector, Vector, Vector];
  return [dot(x, vector), dot(y, vector), dot(z, vector)];
}

function meanOf(points: readonly Point3[], weights: readonly number[]): Vector {
  let [x, y, z, total] = [0, 0, 0, 0];
  points.forEach((point, index) => {
    const weight = weights[index] as number;
    x += weight * point.x;
    y += weight * point.y;
    z += weight * point.z;
    total += weight;
  });
  return [x / total, y / total, z / total];
}

/** Horn's matrix of moments: its eigenvector of the largest eigenvalue is the quaternion. */
function rotationOf(moments: Matrix3): Matrix3 {
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = moments as readonly [Vector, Vector, Vector];
  const [w, x, y, z] = principalAxis([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ]) as [number, number, number, number];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** The unit eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations. */
function principalAxis(symmetric: readonly (readonly number[])[]): number[] {
  const size = symmetric.length;
  const matrix = Float64Array.from(symmetric.flat());
  const vectors = Float64Array.from({ length: size * size }, (_, index) => (index % (size + 1) === 0 ? 1 : 0));
  const scale = matrix.reduce((sum, value) => sum + value * value, 0);
  for (let sweep = 0; sweep < SWEEPS && offDiagonal(matrix, size) > CONVERGED * scale; sweep++) {
    for (let row = 0; row < size; row++) {
      for (let column = row + 1; column < size; column++) annihilate(matrix, vectors, size, row, column);
    }
  }
  let best = 0;
  for (let axis = 1; axis < size; axis++) {
    if ((matrix[axis * (size + 1)] as number) > (matrix[best * (size + 1)] as number)) best = axis;
  }
  return Array.from({ length: size }, (_, row) => vectors[row * size + best] as number);
}

function offDiagonal(matrix: Float64Array, size: number): number {
  return matrix.reduce((sum, value, index) => sum + (index % (size + 1) === 0 ? 0 : value * value), 0);
}

/** Turns two axes so that the matrix becomes zero where they meet. */
function annihilate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const value = matrix[p * size + q] as number;
  if (value === 0) return;
  const theta = ((matrix[q * (size + 1)] as number) - (matrix[p * (size + 1)] as number)) / (2 * value);
  const tan = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(tan * tan + 1);
  const turn = (values: Float64Array, one: number, other: number) => {
    const [a, b] = [values[one] as number, values[other] as number];
    values[one] = cos * a - tan * cos * b;
    values[other] = tan * cos * a + cos * b;
  };
  for (let index = 0; index < size; index++) turn(matrix, p * size + index, q * size + index);
  for (let index = 0; index < size; index++) turn(matrix, index * size + p, index * size + q);
  for (let index = 0; index < size; index++) turn(vectors, index * size + p, index * size + q);
}
