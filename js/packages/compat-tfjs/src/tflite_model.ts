/// <reference lib="esnext.disposable" preserve="true" />

/** predict() of tfjs-tflite: what goes in and comes out in the same structure. */

import {
  BlockingError,
  type TFLiteModel as CoreModel,
  checkArguments,
  DeviceUnavailableError,
  loadTFLiteModel as load,
  MODEL_OPTIONS_SCHEMA,
  type Model,
  type ModelInputs,
  type ModelReport,
  type ModelSource,
  messageOf,
  type TensorInfo,
  type TensorInput,
  type TensorResult,
  type TFLiteModelOptions,
  type TypedArray,
  validateOptions,
  WorkerFailedError,
} from 'tflite-webnn';
import { FUNCTION, having, LIST, type OptionSchema } from 'tflite-webnn/option_schema';
import {
  fromTfValues,
  isTfTensor,
  type TfLibrary,
  type TfTensor,
  type TfValues,
  tfLibrary,
  toTfTensor,
} from './tf_tensors.js';

/** Tensors of TensorFlow.js for a model: the only one, all in the model's order, or by name. */
export type TfInputs<T extends TfTensor = TfTensor> = T | readonly T[] | Readonly<Record<string, T>>;

/** One result by itself, several by the names of the outputs. */
export type SameStructure<T> = T | Record<string, T>;

/** The library that creates results. */
export interface TfOptions {
  /** TensorFlow.js. Default: the global `tf`. */
  readonly tf?: TfLibrary | undefined;
}

/** Options of {@link loadTFLiteModel}: those of `tflite-webnn`, and TensorFlow.js. The default `device` is `cpu`. */
export interface TfModelOptions extends TFLiteModelOptions, TfOptions {}

/** Why predict() computes on the CPU, in the report. */
const WHY_CPU =
  'predict() cannot wait for WebNN in this thread, and computes on the CPU: await predictAsync(), or load the model in a ' +
  'worker of a cross-origin isolated page';

const TF = having({ tensor: FUNCTION });
const TF_SCHEMA: OptionSchema<TfOptions> = { tf: TF };
const MODEL_SCHEMA = { model: { inputs: LIST, outputs: LIST, run: FUNCTION } };

/** A model that accepts and returns tensors of TensorFlow.js. */
export class TFLiteModel {
  /** The model itself. */
  readonly model: Model & Partial<Pick<CoreModel, 'runSync'>>;
  readonly #tf: TfLibrary | undefined;
  /** The same model on the CPU, if this thread cannot wait for WebNN. */
  #onCpu: CoreModel | null = null;
  #hasPredicted = false;

  /**
   * Creates one from a loaded model.
   *
   * @param model - A model in this thread or in a worker. It ends with this one.
   * @param options - TensorFlow.js.
   * @throws OptionError
   */
  constructor(model: Model, options: TfOptions = {}) {
    checkArguments('TFLiteModel', { model }, MODEL_SCHEMA);
    validateOptions('', options, TF_SCHEMA);
    this.model = model;
    this.#tf = options.tf;
  }

  /** @internal Prepares predict() for a model on WebNN whose thread cannot wait for it. */
  static async load(model: CoreModel, options: TfOptions): Promise<TFLiteModel> {
    const created = new TFLiteModel(model, options);
    if (isOnWebnn(model)) created.#onCpu = await model.onCpu(WHY_CPU);
    return created;
  }

  /** The model's inputs, in its order. */
  get inputs(): readonly TensorInfo[] {
    return this.model.inputs;
  }

  /** The model's outputs, in its order. */
  get outputs(): readonly TensorInfo[] {
    return this.model.outputs;
  }

  /**
   * Where the model's nodes run, and why. After a predict() that could not wait for WebNN: where that ran, on the CPU,
   * and `webnn.reason` has the reason and the next step.
   */
  report(): Promise<ModelReport> {
    return (this.#hasPredicted ? (this.#onCpu ?? this.model) : this.model).report();
  }

  /**
   * Runs the model as tfjs-tflite's predict() does, before it returns. A thread that cannot wait for WebNN computes on
   * the CPU, with an own state: {@link TFLiteModel.report} says so.
   *
   * @param inputs - Tensors of TensorFlow.js or typed arrays: the only one, a list, or a record by name.
   * @returns In the structure of the inputs, tensors or arrays: the only result, or a record by the names of
   *   `outputs`. Tensors have the type
   *   of {@link getDTypeFromTFLiteType}.
   * @throws BlockingError if the model is in a worker, or was resized or passed to the constructor on WebNN: await
   *   predictAsync();   TensorError where TensorFlow.js is not there, or cannot hold a result; what run() throws.
   */
  predict<T extends TfTensor>(inputs: TfInputs<T>): SameStructure<T>;
  predict(inputs: ModelInputs): SameStructure<TypedArray>;
  predict(inputs: TfInputs | ModelInputs): SameStructure<TfTensor> | SameStructure<TypedArray> {
    const { outputs } = this;
    const model = this.#syncModel();
    this.#hasPredicted = true;
    const isTf = areTfInputs(inputs);
    const provided = this.#inOrder(inputs);
    const results = model.runSync(isTf ? this.#converted(provided, (tensor) => tensor.dataSync()) : provided);
    return this.#inSameStructure(Object.values(results), outputs, isTf);
  }

  /**
   * Runs the model as predict() does, on WebNN and in a worker too, after the runs that wait.
   *
   * @param inputs - Tensors of TensorFlow.js or typed arrays: the only one, a list, or a record by name.
   * @returns In the structure of the inputs, tensors or arrays: the only result, or a record by the names of `outputs`.
   * @throws TensorError where TensorFlow.js is not there, or cannot hold a result; what run() throws.
   *
   * @example
   * const scores = await model.predictAsync(tf.browser.fromPixels(video).toFloat().expandDims());
   */
  predictAsync<T extends TfTensor>(inputs: TfInputs<T>): Promise<SameStructure<T>>;
  predictAsync(inputs: ModelInputs): Promise<SameStructure<TypedArray>>;
  async predictAsync(inputs: TfInputs | ModelInputs): Promise<SameStructure<TfTensor> | SameStructure<TypedArray>> {
    const { model, outputs } = this;
    const isTf = areTfInputs(inputs);
    let provided = this.#inOrder(inputs);
    if (isTf) {
      const tensors = Object.values(provided as unknown as TfTensor[]);
      const values = new Map(await Promise.all(tensors.map(async (tensor) => [tensor, await tensor.data()] as const)));
      provided = this.#converted(provided, (tensor) => values.get(tensor) as TfValues);
    }
    return this.#inSameStructure(Object.values(await model.run(provided)), outputs, isTf);
  }

  /** Frees the model, as its own dispose() does. */
  dispose(): void | Promise<void> {
    this.#onCpu?.dispose();
    return this.model.dispose();
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    Promise.resolve(this.dispose()).catch(() => undefined);
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** @throws BlockingError */
  #syncModel(): Pick<CoreModel, 'runSync'> {
    const { model } = this;
    if (model.runSync !== undefined && !isOnWebnn(model)) return model as CoreModel;
    const shapesOf = ({ inputs }: Pick<Model, 'inputs'>) => inputs.map(({ shape }) => `${shape}`).join(';');
    if (this.#onCpu !== null && shapesOf(this.#onCpu) === shapesOf(model)) return this.#onCpu;
    throw new BlockingError(
      'predict() would have to wait for WebNN or a worker. Await predictAsync(), or load the model on WebNN in a worker ' +
        'of a cross-origin isolated page.',
    );
  }

  /** Inputs in the model's order; a record that does not fit as it is, for the error of run(). */
  #inOrder(inputs: TfInputs | ModelInputs): ModelInputs {
    if (isTfTensor(inputs)) return [inputs] as unknown as ModelInputs;
    if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs) || ArrayBuffer.isView(inputs)) {
      return inputs as ModelInputs;
    }
    const record = inputs as Readonly<Record<string, TensorInput>>;
    const keys = this.model.inputs.map((info) => this.#namesOf(info).find((name) => Object.hasOwn(record, name)));
    const fits = keys.length === Object.keys(record).length && !keys.includes(undefined);
    return fits ? keys.map((key) => record[key as string] as TensorInput) : record;
  }

  #namesOf({ name, index }: TensorInfo): string[] {
    const main = this.model.signatures.filter(({ subgraph }) => subgraph === 0);
    const named = main.flatMap(({ inputs }) => inputs.filter(({ tensor }) => tensor === index));
    return [name, ...named.map((row) => row.name)];
  }

  /** Tensors as values with shapes; the shapes are checked by run(), and so are lists and records that do not fit. */
  #converted(provided: ModelInputs, valuesOf: (tensor: TfTensor) => TfValues): ModelInputs {
    if (!Array.isArray(provided))
      return Object.fromEntries(Object.keys(provided).map((name) => [name, new Float32Array()]));
    const { inputs } = this.model;
    return provided.map((tensor: TfTensor, position) => {
      const info = inputs[position];
      if (info === undefined) return new Float32Array();
      return { data: fromTfValues(valuesOf(tensor), tensor.dtype, info), shape: tensor.shape };
    });
  }

  #inSameStructure(
    results: readonly TensorResult[],
    outputs: readonly TensorInfo[],
    isTf: boolean,
  ): SameStructure<TfTensor> | SameStructure<TypedArray> {
    if (!isTf)
      return onlyOrByName<TypedArray>(
        results.map(({ data }) => data),
        outputs,
      );
    const tf = tfLibrary(this.#tf);
    const tensors = results.map(({ data, shape }, at) => toTfTensor(tf, data, shape, outputs[at] as TensorInfo));
    return onlyOrByName(tensors, outputs);
  }
}

/**
 * Loads a model as `loadTFLiteModel()` of `tflite-webnn` does, for predict(). The default is the CPU, as in
 * tfjs-tflite. On WebNN, the model runs in blocking mode in a worker of a cross-origin isolated page and in Node, so
 * that predict() can wait. Elsewhere predict() computes on the CPU, for which loading prepares the model a second time,
 * and predictAsync() on WebNN.
 *
 * @param source - The model file.
 * @param options - Those of `loadTFLiteModel()` of `tflite-webnn`, and TensorFlow.js.
 * @throws What that throws.
 *
 * @example
 * const model = await loadTFLiteModel('model.tflite', { enableWebnnDelegate: true });
 * const scores = tf.tidy(() => model.predict(tf.browser.fromPixels(img).toFloat().expandDims()));
 */
export async function loadTFLiteModel(source: ModelSource, options: TfModelOptions = {}): Promise<TFLiteModel> {
  validateOptions('', options, { ...MODEL_OPTIONS_SCHEMA, ...TF_SCHEMA });
  const { tf, device = 'cpu', ...others } = options;
  const model = await loadToWait(source, { ...others, device });
  return TFLiteModel.load(model, { tf }).catch((error: unknown) => {
    model.dispose();
    throw error;
  });
}

async function loadToWait(source: ModelSource, options: TFLiteModelOptions): Promise<CoreModel> {
  const { webnnDelegateOptions, enableWebnnDelegate = options.device !== 'cpu' } = options;
  const canTry = enableWebnnDelegate === true && typeof document === 'undefined';
  if (!canTry || webnnDelegateOptions?.blocking !== undefined || webnnDelegateOptions?.context !== undefined) {
    return load(source, options);
  }
  try {
    return await load(source, { ...options, webnnDelegateOptions: { ...webnnDelegateOptions, blocking: true } });
  } catch (error) {
    const isMissing = [BlockingError, WorkerFailedError, DeviceUnavailableError].some((of) => error instanceof of);
    if (!isMissing) throw error;
    if (!(source instanceof Response || source instanceof ReadableStream)) return load(source, options);
    throw new BlockingError(
      `${messageOf(error)} A Response or stream is read only once: pass bytes, or webnnDelegateOptions: { blocking: false }.`,
      { cause: error },
    );
  }
}

function isOnWebnn({ executionMode }: Model): boolean {
  return executionMode === 'direct' || executionMode === 'stepped';
}

/** Whether all inputs are tensors of TensorFlow.js; a mixture is taken for typed arrays, and rejected. */
function areTfInputs(inputs: ModelInputs | TfInputs): inputs is TfInputs {
  if (isTfTensor(inputs)) return true;
  if (typeof inputs !== 'object' || inputs === null || ArrayBuffer.isView(inputs)) return false;
  const values = Object.values(inputs);
  return values.length > 0 && values.every(isTfTensor);
}

/** As tfjs-tflite names them: by the tensors' own names, whatever signatures call them. */
function onlyOrByName<T>(results: readonly T[], outputs: readonly TensorInfo[]): SameStructure<T> {
  if (results.length === 1) return results[0] as T;
  const names = outputs.map(({ name }, at) =>
    outputs.findIndex((row) => row.name === name) < at ? `${name}:${at}` : name,
  );
  return Object.fromEntries(results.map((result, at) => [names[at] as string, result]));
}
