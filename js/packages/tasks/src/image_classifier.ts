/** What an image shows. */

import type { ImageSource } from '@tflite-webnn/media/images';
import { type Category, type Result, TOP_K_SCHEMA, type TopKOptions } from '@tflite-webnn/media/results';
import type { ModelSource } from 'tflite-webnn';
import { COUNT, pick } from 'tflite-webnn/option_schema';
import { bestCategories, CATEGORY_KINDS } from './categories.js';
import { type ImageCallOptions, ImageTask, type ImageTaskOptions, imageTaskOptions } from './image_task.js';
import { type OwnSchema, openTask, type TaskModel } from './task.js';

/** Which classes a classifier returns, and how it prepares images. */
export interface ImageClassifierOptions extends ImageTaskOptions, TopKOptions {
  /** Position of the output with the scores. Default: 0. */
  readonly output?: number;
}

const known = (): OwnSchema<ImageClassifierOptions> => ({ ...imageTaskOptions(), ...TOP_K_SCHEMA, output: COUNT });

/** Finds the class of an image. */
export class ImageClassifier extends ImageTask<ImageClassifierOptions> {
  /**
   * Creates a classifier.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Labels and normalization, if the file has no metadata; limits of the results.
   * @throws What loadTFLiteModel() throws.
   *
   * @example
   * const classifier = await ImageClassifier.create('mobilenet.tflite', { k: 3 });
   * const [best] = await classifier.classify(document.querySelector('img'));
   */
  static async create(model: ModelSource | TaskModel, options: ImageClassifierOptions = {}): Promise<ImageClassifier> {
    return openTask(model, options, known(), (opened) => new ImageClassifier(opened, options));
  }

  /**
   * Classifies an image.
   *
   * @param image - The image.
   * @param options - Which part of it, and a signal.
   * @returns The best classes, best first.
   * @throws What imageToTensor(), run() and topK() throw.
   */
  async classify(image: ImageSource, options: ImageCallOptions = {}): Promise<Category[]> {
    const { output = 0 } = this.options;
    const { results } = await this.see(image, options);
    return bestCategories(results[output] as Result, output, this.metadata, pick(this.options, CATEGORY_KINDS));
  }
}
