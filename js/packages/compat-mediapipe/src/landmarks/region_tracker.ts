/** Regions from frame to frame: those of the last landmarks, and of a detector where some were lost. */

import type { Region, Size } from '@tflite-webnn/media/images';
import type { InputImage } from '../input_image.js';
import type { Steps } from '../vision_model.js';

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

/** Follows things through the frames of a video. Images leave no trace. */
export class RegionTracker {
  readonly #options: TrackerOptions;
  #last: readonly Region[] = [];
  #size: Size = { width: 1, height: 1 };

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /**
   * The regions to look at in an image or frame.
   *
   * @param detect - Looks for things; it is not called for a frame if the last one had as many things as are wanted.
   */
  *regions({ timestamp, size }: InputImage, detect: () => Steps<Region[]>): Steps<readonly Region[]> {
    const { most, overlap, associate } = this.#options;
    if (timestamp === null) return (yield* detect()).slice(0, most);
    const last = this.#last.map((region) =>
      resized(region, size.width / this.#size.width, size.height / this.#size.height),
    );
    if (last.length >= most) return last.slice(0, most);
    const found = yield* detect();
    return associate(last, found, overlap).slice(0, most);
  }

  /** Where the things of this frame may be in the next one. */
  expect({ timestamp, size }: InputImage, regions: readonly Region[]): void {
    if (timestamp === null) return;
    this.#last = regions;
    this.#size = size;
  }
}

/** The same part of a frame of another size: cameras and calls change their size while they run. */
function resized({ center, width, height, rotation }: Region, across: number, down: number): Region {
  return {
    center: { x: center.x * across, y: center.y * down },
    width: width * across,
    height: height * down,
    rotation,
  };
}
