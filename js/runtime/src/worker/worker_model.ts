/** A model that runs in a worker. */

import * as comlink from 'comlink';
import type { SignatureInfo, TensorInfo } from '../description.js';
import { bytesOf, type TypedArray } from '../dtypes.js';
import { ModelDisposedError } from '../errors.js';
import type { ExecutionMode } from '../execution/schedule.js';
import { type ModelInputs, takeInputs } from '../inputs.js';
import { checkOutputs, takeOutput } from '../outputs.js';
import { areTfInputs, arraysInKind, awaitTfInputs, type InKind, type TfInputs, tensorsInKind } from '../predict.js';
import type { ModelReport } from '../report.js';
import type { InputShapes } from '../shaped_models.js';
import { type Pipeline, runThrough, type StreamOptions, type StreamSource } from '../tensor_io/stream.js';
import type { TfLibrary, TfTensor } from '../tf_tensors.js';
import type { Answer, ModelCard } from './protocol.js';
import type { WorkerLine } from './worker_line.js';

const DEFAULT_IN_FLIGHT = 3;

/** How inputs get into the worker. */
export interface TransferOptions {
  /**
   * Move the inputs' buffers instead of copying them: no copy is made, and the caller's arrays are empty afterwards. An
   * array that is only a part of its buffer is copied all the same. Default: false.
   */
  readonly transfer?: boolean;
}

/** A model in a {@link TFLiteWorker}, with the asynchronous part of TFLiteModel's interface. */
export class WorkerModel {
  readonly #line: WorkerLine;
  readonly #id: number;
  readonly #tf: TfLibrary | undefined;
  #card: ModelCard;
  #isDisposed = false;

  /** @internal */
  constructor(line: WorkerLine, id: number, card: ModelCard, tf: TfLibrary | undefined) {
    this.#line = line;
    this.#id = id;
    this.#card = card;
    this.#tf = tf;
  }

  /** The model's inputs, in its order, in the shapes that it runs with now. */
  get inputs(): readonly TensorInfo[] {
    return this.#card.inputs;
  }

  /** The model's outputs, in its order. */
  get outputs(): readonly TensorInfo[] {
    return this.#card.outputs;
  }

  /** The model's named entry points; often none. */
  get signatures(): readonly SignatureInfo[] {
    return this.#card.signatures;
  }

  /** How the model ran the last time, see TFLiteModel. */
  get executionMode(): ExecutionMode {
    return this.#card.executionMode;
  }

  /**
   * Runs the model once, as TFLiteModel.run() does.
   *
   * @param outputs - Arrays that the results are copied into, where given.
   * @throws What TFLiteModel.run() throws, of the same classes; WorkerFailedError where the worker is gone.
   */
  async run(
    inputs: ModelInputs,
    outputs: readonly (TypedArray | undefined)[] = [],
    options: TransferOptions = {},
  ): Promise<TypedArray[]> {
    const data = this.#take(inputs, options);
    checkOutputs(outputs, this.outputs);
    const answer = this.#line.call(this.#line.host.run(this.#id, data));
    return this.#results(await answer, outputs);
  }

  /** Runs the model on tensors of TensorFlow.js or on arrays, and answers in kind, as TFLiteModel.predictAsync() does. */
  predictAsync<T extends TfTensor>(inputs: TfInputs<T>): Promise<InKind<T>>;
  predictAsync(inputs: ModelInputs): Promise<InKind<TypedArray>>;
  async predictAsync(inputs: TfInputs | ModelInputs): Promise<InKind<TfTensor> | InKind<TypedArray>> {
    this.#checkUsable();
    if (!areTfInputs(inputs)) return arraysInKind(await this.run(inputs), this.outputs);
    // The values are often the tensors' own memory: they are copied, not moved.
    const results = await this.run(await awaitTfInputs(inputs, this));
    const shapeOf = (position: number) => (this.outputs[position] as TensorInfo).shape;
    return tensorsInKind(results, this.outputs, shapeOf, this.#tf);
  }

  /** Prepares the model for other shapes of its inputs, in their order; see TFLiteModel.resizeInputs(). */
  async resizeInputs(shapes: InputShapes): Promise<void> {
    this.#checkUsable();
    this.#card = await this.#line.call(this.#line.host.resizeInputs(this.#id, shapes));
  }

  /** Clears what the model remembers from run to run. */
  async resetState(): Promise<void> {
    this.#checkUsable();
    await this.#line.call(this.#line.host.resetState(this.#id));
  }

  /** Runs one inference after the other and yields their results in order, as TFLiteModel.stream() does. */
  stream(source: StreamSource, { inFlight = DEFAULT_IN_FLIGHT, ...options }: StreamOptions & TransferOptions = {}) {
    if (!Number.isInteger(inFlight) || inFlight < 1) throw new RangeError('inFlight is a whole number from 1 on.');
    this.#checkUsable();
    const opening = this.#line.call(this.#line.host.openPipeline(this.#id, inFlight));
    opening.catch(() => undefined); // told by the first inference
    return runThrough(source, this.#pipeline(opening, options));
  }

  /** Where the model's nodes run, why, and what it cost so far. */
  async report(): Promise<ModelReport> {
    this.#checkUsable();
    return this.#line.call(this.#line.host.report(this.#id));
  }

  /** Frees the model, after the runs before. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#line.call(this.#line.host.dispose(this.#id));
  }

  #pipeline(opening: Promise<readonly [pipeline: number, limit: number]>, options: TransferOptions): Pipeline {
    const { host } = this.#line;
    const pipeline = {
      limit: 1, // until the worker has told
      start: async (inputs: ModelInputs) => {
        const data = this.#take(inputs, options);
        const [id, limit] = await opening;
        pipeline.limit = limit;
        const answer = await this.#line.call(host.runPipelined(id, data));
        pipeline.limit = answer.limit;
        return this.#results(answer, []);
      },
      close: () => {
        opening.then(([id]) => this.#line.call(host.closePipeline(id))).catch(() => undefined);
      },
    };
    return pipeline;
  }

  /** Checked here, so that a mistake is told at once, and nothing was moved away. */
  #take(inputs: ModelInputs, { transfer = false }: TransferOptions): TypedArray[] {
    this.#checkUsable();
    const data = takeInputs(inputs, this).map((array) => (isWhole(array) ? array : array.slice()));
    if (!transfer) return data;
    const buffers = new Set(data.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer));
    return comlink.transfer(data, [...buffers]);
  }

  #results({ outputs, executionMode }: Answer, given: readonly (TypedArray | undefined)[]): TypedArray[] {
    this.#card = { ...this.#card, executionMode };
    return outputs.map((result, position) => {
      const array = given[position];
      if (array === undefined) return result;
      const info = this.outputs[position] as TensorInfo;
      bytesOf(takeOutput(info, result.byteLength, array)).set(bytesOf(result));
      return array;
    });
  }

  #checkUsable(): void {
    if (this.#isDisposed) throw new ModelDisposedError();
  }
}

/** Cloning a view clones all of its buffer. */
function isWhole({ buffer, byteLength }: TypedArray): boolean {
  return buffer.byteLength === byteLength;
}
