/** What a demo does with a picture. */

import type { ProgressBar } from '../common/progress_bar.js';
import type { Facing } from './camera.js';
import type { Net } from './net.js';

/** One thing that a page of pictures can compute. */
export interface PictureTask<Result> {
  /** In the page's address, and the radio button's value. */
  readonly key: string;
  readonly title: string;
  /** A line below the title. */
  readonly note: string;
  /** Names of models.toml, in the order in which `analyse` wants them. */
  readonly models: readonly string[];
  readonly facing: Facing;
  /** Fetches what it needs besides loaded models. */
  prepare?(progressBar: ProgressBar, signal: AbortSignal): Promise<void>;
  /** Runs the models. */
  analyse(nets: readonly Net[], picture: ImageData): Promise<Result>;
  /** Draws on a canvas that has the picture's size and shows it. */
  draw(drawing: CanvasRenderingContext2D, picture: ImageData, result: Result): void;
  /** What was found, in one sentence. */
  summary(result: Result): string;
  /** The same in detail. */
  details(result: Result): Node;
}
