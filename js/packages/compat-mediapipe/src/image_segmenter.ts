/** Which pixels belong to what. */

import type { ImagePlacement, ImageSource } from '@tflite-webnn/media/images';
import { type Result, realValues, toMask } from '@tflite-webnn/media/results';
import { probabilitiesOf } from '@tflite-webnn/media/results/unchecked';
import { labelsOf, TaskModelError } from '@tflite-webnn/tasks';
import { FLAG, TEXT } from 'tflite-webnn/option_schema';
import type { InputImage } from './input_image.js';
import { categoryMask, MPMask } from './mask.js';
import {
  handed,
  type ImageProcessingOptions,
  type OwnOptions,
  optionsAndCallback,
  type VisionTaskOptions,
} from './options.js';
import { onlyModel, type TaskFile } from './task_file.js';
import type { Steps, VisionModel } from './vision_model.js';
import { type LoadModel, VisionTask } from './vision_task.js';

/** Options of {@link ImageSegmenter}. */
export interface ImageSegmenterOptions extends VisionTaskOptions {
  /** Language of the labels. Default: the first that the file has. */
  displayNamesLocale?: string | undefined;
  /** Return a mask of confidence for each class. Default: true. */
  outputConfidenceMasks?: boolean | undefined;
  /** Return a mask of classes. Default: false. */
  outputCategoryMask?: boolean | undefined;
}

/** The segments of an image, in its size. */
export class ImageSegmenterResult {
  /**
   * Creates a result.
   *
   * @param confidenceMasks - The confidence in each class, with the option `outputConfidenceMasks`.
   * @param categoryMask - The class of each pixel, with the option `outputCategoryMask`. A model of one class has 0
   *   where it is, and 255 elsewhere.
   * @param qualityScores - How good the masks are; 1 for each class of a model without them.
   */
  constructor(
    readonly confidenceMasks?: MPMask[] | undefined,
    readonly categoryMask?: MPMask | undefined,
    readonly qualityScores?: number[] | undefined,
  ) {}

  /** Without effect: the masks remain readable. */
  close(): void {}
}

/**
 * Receives a result.
 *
 * @param result - The masks.
 */
export type ImageSegmenterCallback = (result: ImageSegmenterResult) => void;

/** By the names in metadata. */
const ACTIVATIONS = { NONE: 'none', SIGMOID: 'sigmoid', SOFTMAX: 'softmax' } as const;

/** The model's only image, with its classes last. */
interface Scores extends Result {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  readonly classes: number;
}

const DIMENSIONS = 4;
const HALF = 0.5;

/**
 * Finds the class of each pixel of an image.
 *
 * @example
 * const vision = await FilesetResolver.forVisionTasks();
 * const segmenter = await ImageSegmenter.createFromOptions(vision, {
 *   baseOptions: { modelAssetPath: 'deeplab.tflite' },
 *   outputCategoryMask: true,
 * });
 * segmenter.segment(image, ({ categoryMask }) => console.log(categoryMask?.getAsUint8Array()));
 */
export class ImageSegmenter extends VisionTask<ImageSegmenterOptions, ImageSegmenterResult, VisionModel> {
  #options: ImageSegmenterOptions = {};
  #labels: readonly string[] = [];

  /**
   * Segments an image before it returns.
   *
   * @param image - The image.
   * @param callback - Receives the result before the call returns.
   * @throws OptionError, ModelDisposedError; TaskModelError where the model's output is no mask; what
   *   imageToTensorSync() and runSync() throw.
   */
  segment(image: ImageSource, callback: ImageSegmenterCallback): void;
  /**
   * Segments an image before it returns.
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   * @param callback - Receives the result before the call returns.
   * @throws OptionError, ModelDisposedError; TaskModelError where the model's output is no mask; what
   *   imageToTensorSync() and runSync() throw.
   */
  segment(image: ImageSource, processing: ImageProcessingOptions, callback: ImageSegmenterCallback): void;
  /**
   * Segments an image before it returns.
   *
   * @param image - The image.
   * @param processing - How it is rotated.
   * @throws OptionError, ModelDisposedError; TaskModelError where the model's output is no mask; what
   *   imageToTensorSync() and runSync() throw.
   */
  segment(image: ImageSource, processing?: ImageProcessingOptions): ImageSegmenterResult;
  segment(
    image: ImageSource,
    processing?: ImageProcessingOptions | ImageSegmenterCallback,
    callback?: ImageSegmenterCallback,
  ): ImageSegmenterResult | undefined {
    const [options, receive] = optionsAndCallback(processing, callback);
    return handed(this.onImage(image, options), receive);
  }

  /**
   * Segments a frame before it returns.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param callback - Receives the result before the call returns.
   * @throws OptionError; what segment() throws.
   */
  segmentForVideo(frame: ImageSource, timestamp: number, callback: ImageSegmenterCallback): void;
  /**
   * Segments a frame before it returns.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   * @param callback - Receives the result before the call returns.
   * @throws OptionError; what segment() throws.
   */
  segmentForVideo(
    frame: ImageSource,
    timestamp: number,
    processing: ImageProcessingOptions,
    callback: ImageSegmenterCallback,
  ): void;
  /**
   * Segments a frame before it returns.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated.
   * @throws OptionError; what segment() throws.
   */
  segmentForVideo(frame: ImageSource, timestamp: number, processing?: ImageProcessingOptions): ImageSegmenterResult;
  segmentForVideo(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions | ImageSegmenterCallback,
    callback?: ImageSegmenterCallback,
  ): ImageSegmenterResult | undefined {
    const [options, receive] = optionsAndCallback(processing, callback);
    return handed(this.onFrame(frame, timestamp, options), receive);
  }

  /**
   * Segments an image as segment() does, on WebNN.
   *
   * @param image - The image.
   * @param processing - How it is rotated. Default: all of it, upright.
   */
  segmentAsync(image: ImageSource, processing?: ImageProcessingOptions): Promise<ImageSegmenterResult> {
    return this.onImageAsync(image, processing);
  }

  /**
   * Segments a frame as segmentForVideo() does, on WebNN.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated. Default: all of it, upright.
   */
  segmentForVideoAsync(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): Promise<ImageSegmenterResult> {
    return this.onFrameAsync(frame, timestamp, processing);
  }

  /** Names of the classes by their index in the masks; empty where the file has none. */
  getLabels(): string[] {
    return [...this.#labels];
  }

  /** @internal */
  protected override open(file: TaskFile, load: LoadModel): Promise<VisionModel> {
    return load(onlyModel(file));
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<ImageSegmenterOptions>> {
    return { displayNamesLocale: TEXT, outputConfidenceMasks: FLAG, outputCategoryMask: FLAG };
  }

  /** @internal */
  protected override configure(options: ImageSegmenterOptions, { metadata, outputs }: VisionModel): void {
    this.#options = options;
    this.#labels = labelsOf(metadata, outputs.length - 1, options.displayNamesLocale) ?? [];
  }

  /** @internal */
  protected override *steps({ source, region, size }: InputImage, model: VisionModel): Steps<ImageSegmenterResult> {
    const { outputConfidenceMasks = true, outputCategoryMask = false } = this.#options;
    const input = model.tensorOf(source, region);
    const results = yield { model, inputs: [input] };
    const scores = scoresOf(results);
    const activation = model.metadata?.segmenter?.activation ?? 'NONE';
    const quality = results.length > 1 ? Array.from(realValues(results[0] as Result)) : Array(scores.classes).fill(1);
    const category = () => {
      const values = categoryMask({ ...scores, values: scores.data }, size, activation === 'SIGMOID' ? 0 : HALF);
      return MPMask.of(values, size.width, size.height);
    };
    return new ImageSegmenterResult(
      outputConfidenceMasks ? confidenceMasks(scores, activation, input.placement) : undefined,
      outputCategoryMask ? category() : undefined,
      quality,
    );
  }
}

/** The last output has the masks; the one before it has their quality. */
function scoresOf(results: readonly Result[]): Scores {
  const result = results.at(-1) as Result;
  const [, height = 0, width = 0, classes = 0] = result.shape;
  if (result.shape.length !== DIMENSIONS || result.shape[0] !== 1) {
    throw new TaskModelError(`The model's output is [${result.shape}]: a mask must be [1, height, width, classes].`);
  }
  return { data: realValues(result), shape: result.shape, width, height, classes };
}

/** Each is computed when it is read. */
function confidenceMasks(scores: Scores, activation: keyof typeof ACTIVATIONS, placement: ImagePlacement): MPMask[] {
  const { width, height } = placement.image;
  let probabilities: Result | null = null;
  const read = (channel: number) => {
    probabilities ??= { ...scores, data: probabilitiesOf(scores.data, scores.classes, ACTIVATIONS[activation]) };
    return toMask(probabilities, { channel, placement }).values;
  };
  return Array.from({ length: scores.classes }, (_, channel) => MPMask.of(() => read(channel), width, height));
}
