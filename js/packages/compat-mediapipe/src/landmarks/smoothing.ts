/** Landmarks that do not tremble from frame to frame. */

import type { Landmark } from '../results.js';
import type { PixelLandmark, Point3 } from './landmark_models.js';
import { boundsOf } from './regions.js';

/** Settings of the filter. */
export interface OneEuroOptions {
  /** Cutoff frequency in Hz of values that do not move. */
  readonly minCutoff: number;
  /** How much the cutoff rises with speed. */
  readonly beta: number;
  /** Cutoff frequency in Hz of the speed. Default: 1. */
  readonly speedCutoff?: number;
}

// Until two frames determine another one.
const FIRST_RATE = 30;
const MILLISECONDS = 1000;

/**
 * Filters lists of values of one length, e.g. all coordinates of a hand, from frame to frame. As MediaPipe does, and
 * 1eurofilter 1.3 does not, it computes speeds from the raw values, and divides them by the size of the thing.
 */
export class OneEuroFilter {
  readonly #options: Required<OneEuroOptions>;
  #rate = FIRST_RATE;
  #time = 0;
  #last: Last | null = null;

  constructor(options: OneEuroOptions) {
    this.#options = { speedCutoff: 1, ...options };
  }

  /** Clears the state of earlier frames. */
  reset(): void {
    this.#rate = FIRST_RATE;
    this.#time = 0;
    this.#last = null;
  }

  /**
   * Filters the values of a frame.
   *
   * @param values - As many as before.
   * @param time - Of the frame in milliseconds.
   * @param size - Of the thing, in the measure of the values: speeds are relative to it. Default: 1.
   * @returns The filtered values; those provided where the time is not after the last one's.
   */
  apply(values: ArrayLike<number>, time: number, size = 1): ArrayLike<number> {
    if (time <= this.#time) return values;
    if (this.#time !== 0) this.#rate = MILLISECONDS / (time - this.#time);
    this.#time = time;
    const last = this.#last;
    if (last === null) {
      this.#last = {
        raw: Float64Array.from(values),
        filtered: Float64Array.from(values),
        speeds: new Float64Array(values.length),
      };
      return values;
    }
    const speedShare = this.#shareOf(this.#options.speedCutoff);
    for (let index = 0; index < values.length; index++)
      this.#step(last, index, values[index] as number, size, speedShare);
    return Float64Array.from(last.filtered);
  }

  #step({ raw, filtered, speeds }: Last, index: number, value: number, size: number, speedShare: number): void {
    const speed = ((value - (raw[index] as number)) / size) * this.#rate;
    const smoothSpeed = speedShare * speed + (1 - speedShare) * (speeds[index] as number);
    const share = this.#shareOf(this.#options.minCutoff + this.#options.beta * Math.abs(smoothSpeed));
    filtered[index] = share * value + (1 - share) * (filtered[index] as number);
    raw[index] = value;
    speeds[index] = smoothSpeed;
  }

  /** The new value's share in a low-pass filter. */
  #shareOf(cutoff: number): number {
    return 1 / (1 + this.#rate / (2 * Math.PI * cutoff));
  }
}

/** The last frame. */
interface Last {
  readonly raw: Float64Array;
  readonly filtered: Float64Array;
  readonly speeds: Float64Array;
}

/** Smooths the points of one thing. */
export class PointSmoother {
  readonly #filter: OneEuroFilter;

  constructor(options: OneEuroOptions) {
    this.#filter = new OneEuroFilter(options);
  }

  /** Clears the state of earlier frames: the thing was lost. */
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

// A smaller thing has no reliable speed.
const MIN_SIZE = 1e-6;
const NEW_SHARE = 0.1;

function meanSide(points: readonly Point3[]): number {
  const { width, height } = boundsOf(points);
  return (width + height) / 2;
}

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

  /** The body was lost. As in MediaPipe, only its positions in the image are cleared. */
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
