/** The landmarks of one body without trembling: in the image, in space, and how visible they are. */

import type { Landmark } from '../results.js';
import type { PixelLandmark } from './points.js';
import { PointSmoother, VisibilitySmoother } from './smoothing.js';

/** The points of a body. */
export interface PosePoints {
  /** In pixels. */
  readonly points: readonly PixelLandmark[];
  /** In meters. */
  readonly world: readonly Landmark[];
}

// In space, speeds are in meters per second.
const METER = 1;

/** Smooths one body from frame to frame. */
export class PoseSmoother {
  readonly #points = new PointSmoother({ minCutoff: 0.05, beta: 80 });
  readonly #world = new PointSmoother({ minCutoff: 0.1, beta: 40 });
  readonly #visibility = new VisibilitySmoother();
  readonly #worldVisibility = new VisibilitySmoother();

  /** The body was lost. As in MediaPipe, only its places in the image are forgotten. */
  lose(): void {
    this.#points.reset();
  }

  /**
   * Smooths a frame.
   *
   * @param size - Side of the body's region in pixels.
   * @param time - Of the frame in milliseconds.
   */
  apply({ points, world }: PosePoints, size: number, time: number): PosePoints {
    return {
      points: this.#points.apply(this.#visibility.apply(points), time, size),
      world: this.#world.apply(this.#worldVisibility.apply(world), time, METER),
    };
  }
}
