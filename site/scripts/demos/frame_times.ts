/** Where the time of camera frames goes. */

import type { StageTimes } from '../vision/worker_task.js';

/** A stage's part of the frames since the last reset. */
export interface StageShare {
  readonly title: string;
  /** Milliseconds per frame. */
  readonly ms: number;
  /** Of the time that all stages take, from 0 to 1. */
  readonly share: number;
}

const TITLES: Readonly<Record<keyof StageTimes, string>> = {
  image: 'Image to tensor',
  model: 'Model',
  decoding: 'Decoding',
  drawing: 'Drawing',
};

/** Adds up the stages of frames, and counts them. */
export class FrameTimes {
  #sums: Record<keyof StageTimes, number> = { image: 0, model: 0, decoding: 0, drawing: 0 };
  #frames = 0;
  #since: number;

  /** @param now - Milliseconds of the clock. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now();
  }

  /** Adds a frame. */
  add(times: StageTimes): void {
    for (const stage of stages()) this.#sums[stage] += times[stage];
    this.#frames += 1;
  }

  /** Milliseconds since the last reset. */
  get passedMs(): number {
    return this.now() - this.#since;
  }

  /** Frames per second; the wait for the camera counts, too. */
  get rate(): number {
    return (this.#frames * 1000) / this.passedMs;
  }

  /** The stages, in order. */
  get shares(): readonly StageShare[] {
    const total = stages().reduce((sum, stage) => sum + this.#sums[stage], 0);
    return stages().map((stage) => ({
      title: TITLES[stage],
      ms: this.#sums[stage] / Math.max(1, this.#frames),
      share: total === 0 ? 0 : this.#sums[stage] / total,
    }));
  }

  /** Begins again. */
  reset(): void {
    for (const stage of stages()) this.#sums[stage] = 0;
    this.#frames = 0;
    this.#since = this.now();
  }
}

/** Titles of the stages, in order. */
export const STAGE_TITLES: readonly string[] = Object.values(TITLES);

function stages(): (keyof StageTimes)[] {
  return Object.keys(TITLES) as (keyof StageTimes)[];
}
