/** Tasks of the vision worker. */

import type { VisionTask, VisionTaskOptions } from 'tflite-webnn/vision';

/** What a task finds in an image. */
export interface Sight<Result> {
  /** Plain data: the page gets a copy. */
  readonly result: Result;
  /** Draws the result on a transparent canvas of the image's size; without it, there is nothing to draw. */
  draw?(drawing: OffscreenCanvasRenderingContext2D): void;
}

/** Stages of a frame, in order: milliseconds of each. */
export interface StageTimes {
  /** From the image to the models' input tensors. */
  readonly image: number;
  /** The models' runs. */
  readonly model: number;
  /** From the output tensors to the result. */
  readonly decoding: number;
  /** Showing frame and result. */
  readonly drawing: number;
}

/** A class of `tflite-webnn/vision`, and what a page gets of its results. */
export interface WorkerTask<Result = unknown, Task extends VisionTask = VisionTask> {
  /** Loads the models. */
  create(options: VisionTaskOptions): Promise<Task>;
  /** Looks at an image, or at a frame of the camera with its time in milliseconds. */
  look(task: Task, image: ImageData, timestamp: number | null): Promise<Sight<Result>>;
}

/** The first argument of `createFromOptions()`, which this package's tasks do not read. */
export const FILESET = { wasmLoaderPath: '', wasmBinaryPath: '' };
