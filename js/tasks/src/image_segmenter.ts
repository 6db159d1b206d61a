/** Which pixels belong to what. */

import type { ModelSource } from 'tflite-webnn';
import type { ImageSource } from 'tflite-webnn/image';
import { argmaxMask, type ClassMask, type Mask, type MaskOptions, toMask } from 'tflite-webnn/results';
import { TaskModelError } from './errors.js';
import { ImageTask, type ImageTaskOptions, type PictureOptions, type Seen } from './image_task.js';
import { openTask } from './task.js';
import { labelsOf, type TaskModel } from './task_model.js';

/** How a segmenter prepares pictures and reads its output. */
export interface ImageSegmenterOptions extends ImageTaskOptions {
  /** Position of the output with the mask. Default: 0. */
  readonly output?: number;
  /** What makes probabilities of the output. Default: `none`. */
  readonly activation?: 'none' | 'sigmoid';
  /** Size of the masks: of the picture, or of the model's output, which is faster. Default: `image`. */
  readonly maskSize?: 'image' | 'output';
}

/** The segments of a picture. Masks are computed when they are asked for. */
export interface Segmentation {
  /** Names of the classes, where they are known. */
  readonly labels: readonly string[] | undefined;
  /** Number of classes. A model with one output channel has two: 0 and, where the channel is over a half, 1. */
  readonly classes: number;
  /** The class of each pixel. */
  classMask(): ClassMask;
  /**
   * The model's confidence in one class, for each pixel.
   *
   * @param index - Index of the class; of a model with one channel, 1 is the channel itself.
   */
  confidenceMask(index: number): Mask;
}

const CHANNELS = 3;
const HALF = 0.5;

/** Finds the class of each pixel of a picture. */
export class ImageSegmenter extends ImageTask<ImageSegmenterOptions> {
  /**
   * Makes a segmenter.
   *
   * @param model - The model file, as `loadTFLiteModel()` takes it, or a loaded model of a page or worker.
   * @param options - Labels and normalization, if the file has no metadata.
   * @throws What loadTFLiteModel() throws.
   *
   * @example
   * const segmenter = await ImageSegmenter.create('deeplab.tflite', { range: [-1, 1] });
   * const { width, height, classes } = (await segmenter.segment(image)).classMask();
   */
  static async create(model: ModelSource | TaskModel, options: ImageSegmenterOptions = {}): Promise<ImageSegmenter> {
    return openTask(model, options, (opened) => new ImageSegmenter(opened, options));
  }

  /**
   * Segments a picture.
   *
   * @param image - The picture.
   * @param options - Which part of it; pixels of others are class 0.
   * @throws What imageToTensor() and run() throw; TaskModelError where the output is no mask.
   */
  async segment(image: ImageSource, options: PictureOptions = {}): Promise<Segmentation> {
    const { output = 0, locale } = this.options;
    const seen = await this.see(image, options);
    const labels = this.options.labels ?? labelsOf(this.metadata, output, locale);
    return segmentation(seen, this.options, labels);
  }
}

function segmentation(
  { results, placement }: Seen,
  { output = 0, activation = 'none', maskSize = 'image' }: ImageSegmenterOptions,
  labels: readonly string[] | undefined,
): Segmentation {
  const result = results[output];
  const channels = result?.shape[CHANNELS];
  if (!result || channels === undefined) {
    const shape = result?.shape.join(', ') ?? '';
    throw new TaskModelError(`The output ${output} is [${shape}]: a mask must be [1, height, width, classes].`);
  }
  const options: MaskOptions = maskSize === 'image' ? { placement } : {};
  if (channels > 1) {
    return {
      labels,
      classes: channels,
      classMask: () => argmaxMask(result, options),
      confidenceMask: (channel) => toMask(result, { ...options, channel, activation }),
    };
  }
  const foreground = () => toMask(result, { ...options, activation });
  return {
    labels,
    classes: 2,
    classMask: () => overHalf(foreground()),
    confidenceMask: (index) => (index === 1 ? foreground() : inverted(foreground())),
  };
}

function overHalf({ width, height, values }: Mask): ClassMask {
  return { width, height, classes: Uint8Array.from(values, (value) => (value > HALF ? 1 : 0)) };
}

function inverted({ width, height, values }: Mask): Mask {
  return { width, height, values: values.map((value) => 1 - value) };
}
