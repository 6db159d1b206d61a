/** Regions from frame to frame: those of the last landmarks, and of a detector where some were lost. */

import type { Region } from 'tflite-webnn/image';
import type { Picture } from '../picture.js';
import type { Steps } from '../steps.js';

/** Makes one list of the last frame's regions and of found ones, where two that overlap more than `most` are one thing. */
export type Association = (last: readonly Region[], found: readonly Region[], most: number) => Region[];

/** How things are followed. */
export interface TrackerOptions {
  /** The most things. */
  readonly most: number;
  /** Overlap at which a found region is that of a tracked thing. */
  readonly overlap: number;
  readonly associate: Association;
}

/** Follows things through the frames of a video. Pictures leave no trace. */
export class RegionTracker {
  readonly #options: TrackerOptions;
  #last: readonly Region[] = [];

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /**
   * The regions to look at in a picture or frame.
   *
   * @param detect - Looks for things; it is not called for a frame if the last one had as many things as are wanted.
   */
  *regions({ timestamp }: Picture, detect: () => Steps<Region[]>): Steps<readonly Region[]> {
    const { most, overlap, associate } = this.#options;
    if (timestamp === null) return (yield* detect()).slice(0, most);
    if (this.#last.length >= most) return this.#last.slice(0, most);
    const found = yield* detect();
    return associate(this.#last, found, overlap).slice(0, most);
  }

  /** Where the things of this frame may be in the next one. */
  expect({ timestamp }: Picture, regions: readonly Region[]): void {
    if (timestamp !== null) this.#last = regions;
  }
}
