/** A model of a task: on the CPU for calls that wait, on WebNN for those that do not. */

import {
  type ImageOptions,
  type ImageSource,
  type ImageTensor,
  imageToTensorSync,
  type Region,
  type Size,
} from '@tflite-webnn/media/images';
import { imageOptionsOf, TaskModelError } from '@tflite-webnn/tasks';
import {
  BlockingError,
  loadTFLiteModel,
  MetadataError,
  type MLContext,
  type Model,
  OptionError,
  type ShapedValues,
  type TensorInfo,
  type TensorResult,
  type TFLiteModel,
  type TFLiteModelOptions,
  type TypedArray,
} from 'tflite-webnn';
import type { ModelMetadata } from 'tflite-webnn/metadata';
import type { Delegate, ModelLoader } from './options.js';

/** Where the time of a call went, in milliseconds; what is left was spent on the result of the models' outputs. */
export interface CallTimes {
  /** From images to the inputs of models. */
  image: number;
  /** The runs of models. */
  model: number;
}

const IN_WORKER =
  'The model is in a worker, for which no call can wait: use calls with a promise, such as detectAsync().';

/** What the models of a task share. */
export interface Shared {
  readonly delegate: Delegate;
  /** Loads models in place of the task. */
  readonly loadModel: ModelLoader | undefined;
  /** Of the current call, or of the last one. */
  readonly times: CallTimes;
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

/** How an image becomes the input of a model. */
export interface TensorOptions extends Pick<ImageOptions, 'background' | 'normalization' | 'range'> {
  /** How the region fills the input. Default: `stretch`. */
  readonly fit?: 'stretch' | 'letterbox';
}

/** A loaded model; only those in this thread have calls that wait. */
export type Runner = Model & Partial<Pick<TFLiteModel, 'runSync'>>;

/** A model in two instances: the second one, on WebNN, is loaded when it is needed. */
export class VisionModel {
  /** Its file's metadata. */
  readonly metadata: ModelMetadata | null;
  readonly #bytes: Uint8Array;
  readonly #shared: Shared;
  readonly #now: Runner;
  #onWebnn: Promise<Runner> | null = null;
  #isPrepared = false;
  #values: TypedArray | undefined;

  /**
   * Loads a model.
   *
   * @param bytes - The file.
   * @param shared - What it shares with the task's other models.
   * @param options - What the task needs of the file.
   * @throws What loadTFLiteModel() throws; MetadataError.
   */
  static async load(
    bytes: Uint8Array,
    shared: Shared,
    { needsMetadata = true }: LoadOptions = {},
  ): Promise<VisionModel> {
    const model = await (shared.loadModel?.(new Uint8Array(bytes)) ?? loadForCalls(bytes, shared.delegate));
    try {
      return new VisionModel(bytes, shared, model, await model.metadata);
    } catch (error) {
      const isMismatch = error instanceof MetadataError && error.code === 'METADATA_MISMATCH';
      if (!needsMetadata && isMismatch) return new VisionModel(bytes, shared, model, null);
      void model.dispose();
      throw error;
    }
  }

  private constructor(bytes: Uint8Array, shared: Shared, model: Runner, metadata: ModelMetadata | null) {
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
   * An image as its input, normalized as the metadata says, and sampled as MediaPipe's tasks do. The array is that of
   * the image before.
   *
   * @param source - The image.
   * @param region - The part that fills the input, in pixels of the image.
   * @param options - What overrides the metadata; with the fit `letterbox` the region is extended to the input's shape.
   *   Beyond the image are the pixels of its edges, in a letterbox black.
   */
  tensorOf(source: ImageSource, region: Region, options: TensorOptions = {}): ImageTensor {
    const started = performance.now();
    const { fit = 'stretch', background = fit === 'letterbox' ? 0 : 'edge', ...others } = options;
    const { size } = this;
    const full = fit === 'letterbox' ? extended(region, size) : region;
    const known = imageOptionsOf({ model: this, metadata: this.metadata }, { ...others, background });
    if (this.inputs[0]?.dtype.startsWith('float') && !known.normalization && !known.range)
      throw withoutNormalization(this);
    const data = this.#values && { data: this.#values };
    const sampling = { fit: 'stretch', resampling: 'opencv', region: full } as const;
    const input = imageToTensorSync(source, this, { ...known, ...data, ...sampling });
    this.#values = input.data;
    this.#shared.times.image += performance.now() - started;
    return { ...input, placement: { ...input.placement, region: full } };
  }

  /** Runs it before the call returns. Results are in the order of `outputs`. @throws OptionError in a worker. */
  runSync(inputs: readonly ShapedValues[]): readonly TensorResult[] {
    if (this.#now.runSync === undefined) throw new OptionError(IN_WORKER);
    const started = performance.now();
    const results = this.#now.runSync(inputs);
    this.#shared.times.model += performance.now() - started;
    return results;
  }

  /**
   * Runs it on WebNN, if WebNN accepts it. The first run begins to load it there; until then it runs on the CPU.
   *
   * @throws What loading on WebNN has thrown, from then on; what the model throws.
   */
  async run(inputs: readonly ShapedValues[]): Promise<readonly TensorResult[]> {
    const model = this.#isPrepared ? await this.prepare() : this.#now;
    const started = performance.now();
    const results = await model.run(inputs);
    this.#shared.times.model += performance.now() - started;
    this.prepare().catch(() => {}); // after the run, which it would slow down; the next one reports a failure
    return results;
  }

  /** Loads it on WebNN, once. @returns What then runs. @throws What loadTFLiteModel() throws. */
  prepare(): Promise<Runner> {
    this.#onWebnn ??= this.#loadOnWebnn().finally(() => {
      this.#isPrepared = true;
    });
    return this.#onWebnn;
  }

  /** Width and height of the images that it sees: they are [1, height, width, channels]. */
  get size(): Size {
    const [, height = 0, width = 0] = this.inputs[0]?.shape ?? [];
    return { width, height };
  }

  /** Frees both. */
  dispose(): void {
    void this.#now.dispose();
    this.#onWebnn ??= Promise.resolve(this.#now); // a run that is not over loads no other
    this.#onWebnn.then((model) => model !== this.#now && model.dispose()).catch(() => {});
  }

  async #loadOnWebnn(): Promise<Runner> {
    const { delegate, loadModel } = this.#shared;
    // The caller's model is the only one, and one in blocking mode is on WebNN.
    if (loadModel || this.#now.executionMode !== 'cpu') return this.#now;
    // The first model creates the context; those that are loaded at the same time wait for it.
    const { context } = this.#shared;
    const loading = Promise.resolve(context).then((created) =>
      loadTFLiteModel(this.#bytes, onWebnn(delegate, created)),
    );
    this.#shared.context ??= loading.then((model) => model.context).catch(() => null);
    const model = await loading;
    if (model.executionMode !== 'cpu') return model;
    model.dispose();
    return this.#now;
  }
}

function withoutNormalization({ inputs: [input], metadata }: Pick<VisionModel, 'inputs' | 'metadata'>): TaskModelError {
  const what = metadata === null ? 'The model has no metadata' : "The model's metadata has no normalization";
  return new TaskModelError(
    `${what}, which says what pixels its input ${input?.name} accepts: write it into the file, as MediaPipe ` +
      'Model Maker does, or use the tasks of tflite-webnn/tasks, which have the options range and normalization.',
  );
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
  return loadTFLiteModel(bytes, { device: 'cpu' });
}

function onWebnn(delegate: Delegate, context: MLContext | null): TFLiteModelOptions {
  const device = delegate === 'GPU' ? ({ devicePreference: 'gpu' } as const) : {};
  return { enableWebnnDelegate: true, webnnDelegateOptions: { ...device, ...(context && { context }) } };
}

/** A region as tall or as wide as an input of this shape needs, around the same center. */
export function extended(region: Region, { width, height }: Size): Region {
  return {
    ...region,
    width: Math.max(region.width, (region.height * width) / height),
    height: Math.max(region.height, (region.width * height) / width),
  };
}

/** A run of a model. */
export interface ModelRun {
  readonly model: VisionModel;
  /** In the order of the model's inputs. */
  readonly inputs: readonly ShapedValues[];
}

/**
 * The work on one image. It yields the runs that it needs and gets their results, so that one function serves calls
 * that wait and calls that do not: `const [scores] = yield { model, inputs: [tensor] };`
 */
export type Steps<Output> = Generator<ModelRun, Output, readonly TensorResult[]>;

/** Does all steps before it returns. */
export function runSteps<Output>(steps: Steps<Output>): Output {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value.model.runSync(step.value.inputs));
  return step.value;
}

/** Does all steps, with models on WebNN. */
export async function runStepsAsync<Output>(steps: Steps<Output>): Promise<Output> {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value.model.run(step.value.inputs));
  return step.value;
}
