/** What the tasks on pictures have in common: a model, its input, one picture after the other. */

import type { ModelSource, TFLiteModelOptions, TypedArray } from 'tflite-webnn';
import {
  type ImageOptions,
  type ImagePlacement,
  type ImageSource,
  imageToTensor,
  type Region,
} from 'tflite-webnn/image';
import type { Result } from 'tflite-webnn/results';
import { type OpenModel, openModel, type TaskMetadata, type TaskModel } from './task_model.js';

/** How a task loads its model and prepares pictures. */
export interface ImageTaskOptions extends Omit<ImageOptions, 'region' | 'data' | 'tensor'> {
  /** Names of the classes. Default: those in the model's metadata. */
  readonly labels?: readonly string[];
  /** Language of labels in metadata, e.g. `de`. Default: the first that the file has. */
  readonly locale?: string;
  /** What the file says of itself; null to ignore it. Default: the model's own. */
  readonly metadata?: TaskMetadata | null;
  /** Options of `loadTFLiteModel()`, if the task loads the model. */
  readonly loading?: TFLiteModelOptions;
}

/** One picture. */
export interface PictureOptions {
  /** The part of it to look at, in its pixels. Default: all of it. */
  readonly region?: Region;
}

/** The results for one picture. */
export interface Seen {
  readonly results: readonly Result[];
  readonly placement: ImagePlacement;
}

/** A model that sees pictures. */
export class ImageTask<Options extends ImageTaskOptions = ImageTaskOptions> {
  /** @internal */
  protected readonly options: Options;
  /** @internal */
  protected readonly metadata: TaskMetadata | null;
  readonly #opened: OpenModel;
  readonly #imageOptions: ImageOptions;
  #values: TypedArray | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  protected constructor(opened: OpenModel, options: Options) {
    this.options = options;
    this.metadata = opened.metadata;
    this.#opened = opened;
    this.#imageOptions = imageOptionsOf(opened, options);
  }

  /** The model, e.g. for its report. */
  get model(): TaskModel {
    return this.#opened.model;
  }

  /** Frees the model, if the task has loaded it. */
  async dispose(): Promise<void> {
    if (this.#opened.isOwn) await this.model.dispose();
  }

  /** Frees the model at the end of a block: `await using task = ...`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** @internal Runs the model on a picture; pictures wait for each other because they share one array. */
  protected see(image: ImageSource, { region }: PictureOptions): Promise<Seen> {
    const seen = this.#last.then(() => this.#seeNow(image, region));
    this.#last = seen.catch(() => {});
    return seen;
  }

  async #seeNow(image: ImageSource, region: Region | undefined): Promise<Seen> {
    const data = this.#values;
    const options = { ...this.#imageOptions, ...(region && { region }), ...(data && { data }) };
    const input = await imageToTensor(image, this.model, options as ImageOptions & { tensor?: never });
    this.#values = input.data;
    return { results: await this.model.run(input), placement: input.placement };
  }
}

/** @internal Opens the model of a task. */
export function openFor(source: ModelSource | TaskModel, options: ImageTaskOptions): Promise<OpenModel> {
  return openModel(source, options.loading, options.metadata);
}

/** Normalization from metadata is for float inputs: integer ones take the pixels themselves, as in TFLite's tasks. */
function imageOptionsOf({ model, metadata }: OpenModel, options: ImageTaskOptions): ImageOptions {
  const { normalization, range, input } = options;
  if (normalization || range) return options;
  const position = typeof input === 'string' ? model.inputs.findIndex(({ name }) => name === input) : (input ?? 0);
  const given = metadata?.inputs[position]?.normalization;
  return given && model.inputs[position]?.dtype.startsWith('float') ? { ...options, normalization: given } : options;
}
