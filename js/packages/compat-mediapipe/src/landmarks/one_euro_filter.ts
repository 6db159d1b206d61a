/** The one-euro filter: what moves slowly is smoothed much, what moves fast hardly lags (Casiez and others, 2012). */

/** Settings of the filter. */
export interface OneEuroOptions {
  /** Cutoff frequency in Hz of values that do not move. */
  readonly minCutoff: number;
  /** How much the cutoff rises with speed. */
  readonly beta: number;
  /** Cutoff frequency in Hz of the speed. Default: 1. */
  readonly speedCutoff?: number;
}

// Until two frames give another one.
const FIRST_RATE = 30;
const MILLISECONDS = 1000;

/** Filters lists of values of one length, e.g. all coordinates of a hand, from frame to frame. */
export class OneEuroFilter {
  readonly #options: Required<OneEuroOptions>;
  #rate = FIRST_RATE;
  #time = 0;
  #last: Last | null = null;

  constructor(options: OneEuroOptions) {
    this.#options = { speedCutoff: 1, ...options };
  }

  /** Forgets the frames so far. */
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
   * @returns The filtered values; those given where the time is not after the last one's.
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
