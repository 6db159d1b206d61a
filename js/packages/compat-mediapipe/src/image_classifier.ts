/** What an image shows. */

import type { ImageSource } from '@tflite-webnn/media/images';
import { checkClassifierOptions, classificationsOf, namesOfOutput } from './categories.js';
import type { InputImage } from './input_image.js';
import {
  CLASSIFIER_OPTIONS,
  type ClassifierOptions,
  type ImageProcessingOptions,
  type OwnOptions,
  type VisionTaskOptions,
} from './options.js';
import type { Classifications } from './results.js';
import { onlyModel, type TaskFile } from './task_file.js';
import type { Steps, VisionModel } from './vision_model.js';
import { type LoadModel, VisionTask } from './vision_task.js';

/** Options of {@link ImageClassifier}. */
export interface ImageClassifierOptions extends VisionTaskOptions, ClassifierOptions {}

/** What a classifier has found. */
export interface ImageClassifierResult {
  /** The classes of each output of the model. */
  classifications: Classifications[];
  /** The time of a frame in integer milliseconds. */
  timestampMs?: number;
}

/**
 * Finds the class of an image.
 *
 * @example
 * const vision = await FilesetResolver.forVisionTasks();
 * const classifier = await ImageClassifier.createFromModelPath(vision, 'efficientnet.tflite');
 * const [head] = classifier.classify(document.querySelector('img')).classifications;
 * console.log(head.categories[0].categoryName);
 */
export class ImageClassifier extends VisionTask<ImageClassifierOptions, ImageClassifierResult, VisionModel> {
  #options: ImageClassifierOptions = {};

  /** @internal */
  protected override get acceptsRegion(): boolean {
    return true;
  }

  /**
   * Classifies an image before it returns.
   *
   * @param image - The image.
   * @param processing - Which part of it.
   * @throws OptionError, ModelDisposedError; what imageToTensorSync(), runSync() and topK() throw.
   */
  classify(image: ImageSource, processing?: ImageProcessingOptions): ImageClassifierResult {
    return this.onImage(image, processing);
  }

  /**
   * Classifies a frame before it returns.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - Which part of it.
   * @throws OptionError; what classify() throws.
   */
  classifyForVideo(frame: ImageSource, timestamp: number, processing?: ImageProcessingOptions): ImageClassifierResult {
    return this.onFrame(frame, timestamp, processing);
  }

  /**
   * Classifies an image as classify() does, on WebNN.
   *
   * @param image - The image.
   * @param processing - Which part of it. Default: all of it, upright.
   */
  classifyAsync(image: ImageSource, processing?: ImageProcessingOptions): Promise<ImageClassifierResult> {
    return this.onImageAsync(image, processing);
  }

  /**
   * Classifies a frame as classifyForVideo() does, on WebNN.
   *
   * @param frame - The frame, e.g. a video that shows it.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - Which part of it. Default: all of it, upright.
   */
  classifyForVideoAsync(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): Promise<ImageClassifierResult> {
    return this.onFrameAsync(frame, timestamp, processing);
  }

  /** @internal */
  protected override open(file: TaskFile, load: LoadModel): Promise<VisionModel> {
    return load(onlyModel(file));
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<ImageClassifierOptions>> {
    return { ...CLASSIFIER_OPTIONS };
  }

  /** @internal */
  protected override configure(options: ImageClassifierOptions, { metadata, outputs }: VisionModel): void {
    const hasNames = outputs.some((_, output) => namesOfOutput(metadata, output, options).names !== undefined);
    checkClassifierOptions(options, hasNames);
    this.#options = options;
  }

  /** @internal */
  protected override *steps(
    { source, region, timestamp }: InputImage,
    model: VisionModel,
  ): Steps<ImageClassifierResult> {
    const results = yield { model, inputs: [model.tensorOf(source, region)] };
    const classifications = results.map((result, output) =>
      classificationsOf(result, output, model.metadata, this.#options),
    );
    return { classifications, ...(timestamp !== null && { timestampMs: Math.floor(timestamp) }) };
  }
}
