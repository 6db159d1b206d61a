/** Tasks of the picture demos. */

import type { VisionTask, VisionTaskOptions } from 'tflite-webnn/vision';
import type { Facing } from './camera.js';

/** A task of a picture demo: a class of `tflite-webnn/vision`, and what the page shows of its results. */
export interface PictureTask<Result, Task extends VisionTask = VisionTask> {
  /** Fragment of the page's URL, and value of the radio button. */
  readonly key: string;
  readonly title: string;
  /** Shown below the title. */
  readonly note: string;
  /** The file of the class, by its name in pages.toml. */
  readonly file: string;
  readonly facing: Facing;
  /** Loads the models. */
  create(options: VisionTaskOptions): Promise<Task>;
  /** Looks at a picture, or at a frame of the camera with its time in milliseconds. */
  look(task: Task, picture: ImageData, timestamp: number | null): Promise<Result>;
  /** Draws the result over the picture on a canvas of the same size. */
  draw(drawing: CanvasRenderingContext2D, picture: ImageData, result: Result): void;
  /** The result in one sentence. */
  summary(result: Result): string;
  /** The result in detail. */
  details(result: Result, picture: ImageData): Node;
}

/** The first argument of `createFromOptions()`, which this package's tasks do not read. */
export const FILESET = { wasmLoaderPath: '', wasmBinaryPath: '' };
