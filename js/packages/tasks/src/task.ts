/// <reference lib="esnext.disposable" preserve="true" />

/** What all tasks have in common: a model, of which one call at a time makes use. */

import {
  checkGiven,
  MODEL_OPTION_KINDS,
  ModelDisposedError,
  type ModelSource,
  orAbort,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { type Kinds, listOf, SIGNAL, TEXT } from './arguments.js';
import { METADATA, type OpenModel, openModel, type TaskMetadata, type TaskModel } from './task_model.js';

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
export const CALL_OPTIONS: Kinds<TaskCallOptions> = { signal: SIGNAL };

/** @internal What a task's options have to be, besides those of `loadTFLiteModel()`. */
export type OwnKinds<Options> = Kinds<Omit<Required<Options>, keyof TFLiteModelOptions>>;

/** @internal */
export const TASK_OPTIONS: OwnKinds<TaskOptions> = {
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
  #last: Promise<unknown> = Promise.resolve();

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
  protected async inTurn<T, Given extends TaskCallOptions>(
    options: Given,
    work: () => Promise<T>,
    kinds = CALL_OPTIONS as Kinds<Given>,
  ): Promise<T> {
    if (this.#opened === null) throw disposed();
    checkGiven('', options, kinds);
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return orAbort(done, options.signal);
  }
}

const disposed = () => new ModelDisposedError('The task has been disposed.');

/** @internal Opens a task's model and makes the task; a model that is loaded for it is freed where that fails. */
export async function openTask<T, Options extends TaskOptions>(
  source: ModelSource | TaskModel,
  options: Options,
  known: OwnKinds<Options>,
  make: (opened: OpenModel) => T | Promise<T>,
): Promise<T> {
  checkGiven('', options, { ...MODEL_OPTION_KINDS, ...known } as Kinds<Options>);
  const opened = await openModel(source, options);
  try {
    return await make(opened);
  } catch (error) {
    if (opened.isOwn) await opened.model.dispose();
    throw error;
  }
}
