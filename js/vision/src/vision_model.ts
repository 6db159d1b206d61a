/** A model of a task: on the CPU for calls that wait, on WebNN for those that do not. */

import {
  BlockingError,
  loadTFLiteModel,
  type MLContext,
  type ShapedValues,
  type TensorInfo,
  type TensorResult,
  type TFLiteModel,
  type TFLiteModelOptions,
  type TypedArray,
} from 'tflite-webnn';
import {
  type ImageOptions,
  type ImageSource,
  type ImageTensor,
  imageToTensorSync,
  type Region,
  type Size,
} from 'tflite-webnn/image';
import { MetadataMismatchError, type ModelMetadata } from 'tflite-webnn/metadata';
import { imageOptionsOf } from 'tflite-webnn/tasks';
import { extended } from './extended_region.js';
import type { Delegate } from './options.js';

/** What the models of a task share. */
export interface Shared {
  readonly delegate: Delegate;
  /** The context of the first model on WebNN. */
  context: Promise<MLContext | null> | null;
}

/** What a task needs of a model's file. */
export interface LoadOptions {
  /**
   * Whether metadata that contradict the model are an error, rather than none. Default: true. Those of MediaPipe's hand
   * models do: they name the labels of another output.
   */
  readonly needsMetadata?: boolean;
}

/** How a picture becomes the input of a model. */
export interface TensorOptions extends Pick<ImageOptions, 'background' | 'normalization' | 'range'> {
  /** How the region fills the input. Default: `stretch`. */
  readonly fit?: 'stretch' | 'letterbox';
}

/** A model in two instances: the second one is loaded when it is needed. */
export class VisionModel {
  /** What its file says of itself. */
  readonly metadata: ModelMetadata | null;
  readonly #bytes: Uint8Array;
  readonly #shared: Shared;
  readonly #now: TFLiteModel;
  #onWebnn: Promise<TFLiteModel> | null = null;
  #values: TypedArray | undefined;

  /**
   * Loads a model.
   *
   * @param bytes - The file.
   * @param shared - What it shares with the task's other models.
   * @param options - What the task needs of the file.
   * @throws What loadTFLiteModel() throws; MetadataMismatchError.
   */
  static async load(
    bytes: Uint8Array,
    shared: Shared,
    { needsMetadata = true }: LoadOptions = {},
  ): Promise<VisionModel> {
    const model = await loadForCalls(bytes, shared.delegate);
    const metadata = await Promise.resolve(model.metadata).catch((error: unknown) => {
      if (needsMetadata || !(error instanceof MetadataMismatchError)) throw error;
      return null;
    });
    return new VisionModel(bytes, shared, model, metadata);
  }

  private constructor(bytes: Uint8Array, shared: Shared, model: TFLiteModel, metadata: ModelMetadata | null) {
    this.#bytes = bytes;
    this.#shared = shared;
    this.#now = model;
    this.metadata = metadata;
  }

  /** Its inputs. */
  get inputs(): readonly TensorInfo[] {
    return this.#now.inputs;
  }

  /** Its outputs. */
  get outputs(): readonly TensorInfo[] {
    return this.#now.outputs;
  }

  /**
   * A picture as its input, normalized as the metadata says, and sampled as MediaPipe's tasks do. The array is that of
   * the picture before.
   *
   * @param source - The picture.
   * @param region - The part that fills the input, in pixels of the picture.
   * @param options - What overrides the metadata; with the fit `letterbox` the region is extended to the input's shape.
   *   Beyond the picture are the pixels of its edges, in a letterbox black.
   */
  tensorOf(source: ImageSource, region: Region, options: TensorOptions = {}): ImageTensor {
    const { fit = 'stretch', background = fit === 'letterbox' ? 0 : 'edge', ...others } = options;
    const size = this.#size;
    const whole = fit === 'letterbox' ? extended(region, size) : region;
    const known = imageOptionsOf({ model: this, metadata: this.metadata }, { ...others, background });
    const data = this.#values && { data: this.#values };
    const sampling = { fit: 'stretch', resampling: 'opencv', region: whole } as const;
    const input = imageToTensorSync(source, this, { ...known, ...data, ...sampling });
    this.#values = input.data;
    return { ...input, placement: { ...input.placement, region: whole } };
  }

  /** Runs it before the call returns. Results are in the order of `outputs`. */
  runSync(inputs: readonly ShapedValues[]): readonly TensorResult[] {
    return this.#now.runSync(inputs);
  }

  /** Runs it on WebNN, where that takes it. */
  async run(inputs: readonly ShapedValues[]): Promise<readonly TensorResult[]> {
    this.#onWebnn ??= this.#loadOnWebnn();
    return (await this.#onWebnn).run(inputs);
  }

  /** Width and height of the pictures that it sees: they are [1, height, width, channels]. */
  get #size(): Size {
    const [, height = 0, width = 0] = this.inputs[0]?.shape ?? [];
    return { width, height };
  }

  /** Frees both. */
  dispose(): void {
    this.#now.dispose();
    this.#onWebnn?.then((model) => model.dispose()).catch(() => {});
  }

  async #loadOnWebnn(): Promise<TFLiteModel> {
    if (this.#now.executionMode !== 'cpu') return this.#now; // blocking mode
    const { delegate } = this.#shared;
    const context = await this.#shared.context;
    const loading = loadTFLiteModel(this.#bytes, onWebnn(delegate, context));
    this.#shared.context ??= loading.then((model) => model.context).catch(() => null);
    const model = await loading;
    if (model.executionMode !== 'cpu') return model;
    model.dispose();
    return this.#now;
  }
}

/** Calls that wait have WebNN only where this thread can wait for it: in a worker of a cross-origin isolated page. */
async function loadForCalls(bytes: Uint8Array, delegate: Delegate): Promise<TFLiteModel> {
  if (delegate === 'GPU' && typeof document === 'undefined') {
    try {
      return await loadTFLiteModel(bytes, {
        enableWebnnDelegate: true,
        webnnDelegateOptions: { devicePreference: 'gpu', blocking: true },
      });
    } catch (error) {
      if (!(error instanceof BlockingError)) throw error;
    }
  }
  return loadTFLiteModel(bytes);
}

function onWebnn(delegate: Delegate, context: MLContext | null): TFLiteModelOptions {
  const device = delegate === 'GPU' ? ({ devicePreference: 'gpu' } as const) : {};
  return { enableWebnnDelegate: true, webnnDelegateOptions: { ...device, ...(context && { context }) } };
}
