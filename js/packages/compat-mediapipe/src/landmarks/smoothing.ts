/** Landmarks that do not tremble from frame to frame. */

import { OneEuroFilter, type OneEuroOptions } from './one_euro_filter.js';
import type { Point3 } from './points.js';
import { boundsOf } from './regions.js';

/** Smooths the points of one thing. */
export class PointSmoother {
  readonly #filter: OneEuroFilter;

  constructor(options: OneEuroOptions) {
    this.#filter = new OneEuroFilter(options);
  }

  /** Forgets the frames so far: the thing was lost. */
  reset(): void {
    this.#filter.reset();
  }

  /**
   * Smooths the points of a frame.
   *
   * @param points - As many as in the frames before.
   * @param time - Of the frame in milliseconds.
   * @param size - Of the thing, in the measure of the points. Default: the mean side of the box around them.
   */
  apply<P extends Point3>(points: readonly P[], time: number, size = meanSide(points)): P[] {
    if (size < MIN_SIZE) return [...points];
    const values = points.flatMap(({ x, y, z }) => [x, y, z]);
    const smooth = this.#filter.apply(values, time, size);
    const at = (index: number) => smooth[index] as number;
    return points.map((point, index) => ({ ...point, x: at(3 * index), y: at(3 * index + 1), z: at(3 * index + 2) }));
  }
}

/** A low-pass filter of the points' visibility. */
export class VisibilitySmoother {
  #last: number[] | null = null;

  /** Smooths a frame. */
  apply<P extends { readonly visibility: number }>(points: readonly P[]): P[] {
    const last = this.#last ?? points.map(({ visibility }) => visibility);
    const smooth = points.map(
      ({ visibility }, index) => NEW_SHARE * visibility + (1 - NEW_SHARE) * (last[index] as number),
    );
    this.#last = smooth;
    return points.map((point, index) => ({ ...point, visibility: smooth[index] as number }));
  }
}

// A smaller thing gives no measure of speed.
const MIN_SIZE = 1e-6;
const NEW_SHARE = 0.1;

function meanSide(points: readonly Point3[]): number {
  const { width, height } = boundsOf(points);
  return (width + height) / 2;
}
