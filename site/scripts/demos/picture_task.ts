/** Tasks of the picture demos. */

import type { ProgressBar } from '../common/progress_bar.js';
import type { Facing } from './camera.js';
import type { Net } from './net.js';

/** A task of a picture demo. */
export interface PictureTask<Result> {
  /** Fragment of the page's URL, and value of the radio button. */
  readonly key: string;
  readonly title: string;
  /** Shown below the title. */
  readonly note: string;
  /** Names in models.toml, in the order of the parameters of `analyse`. */
  readonly models: readonly string[];
  readonly facing: Facing;
  /** Fetches data other than the loaded models. */
  prepare?(progressBar: ProgressBar, signal: AbortSignal): Promise<void>;
  /** Runs the models on a picture. */
  analyse(nets: readonly Net[], picture: ImageData): Promise<Result>;
  /** Draws the result over the picture on a canvas of the same size. */
  draw(drawing: CanvasRenderingContext2D, picture: ImageData, result: Result): void;
  /** The result in one sentence. */
  summary(result: Result): string;
  /** The result in detail. */
  details(result: Result): Node;
}
