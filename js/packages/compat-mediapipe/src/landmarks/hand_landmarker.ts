/** The 21 points of hands. */

import { DetectingTask } from '../detecting_task.js';
import type { InputImage } from '../input_image.js';
import type { OwnOptions } from '../options.js';
import type { Category, Connection, Landmark, NormalizedLandmark } from '../results.js';
import { bundleOf, type TaskFile } from '../task_file.js';
import type { Steps } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';

import {
  HAND_CONNECTIONS,
  HAND_OPTIONS,
  type Hand,
  HandFinder,
  type HandModels,
  type HandOptions,
  openHandModels,
} from './hand_finder.js';
import { normalized } from './points.js';

/** Which hands a {@link HandLandmarker} finds. */
export interface HandLandmarkerOptions extends HandOptions {}

/** What a {@link HandLandmarker} has found. */
export interface HandLandmarkerResult {
  /** Of each hand 21 points, from the wrist to the fingertips. */
  landmarks: NormalizedLandmark[][];
  /** The same points in meters. */
  worldLandmarks: Landmark[][];
  /** Of each hand `Left` or `Right`, as if the image were mirrored, like a camera's of oneself. */
  handednesses: Category[][];
  /** The same as `handednesses`. */
  handedness: Category[][];
}

/** Finds the landmarks of hands. It takes a bundle, `hand_landmarker.task`. */
export class HandLandmarker extends DetectingTask<HandLandmarkerOptions, HandLandmarkerResult, HandModels> {
  /** Lines of a hand. */
  static readonly HAND_CONNECTIONS: Connection[] = HAND_CONNECTIONS;

  #finder: HandFinder | null = null;

  /** @internal */
  protected override open(file: TaskFile, load: LoadModel): Promise<HandModels> {
    return openHandModels(bundleOf(file, 'HandLandmarker'), load);
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<HandLandmarkerOptions>> {
    return { ...HAND_OPTIONS };
  }

  /** @internal */
  protected override configure(options: HandLandmarkerOptions): void {
    this.#finder = new HandFinder(options);
  }

  /** @internal */
  protected override *steps(image: InputImage, models: HandModels): Steps<HandLandmarkerResult> {
    return handResults(yield* (this.#finder as HandFinder).find(image, models), image);
  }
}

/** Hands as they are returned. */
export function handResults(hands: readonly Hand[], { size }: InputImage): HandLandmarkerResult {
  const handednesses = hands.map(({ handedness }) => [handedness]);
  return {
    landmarks: hands.map(({ points }) => normalized(points, size)),
    worldLandmarks: hands.map(({ world }) => world),
    handednesses,
    handedness: handednesses,
  };
}
