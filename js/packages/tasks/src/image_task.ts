/** What the tasks on images have in common: one input, one image after the other. */

import {
  IMAGE_SCHEMA,
  type ImageModel,
  type ImageOptions,
  type ImagePlacement,
  type ImageSource,
  imageToTensor,
  type Region,
} from '@tflite-webnn/media/images';
import type { Result } from '@tflite-webnn/media/results';
import type { TypedArray } from 'tflite-webnn';
import { type OptionSchema, pick } from 'tflite-webnn/option_schema';
import {
  checkArguments,
  METADATA,
  type OpenModel,
  type OwnSchema,
  TASK_OPTIONS,
  Task,
  type TaskCallOptions,
  type TaskMetadata,
  type TaskOptions,
  TENSORS,
} from './task.js';

/** How images are prepared for a model: the same for all. */
export interface ImagePreparation extends Omit<ImageOptions, 'region' | 'data' | 'tensor' | 'signal'> {}

/** How a task loads its model and prepares images. */
export interface ImageTaskOptions extends TaskOptions, ImagePreparation {}

// Functions, so that bundles without tasks on images leave these out.
function preparationKinds(): OptionSchema<Required<ImagePreparation>> {
  const { region: _, data: __, tensor: ___, signal: ____, ...kinds } = IMAGE_SCHEMA;
  return kinds;
}

/** @internal */
export function imageTaskOptions(): OwnSchema<ImageTaskOptions> {
  return { ...TASK_OPTIONS, ...preparationKinds() };
}

/** One image. */
export interface ImageCallOptions extends TaskCallOptions {
  /** The part of it to look at, in its pixels. Default: all of it. */
  readonly region?: Region;
}

/** The results for one image. */
export interface Seen {
  readonly results: readonly Result[];
  readonly placement: ImagePlacement;
}

/** A model that sees images. */
export class ImageTask<Options extends ImageTaskOptions = ImageTaskOptions> extends Task<Options> {
  readonly #imageOptions: ImageOptions;
  #values: TypedArray | undefined;

  protected constructor(opened: OpenModel, options: Options) {
    super(opened, options);
    this.#imageOptions = imageOptionsOf(opened, pick(options as ImageTaskOptions, preparationKinds()));
  }

  /** @internal Runs the model on an image. */
  protected see(image: ImageSource, provided: ImageCallOptions): Promise<Seen> {
    return this.inTurn(
      provided,
      async () => {
        const data = this.#values;
        const options = { ...this.#imageOptions, ...provided, ...(data && { data }) };
        const input = await imageToTensor(image, this.model, options as ImageOptions & { tensor?: never });
        // A run whose caller has aborted it may still read them.
        this.#values = provided.signal ? undefined : input.data;
        return { results: await this.model.run(input, { signal: provided.signal }), placement: input.placement };
      },
      { region: IMAGE_SCHEMA.region, signal: IMAGE_SCHEMA.signal },
    );
  }
}

/**
 * How images are prepared for a model, as far as its file says. Normalization from metadata is for float inputs:
 * integer ones accept the pixels themselves, as in TFLite's tasks. Ultralytics' exports see letterboxed images from 0
 * to 1.
 *
 * @param opened - The model, and its file's metadata.
 * @param options - What is known already, which overrides the file.
 */
export function imageOptionsOf(
  opened: { readonly model: ImageModel; readonly metadata: TaskMetadata | null },
  options: ImagePreparation = {},
): ImageOptions {
  const kinds = { opened: { model: { inputs: TENSORS }, metadata: METADATA }, options: preparationKinds() };
  checkArguments('imageOptionsOf', { opened, options }, kinds);
  const { model, metadata } = opened;
  const { normalization, range, input } = options;
  const position = typeof input === 'string' ? model.inputs.findIndex(({ name }) => name === input) : (input ?? 0);
  if (normalization || range || !model.inputs[position]?.dtype.startsWith('float')) return options;
  const provided = metadata?.inputs[position]?.normalization;
  if (provided) return { ...options, normalization: provided };
  return metadata?.ultralytics ? { fit: 'letterbox', ...options, range: [0, 1] } : options;
}
