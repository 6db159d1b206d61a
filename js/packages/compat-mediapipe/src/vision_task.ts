// biome-ignore-all lint/complexity/noThisInStatic: static methods create tasks of the subclass that they are called on
/// <reference lib="esnext.disposable" preserve="true" />

/** What all tasks have in common: options, models, running modes. */

import type { ImageSource } from '@tflite-webnn/media/images';
import { ModelDisposedError, OptionError, preloadTFLite, Queue } from 'tflite-webnn';
import { type InputImage, inputImageOf, still, warmUp } from './input_image.js';
import {
  ALL_SCHEMA,
  checkOptions,
  type ImageProcessingOptions,
  merged,
  type OwnOptions,
  type VisionTaskOptions,
} from './options.js';
import { openTaskFile, type TaskFile, type WasmFileset } from './task_file.js';
import {
  type CallTimes,
  type LoadOptions,
  runSteps,
  runStepsAsync,
  type Shared,
  type Steps,
  VisionModel,
} from './vision_model.js';

/** Loads a model of the task from its bytes; the task frees it. */
export type LoadModel = (bytes: Uint8Array, options?: LoadOptions) => Promise<VisionModel>;

/** What a task has loaded. */
interface Opened<Models> {
  readonly file: TaskFile;
  readonly models: Models;
  readonly loaded: readonly VisionModel[];
  readonly times: CallTimes;
}

/** A task on images or frames. A subclass says which models it runs, and what it does with their results. */
export abstract class VisionTask<
  Options extends VisionTaskOptions = VisionTaskOptions,
  Output = unknown,
  Models = unknown,
> {
  #options = {} as Options;
  #opened: Opened<Models> | null = null;
  #lastTimestamp = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #queue = new Queue();

  /** createFromOptions() creates them. */
  protected constructor() {}

  /**
   * Creates a task.
   *
   * @param this - The task's class.
   * @param _wasmFileset - Of `FilesetResolver`; without effect.
   * @param options - The model, and how the task works.
   * @throws OptionError; ModelFetchError; TaskModelError where the file has other models; what loadTFLiteModel()
   *   throws.
   */
  static async createFromOptions<Task extends VisionTask>(
    this: { readonly prototype: Task },
    _wasmFileset: WasmFileset,
    options: Parameters<Task['setOptions']>[0],
  ): Promise<Task> {
    const task = new (this as unknown as new () => Task)();
    try {
      await task.setOptions(options);
    } catch (error) {
      task.close();
      throw error;
    }
    return task;
  }

  /**
   * Creates a task with default options.
   *
   * @param this - The task's class.
   * @param wasmFileset - Of `FilesetResolver`; without effect.
   * @param modelAssetPath - Address of the `.task` bundle or `.tflite` file.
   * @throws What createFromOptions() throws.
   */
  static createFromModelPath<Task extends VisionTask>(
    this: { readonly prototype: Task } & Pick<typeof VisionTask, 'createFromOptions'>,
    wasmFileset: WasmFileset,
    modelAssetPath: string,
  ): Promise<Task> {
    return this.createFromOptions(wasmFileset, { baseOptions: { modelAssetPath } });
  }

  /**
   * Creates a task with default options.
   *
   * @param this - The task's class.
   * @param wasmFileset - Of `FilesetResolver`; without effect.
   * @param modelAssetBuffer - The bytes of the file, or a reader of them.
   * @throws What createFromOptions() throws.
   */
  static createFromModelBuffer<Task extends VisionTask>(
    this: { readonly prototype: Task } & Pick<typeof VisionTask, 'createFromOptions'>,
    wasmFileset: WasmFileset,
    modelAssetBuffer: Uint8Array | ReadableStreamDefaultReader,
  ): Promise<Task> {
    return this.createFromOptions(wasmFileset, { baseOptions: { modelAssetBuffer } });
  }

  /**
   * Changes options, after the calls that wait; immediately if there are none and the models remain. Options that are
   * not provided remain; one that is undefined gets its default. What the task remembers of frames before is gone.
   *
   * @param options - Those that change.
   * @throws What createFromOptions() throws; the task then remains as it was.
   */
  async setOptions(options: Options): Promise<void> {
    checkOptions(options, { ...ALL_SCHEMA, ...this.ownOptions });
    const current = this.#queue.isIdle && !options.baseOptions ? this.#opened : null;
    const requested = merged(this.#options, options);
    if (current && this.hasModelsFor(requested, current.models)) return this.#apply(requested, current);
    return this.#queue.add(async () => {
      this.#checkOpen();
      const next = merged(this.#options, options);
      const before = this.#opened;
      const isNew = before === null || options.baseOptions || !this.hasModelsFor(next, before.models);
      const opened = isNew ? await this.#open(next, options, before) : before;
      try {
        this.#checkOpen(); // it may have been closed meanwhile
        this.#apply(next, opened);
      } catch (error) {
        if (opened !== before) release(opened);
        throw error;
      }
      if (opened !== before) release(before);
    });
  }

  #apply(options: Options, opened: Opened<Models>): void {
    // The task has its own copy of the file: the caller's can go.
    const { modelAssetBuffer: _, ...baseOptions } = options.baseOptions ?? {};
    const kept = { ...options, baseOptions };
    this.configure(kept, opened.models);
    this.#opened = opened;
    this.#options = kept;
    this.#lastTimestamp = Number.NEGATIVE_INFINITY;
  }

  /**
   * Loads the models on WebNN, in turn with the calls with a promise. Without this, the first of these calls begins it,
   * and they run on the CPU until it is done. MediaPipe's tasks have no such method.
   *
   * @throws ModelDisposedError; what loadTFLiteModel() throws.
   */
  prepareAsync(): Promise<void> {
    return this.#queue.add(async () => {
      await Promise.all(this.#usable.loaded.map((model) => model.prepare()));
    });
  }

  /**
   * Where the time of the last call went; MediaPipe's tasks have no such member.
   *
   * @throws ModelDisposedError
   */
  get times(): Readonly<CallTimes> {
    return { ...this.#usable.times };
  }

  /**
   * Without effect: no task reports to a server here.
   *
   * @param _options - Not read.
   */
  enableLogging(_options: Options): void {}

  /** Frees the models. */
  close(): void {
    this.#isClosed = true;
    release(this.#opened);
    this.#opened = null;
  }

  /** The same, for `using`; MediaPipe's tasks have no such member. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** @internal What its options have to be that not all tasks have. */
  protected abstract get ownOptions(): OwnOptions<Required<Options>>;

  /** @internal Whether calls accept a `regionOfInterest`. */
  protected get acceptsRegion(): boolean {
    return false;
  }

  /** @internal Loads the models that the options need of a file, all in parallel. */
  protected abstract open(file: TaskFile, load: LoadModel, options: Options): Promise<Models>;

  /** @internal Whether the models that the options need are loaded. */
  protected hasModelsFor(_options: Options, _models: Models): boolean {
    return true;
  }

  /** @internal Applies options, and clears what was remembered of frames. @throws OptionError */
  protected abstract configure(options: Options, models: Models): void;

  /** @internal The work on one image. */
  protected abstract steps(image: InputImage, models: Models): Steps<Output>;

  /** @internal Works on an image while the caller waits. */
  protected onImage(source: ImageSource, processing?: ImageProcessingOptions): Output {
    this.#checkMode('IMAGE');
    return runSteps(this.#stepsOn(source, null, processing));
  }

  /** @internal Works on a frame while the caller waits. */
  protected onFrame(source: ImageSource, timestamp: number, processing?: ImageProcessingOptions): Output {
    this.#checkFrame(timestamp);
    return runSteps(this.#stepsOn(source, timestamp, processing));
  }

  /** @internal Works on an image, on WebNN. */
  protected async onImageAsync(source: ImageSource, processing?: ImageProcessingOptions): Promise<Output> {
    this.#checkMode('IMAGE');
    return this.#onStill(source, null, processing);
  }

  /** @internal Works on a frame, on WebNN. */
  protected async onFrameAsync(
    source: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): Promise<Output> {
    this.#checkFrame(timestamp);
    return this.#onStill(source, timestamp, processing);
  }

  /** The image as it is now is copied immediately, and worked on in turn. */
  async #onStill(source: ImageSource, timestamp: number | null, processing?: ImageProcessingOptions): Promise<Output> {
    const copying = still(source);
    copying.catch(() => {}); // its turn reports it, and may come later
    return this.#queue.add(async () => {
      const copy = await copying;
      try {
        return await runStepsAsync(this.#stepsOn(copy.source, timestamp, processing));
      } finally {
        copy.close();
      }
    });
  }

  #stepsOn(source: ImageSource, timestamp: number | null, processing?: ImageProcessingOptions): Steps<Output> {
    const { models, times } = this.#usable;
    Object.assign(times, { image: 0, model: 0 });
    return this.steps(inputImageOf(source, timestamp, processing, this.acceptsRegion), models);
  }

  /** Loads the models again, unless file and delegate are the same. */
  async #open(next: Options, provided: Options, before: Opened<Models> | null): Promise<Opened<Models>> {
    const { modelAssetPath, modelAssetBuffer, delegate = 'CPU', loadModel } = next.baseOptions ?? {};
    const hasFile = [provided.baseOptions?.modelAssetPath, provided.baseOptions?.modelAssetBuffer].some(
      (one) => one != null,
    );
    // Meanwhile, the file is fetched. Loading a model reports a failure.
    if (loadModel === undefined) preloadTFLite().catch(() => {});
    const opening = hasFile || before === null ? openTaskFile({ modelAssetPath, modelAssetBuffer }) : before.file;
    if (before === null) setTimeout(warmUp); // once the requests are on their way
    const file = await opening;
    const times: CallTimes = { image: 0, model: 0 };
    const shared: Shared = { delegate, loadModel, times, context: null };
    const loading: Promise<VisionModel>[] = [];
    try {
      const models = await this.open(
        file,
        (bytes, options) => {
          const model = VisionModel.load(bytes, shared, options);
          loading.push(model);
          return model;
        },
        next,
      );
      return { file, models, loaded: await Promise.all(loading), times };
    } catch (error) {
      for (const one of await Promise.allSettled(loading)) if (one.status === 'fulfilled') one.value.dispose();
      throw error;
    }
  }

  get #usable(): Opened<Models> {
    this.#checkOpen();
    return this.#opened as Opened<Models>;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new ModelDisposedError('The task is closed and cannot be used.');
  }

  #checkMode(requested: 'IMAGE' | 'VIDEO'): void {
    this.#checkOpen();
    // As in MediaPipe, any other word means a video: programs for older versions write `video`.
    const mode = (this.#options.runningMode || 'IMAGE') === 'IMAGE' ? 'IMAGE' : 'VIDEO';
    if (mode === requested) return;
    throw new OptionError(
      `The task is not in the running mode ${requested}: await setOptions({ runningMode: '${requested}' }).`,
      { details: { option: 'runningMode' } },
    );
  }

  #checkFrame(timestamp: number): void {
    this.#checkMode('VIDEO');
    if (!(Number.isFinite(timestamp) && timestamp > this.#lastTimestamp)) {
      const shown = typeof timestamp === 'number' ? timestamp : typeof timestamp;
      throw new OptionError(
        `The frame's timestamp is ${shown} ms: it must be a number over the last frame's, ${this.#lastTimestamp} ms.`,
        { details: { option: 'timestamp', timestamp, last: this.#lastTimestamp } },
      );
    }
    this.#lastTimestamp = timestamp;
  }
}

function release(opened: { readonly loaded: readonly VisionModel[] } | null): void {
  for (const model of opened?.loaded ?? []) model.dispose();
}
