/// <reference lib="esnext.disposable" preserve="true" />

/** What all tasks have in common: a model with its metadata, which one call at a time uses. */

import type { Result } from '@tflite-webnn/media/results';
import type { TextMetadata } from '@tflite-webnn/tasks/text';
import {
  type DetectorMetadata,
  loadTFLiteModel,
  MODEL_OPTIONS_SCHEMA,
  ModelDisposedError,
  type ModelSource,
  OptionError,
  prepareMetadata,
  Queue,
  type ScoreCalibration,
  type ShapedValues,
  type TensorInfo,
  type TFLiteModelOptions,
  TFLiteWebnnError,
  type TokenizerMetadata,
  type UltralyticsMetadata,
  validateOptions,
} from 'tflite-webnn';
import {
  having,
  type Kind,
  listOf,
  NUMBER,
  type OptionSchema,
  optional,
  pick,
  SIGNAL,
  TEXT,
} from 'tflite-webnn/option_schema';

/** @internal By one file: a script repeats the import of another one for each file that it contains. */
export { checkArguments } from 'tflite-webnn';

/** A model is not one for the task, or nothing says how its outputs are to be read. */
export class TaskModelError extends TFLiteWebnnError {
  override readonly name = 'TaskModelError';
  override readonly code = 'TASK_MODEL';
}

/** What tasks read of the metadata of an input or output: TFLite Metadata's names. */
export interface TaskTensorMetadata {
  /** Name of the tensor. */
  readonly name?: string | null;
  /** How pixels become the model's values. */
  readonly normalization?: {
    /** What is subtracted, for all channels or for each. */
    readonly mean: readonly number[];
    /** What the difference is divided by, as many. */
    readonly std: readonly number[];
  } | null;
  /** Names of classes, one list for each language. */
  readonly labels?: readonly {
    /** The language, as in BCP 47; null if the file does not say. */
    readonly locale: string | null;
    /** By index of the class. */
    readonly names: readonly string[];
  }[];
  /** What the tensor holds; of boxes, where their sides are. */
  readonly content?: {
    /** `BoundingBoxProperties`, for example. */
    readonly kind: string;
    /** The order of a box's numbers, `BOUNDARIES` for example. */
    readonly type?: string | null;
    /** Where in the last axis the four numbers of a box are. */
    readonly index?: readonly number[];
  } | null;
  /** How scores become comparable. */
  readonly scoreCalibration?: ScoreCalibration | null;
  /** Minimum score that counts. */
  readonly scoreThreshold?: number | null;
  /** How text becomes the input's values. */
  readonly tokenizer?: TokenizerMetadata | null;
}

/** What tasks read of a model's metadata, as `readModelMetadata()` returns it. */
export interface TaskMetadata extends TextMetadata {
  /** In the order of the model's inputs. */
  readonly inputs: readonly TaskTensorMetadata[];
  /** In the order of the model's outputs. */
  readonly outputs: readonly TaskTensorMetadata[];
  /** MediaPipe's object detector. */
  readonly detector?: DetectorMetadata | null;
  /** Ultralytics' exports. */
  readonly ultralytics?: (Pick<UltralyticsMetadata, 'names'> & Partial<UltralyticsMetadata>) | null;
}

const NULL_OR_TEXT: Kind = ['null or a string', (value) => value == null || TEXT[1](value)];
const LABELS = having({ names: listOf(TEXT), locale: NULL_OR_TEXT });
const TENSOR = having({
  name: NULL_OR_TEXT,
  labels: optional(listOf(LABELS)),
});
const IN_FILE = having({ inputs: listOf(TENSOR), outputs: listOf(TENSOR) });
/** @internal */
export const METADATA: Kind = [
  'null or what readModelMetadata() returns',
  (value) => value === null || IN_FILE[1](value),
];
/** @internal */
export const TENSORS = listOf(having({ name: TEXT, dtype: TEXT, shape: listOf(NUMBER) }));

/** A loaded model, in the page or in a worker. */
export interface TaskModel {
  /** Its inputs. */
  readonly inputs: readonly TensorInfo[];
  /** Its outputs. */
  readonly outputs: readonly TensorInfo[];
  /** Its file's metadata, if it was read. */
  readonly metadata?: PromiseLike<TaskMetadata | null> | TaskMetadata | null;
  /**
   * Runs it on its only input, or on all in order; its outputs in order.
   *
   * @param inputs - Values in row-major order, each with its shape.
   * @param options - A signal that ends the call.
   */
  run(
    inputs: ShapedValues | readonly ShapedValues[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Result[]>;
  /** Frees it. */
  dispose(): void | Promise<void>;
}

/** A model that a task runs. */
export interface OpenModel {
  /** The model. */
  readonly model: TaskModel;
  /** Its file's metadata, or what is provided instead. */
  readonly metadata: TaskMetadata | null;
  /** Whether the task has loaded it, and so disposes of it. */
  readonly isOwn: boolean;
}

/**
 * Loads a model, or uses a loaded one.
 *
 * @throws OptionError for an option of loading where the model is loaded.
 */
export async function openModel(
  source: ModelSource | TaskModel,
  { metadata, ...options }: TFLiteModelOptions & { readonly metadata?: TaskMetadata | null },
): Promise<OpenModel> {
  const isLoaded = typeof source === 'object' && source !== null && 'run' in source;
  const loading = pick(options, MODEL_OPTIONS_SCHEMA);
  const [option] = Object.entries(loading).find(([, value]) => value !== undefined) ?? [];
  if (isLoaded && option !== undefined) {
    const message = `the option "${option}" is for a model that the task loads itself`;
    throw new OptionError(message, { details: { option } });
  }
  if (metadata === undefined) prepareMetadata();
  const model: TaskModel = isLoaded ? source : await loadTFLiteModel(source, loading);
  const found = metadata === undefined ? await model.metadata : metadata;
  return { model, metadata: found ?? null, isOwn: !isLoaded };
}

/** @internal Tensors for messages. */
export function described(tensors: readonly TensorInfo[]): string {
  return tensors.map(({ name, dtype, shape }) => `${name} ${dtype}[${shape.join(', ')}]`).join(', ');
}

/** How a task loads its model, with the options of `loadTFLiteModel()`, and reads its metadata. */
export interface TaskOptions extends TFLiteModelOptions {
  /** Names of the classes. Default: those in the model's metadata. */
  readonly labels?: readonly string[];
  /** Language of labels in metadata, e.g. `de`. Default: the first that the file has. */
  readonly locale?: string;
  /** Metadata in place of the file's; null to ignore it. Default: the model's own. */
  readonly metadata?: TaskMetadata | null;
}

/** Options of each call of a task. */
export interface TaskCallOptions {
  /** Ends the call: it rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** @internal */
export const CALL_OPTIONS: OptionSchema<TaskCallOptions> = { signal: SIGNAL };

/** @internal What a task's options have to be, besides those of `loadTFLiteModel()`. */
export type OwnSchema<Options> = OptionSchema<Omit<Required<Options>, keyof TFLiteModelOptions>>;

/** @internal */
export const TASK_OPTIONS: OwnSchema<TaskOptions> = {
  labels: listOf(TEXT),
  locale: TEXT,
  metadata: METADATA,
};

/** A model with a task. */
export class Task<Options extends TaskOptions = TaskOptions> {
  /** @internal */
  protected readonly options: Options;
  /** @internal */
  protected readonly metadata: TaskMetadata | null;
  #opened: OpenModel | null;
  readonly #queue = new Queue();

  protected constructor(opened: OpenModel, options: Options) {
    this.options = options;
    this.metadata = opened.metadata;
    this.#opened = opened;
  }

  /** The model, e.g. for its report. */
  get model(): TaskModel {
    if (this.#opened === null) throw disposed();
    return this.#opened.model;
  }

  /** Ends the task: what is in flight, and later calls, reject. Frees the model, if the task has loaded it. */
  async dispose(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened?.isOwn) await opened.model.dispose();
  }

  /** The same, for `using`: it does not wait. */
  [Symbol.dispose](): void {
    void this.dispose();
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** @internal Calls wait for each other: they share the arrays of the inputs. */
  protected async inTurn<T, Provided extends TaskCallOptions>(
    options: Provided,
    work: () => Promise<T>,
    kinds = CALL_OPTIONS as OptionSchema<Provided>,
  ): Promise<T> {
    if (this.#opened === null) throw disposed();
    validateOptions('', options, kinds);
    const result = await this.#queue.add(work, options.signal);
    if (this.#opened === null) throw disposed();
    return result;
  }
}

const disposed = () => new ModelDisposedError('The task has been disposed.');

/** @internal Opens a task's model and creates the task; a model that is loaded for it is freed where that fails. */
export async function openTask<T, Options extends TaskOptions>(
  source: ModelSource | TaskModel,
  options: Options,
  known: OwnSchema<Options>,
  create: (opened: OpenModel) => T | Promise<T>,
): Promise<T> {
  validateOptions('', options, { ...MODEL_OPTIONS_SCHEMA, ...known } as OptionSchema<Options>);
  const opened = await openModel(source, options);
  try {
    return await create(opened);
  } catch (error) {
    if (opened.isOwn) await opened.model.dispose();
    throw error;
  }
}
