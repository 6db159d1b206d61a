/** Which pixels belong to what. */

import type { ImageSource } from '@tflite-webnn/media/images';
import {
  argmaxMask,
  type ClassMask,
  type Mask,
  type MaskOptions,
  type Result,
  toMask,
} from '@tflite-webnn/media/results';
import type { ModelSource } from 'tflite-webnn';
import { COUNT, oneOf } from 'tflite-webnn/option_schema';
import { labelsOf } from './categories.js';
import { type ImageCallOptions, ImageTask, type ImageTaskOptions, imageTaskOptions, type Seen } from './image_task.js';
import { type OwnSchema, openTask, type TaskModel, TaskModelError } from './task.js';

/** How a segmenter prepares images and reads its output. */
export interface ImageSegmenterOptions extends ImageTaskOptions {
  /** Position of the output with the mask. Default: 0. */
  readonly output?: number;
  /** Turns the output into probabilities. Default: `none`. */
  readonly activation?: 'none' | 'sigmoid';
  /** Size of the masks: of the image, or of the model's output, which is faster. Default: `image`. */
  readonly maskSize?: 'image' | 'output';
  /**
   * Order of the output's dimensions. Default: the one in which height and width fit those of the input or, where both
   * do, in which there are as many classes as labels; else `nhwc`.
   */
  readonly outputLayout?: 'nhwc' | 'nchw';
}

/** The segments of an image. Masks are computed when they are requested. */
export interface Segmentation {
  /** Names of the classes, where they are known. */
  readonly labels: readonly string[] | undefined;
  /** Number of classes. A model with one output channel has two: 0 and, where the channel is over a half, 1. */
  readonly classes: number;
  /** The class of each pixel. */
  classMask(): ClassMask;
  /**
   * The model's confidence in one class, for each pixel; 1 or 0 if the model outputs only classes.
   *
   * @param index - Index of the class; of a model with one channel, 1 is the channel itself.
   */
  confidenceMask(index: number): Mask;
}

const DIMENSIONS = 4;
const COLORS = [1, 3, 4];
const HALF = 0.5;

const known = (): OwnSchema<ImageSegmenterOptions> => ({
  ...imageTaskOptions(),
  output: COUNT,
  activation: oneOf(['none', 'sigmoid']),
  maskSize: oneOf(['image', 'output']),
  outputLayout: oneOf(['nhwc', 'nchw']),
});

/** Finds the class of each pixel of an image. */
export class ImageSegmenter extends ImageTask<ImageSegmenterOptions> {
  /**
   * Creates a segmenter.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Labels and normalization, if the file has no metadata.
   * @throws What loadTFLiteModel() throws.
   *
   * @example
   * const segmenter = await ImageSegmenter.create('deeplab.tflite', { range: [-1, 1] });
   * const { width, height, classes } = (await segmenter.segment(image)).classMask();
   */
  static async create(model: ModelSource | TaskModel, options: ImageSegmenterOptions = {}): Promise<ImageSegmenter> {
    return openTask(model, options, known(), (opened) => new ImageSegmenter(opened, options));
  }

  /**
   * Segments an image.
   *
   * @param image - The image.
   * @param options - Which part of it, pixels of others are class 0; a signal.
   * @throws What imageToTensor() and run() throw; TaskModelError where the output is no mask.
   */
  async segment(image: ImageSource, options: ImageCallOptions = {}): Promise<Segmentation> {
    const { output = 0, locale } = this.options;
    const seen = await this.see(image, options);
    const labels = this.options.labels ?? labelsOf(this.metadata, output, locale);
    const layout = this.options.outputLayout ?? layoutOf(seen.results[output], this.#inputSize, labels);
    return segmentation(seen, { ...this.options, outputLayout: layout }, labels);
  }

  get #inputSize(): readonly number[] {
    const { input = 0 } = this.options;
    const { inputs } = this.model;
    const shape = (typeof input === 'number' ? inputs[input] : inputs.find(({ name }) => name === input))?.shape ?? [];
    const sizes = shape.slice(-3);
    return COLORS.includes(sizes[2] as number) ? sizes.slice(0, 2) : sizes.slice(1);
  }
}

/** Which dimensions of an output are height and width. */
function layoutOf(
  result: Result | undefined,
  [height = 1, width = 1]: readonly number[],
  labels: readonly string[] | undefined,
): 'nhwc' | 'nchw' {
  const [, a = 0, b = 0, c = 0] = result?.shape ?? [];
  const [isLast, isFirst] = [a * width === b * height, b * width === c * height];
  const isByLabels = labels !== undefined && labels.length === a && labels.length !== c;
  return isFirst && (!isLast || isByLabels) ? 'nchw' : 'nhwc';
}

function segmentation(
  { results, placement }: Seen,
  { output = 0, activation = 'none', maskSize = 'image', outputLayout: layout = 'nhwc' }: ImageSegmenterOptions,
  labels: readonly string[] | undefined,
): Segmentation {
  const result = results[output];
  const length = result?.shape.length ?? 0;
  if (!result || length < DIMENSIONS - 1 || length > DIMENSIONS) {
    const shape = result?.shape.join(', ') ?? '';
    throw new TaskModelError(
      `The output ${output} is [${shape}]: a mask must be [1, height, width, classes], [1, classes, height, width] or, ` +
        'with the classes themselves, [1, height, width].',
    );
  }
  const options: MaskOptions = maskSize === 'image' ? { placement, layout } : { layout };
  const channels = length < DIMENSIONS ? 1 : (result.shape[layout === 'nchw' ? 1 : DIMENSIONS - 1] as number);
  if (channels === 1 && hasClasses(result)) {
    const classMask = () => argmaxMask(result, options);
    const classes = labels?.length ?? highest(result) + 1;
    return { labels, classes, classMask, confidenceMask: (index) => only(classMask(), index) };
  }
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

/** Integers that stand for no real numbers are classes. */
function hasClasses({ data, quantization }: Result): boolean {
  return !quantization && !/Float/.test(Object.prototype.toString.call(data));
}

function highest({ data }: Result): number {
  let max = 0;
  for (let at = 0; at < data.length; at++) max = Math.max(max, Number(data[at]));
  return max;
}

function only({ width, height, classes }: ClassMask, index: number): Mask {
  return { width, height, values: Float32Array.from(classes, (value) => Number(value === index)) };
}

function overHalf({ width, height, values }: Mask): ClassMask {
  return { width, height, classes: Uint8Array.from(values, (value) => (value > HALF ? 1 : 0)) };
}

function inverted({ width, height, values }: Mask): Mask {
  return { width, height, values: values.map((value) => 1 - value) };
}
