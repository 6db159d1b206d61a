/** Tasks of the vision worker. */

import type { TFLiteModel } from 'tflite-webnn';

/** The result of a task on an image. */
export interface TaskResult<Result> {
  /** Cloneable: the page gets a copy. */
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

/** Loads a model from its bytes. */
export type LoadModel = (bytes: Uint8Array<ArrayBuffer>) => Promise<TFLiteModel>;

/** A task with its models loaded. */
export interface OpenTask<Result = unknown> {
  /** Of the last image. */
  readonly times: Pick<StageTimes, 'image' | 'model'>;
  /** Processes an image, or a frame of the camera with its time in milliseconds. */
  process(image: ImageData, timestamp: number | null): Promise<TaskResult<Result>>;
  /** Frees the models. */
  close(): void;
}

/** A task of the package, and what a page gets of its results. */
export interface WorkerTask<Result = unknown> {
  /**
   * Loads the models of a `.tflite` or `.task` file.
   *
   * @param labels - Of a file of the visitor's; undefined for those of the metadata.
   */
  open(file: Uint8Array<ArrayBuffer>, loadModel: LoadModel, labels?: readonly string[]): Promise<OpenTask<Result>>;
}
