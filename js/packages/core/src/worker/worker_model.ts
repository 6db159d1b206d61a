/** A model that runs in a worker. */

import type { SignatureInfo, TensorInfo } from '../description.js';
import { ModelDisposedError } from '../errors.js';
import { metadataReaders } from '../load/metadata_on_demand.js';
import type { Model } from '../load/model.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { oneByOne, type Pipeline, runThrough, type StreamSource } from '../ml_tensors/stream.js';
import {
  type CallOptions,
  type RunOptions,
  runOptions,
  type StreamOptions,
  streamOptions,
  type TransferOptions,
} from '../model/run_options.js';
import { type ProfileItem, profilingSummary } from '../model/run_profile.js';
import type { ExecutionMode } from '../model/schedule.js';
import { checkShapes, type RequestedShapes } from '../model/shapes.js';
import { findSignature, outputsInOrder, type SignatureInputs, type SignatureOutputs } from '../model/signatures.js';
import { foreign, type ModelState } from '../model/state.js';
import { type StateIO, type StateTensors, stateIO, stateTensorsOf } from '../model/state_names.js';
import type { ModelReport } from '../report/report.js';
import {
  CallerIO,
  checkOutputs,
  inputsByPosition,
  type ModelInputs,
  type ModelIO,
  type OutputArrays,
  resolveInputs,
  resolveOutputs,
} from '../tensors/inputs_outputs.js';
import { asInputs, type InputInfo } from '../tensors/model_tensors.js';
import { inSameStructure, type NamedResults, type ResultsOf, type TensorResult } from '../tensors/results.js';
import type { ModelInfo, WorkerResponse } from './model_server.js';
import { crossing, crossingByName, resultIn, type WorkerConnection } from './worker_connection.js';
import { WorkerState } from './worker_state.js';

interface BoundWorkerState {
  readonly id: number;
  readonly io: StateIO;
}

/**
 * A model in a {@link TFLiteWorker}, with the asynchronous part of TFLiteModel's interface.
 *
 * @group Models
 */
export class WorkerModel implements Model {
  readonly #connection: WorkerConnection;
  readonly #id: number;
  #info: ModelInfo;
  #isDisposed = false;
  #metadata: Promise<ModelMetadata | null> | null = null;

  /** @internal */
  constructor(connection: WorkerConnection, id: number, info: ModelInfo) {
    this.#connection = connection;
    this.#id = id;
    this.#info = withInputs(info);
  }

  /** The model's inputs, in its order, in the shapes that it runs with now. */
  get inputs(): readonly InputInfo[] {
    return this.#usable.inputs as readonly InputInfo[];
  }

  /** The model's outputs, in its order. */
  get outputs(): readonly TensorInfo[] {
    return this.#usable.outputs;
  }

  /** The model's named entry points; often none. */
  get signatures(): readonly SignatureInfo[] {
    return this.#usable.signatures;
  }

  /** How the model ran the last time, see TFLiteModel. */
  get executionMode(): ExecutionMode {
    return this.#usable.executionMode;
  }

  /** What computed the last time, see TFLiteModel. */
  get device(): string {
    return this.#usable.device;
  }

  /**
   * Runs the model once, as TFLiteModel.run() does.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name.
   * @param options - Arrays that the results are copied into, a state, a signal, and whether the inputs are moved.
   * @returns For one input or a list, a list in the order of `outputs`; for a record, a record by the results' names.
   * @throws What TFLiteModel.run() throws, of the same classes; WorkerFailedError where the worker is gone.
   */
  async run<Inputs extends ModelInputs>(inputs: Inputs, options?: RunOptions): Promise<ResultsOf<Inputs>> {
    this.#checkUsable();
    const checked = runOptions(options);
    const state = this.#bind(this, checked);
    const open = new CallerIO(this, state?.io ?? null);
    const arrays = resolveOutputs(checked.outputs ?? [], open);
    const data = resolveInputs(inputs, open);
    const response = await this.#connection.abortable(checked.signal, (call) =>
      this.#connection.server.run(this.#id, crossing(data, checked), { state: state?.id ?? null, call }),
    );
    return inSameStructure(this.#results(response, arrays), inputs);
  }

  /**
   * Runs one of the model's signatures, as TFLiteModel.runSignature() does.
   *
   * @param key - One of the keys of `signatures`.
   * @param inputs - All inputs by the signature's names.
   * @param options - As of run(); `outputs` are by the signature's names.
   * @returns The results by the signature's names.
   */
  async runSignature<Name extends string = string>(
    key: string,
    inputs: SignatureInputs,
    options?: RunOptions<SignatureOutputs>,
  ): Promise<NamedResults<Name>> {
    this.#checkUsable();
    const checked = runOptions(options);
    const { outputs = {} } = checked;
    const found = findSignature(key, this.#info);
    const { io } = found;
    const state = this.#bind(io, checked);
    const open = new CallerIO(io, state?.io ?? null);
    checkOutputs(open.ofOutputs(outputsInOrder(outputs, found, state?.io.outputs)), open.outputs);
    const data = resolveInputs(inputsByPosition(inputs, open), open);
    const response = await this.#connection.abortable(checked.signal, (call) =>
      this.#connection.server.runSignature(this.#id, key, crossingByName(data, open, checked), {
        state: state?.id ?? null,
        call,
      }),
    );
    const arrays = response.results.map(({ name }) => (Object.hasOwn(outputs, name) ? outputs[name] : undefined));
    const results = this.#results(response, arrays).map((result) => [result.name, result]);
    return Object.fromEntries(results) as NamedResults<Name>;
  }

  /**
   * Prepares the model for other shapes of its inputs, as TFLiteModel.resizeInputs() does.
   *
   * @param shapes - The shape of the only input, shapes in the order of `inputs`, or some by name.
   * @param signature - Resize the inputs of this signature.
   */
  async resizeInputs(shapes: RequestedShapes, signature?: string): Promise<void> {
    this.#checkUsable();
    checkShapes(shapes, signature === undefined ? this : findSignature(signature, this.#info).io);
    this.#info = withInputs(await this.#connection.server.resizeInputs(this.#id, shapes, signature));
  }

  /**
   * Creates a state, as TFLiteModel.createState() does. Its values stay in the worker.
   *
   * @param tensors - Which tensors persist.
   */
  async createState(tensors?: StateTensors): Promise<ModelState> {
    this.#checkUsable();
    stateTensorsOf(this.#info, tensors); // which throws here what cannot be sent
    const info = await this.#connection.server.createState(this.#id, tensors);
    return new WorkerState(this.#connection, this, info);
  }

  /** Clears what the model remembers from run to run. */
  async resetState(): Promise<void> {
    this.#checkUsable();
    await this.#connection.server.resetState(this.#id);
  }

  /**
   * Runs one inference after the other and yields their results in order, as TFLiteModel.stream() does.
   *
   * @param source - Inputs, one inference's after the other.
   * @param options - How many inferences may be in flight, a state, a signal, and whether inputs are moved.
   * @returns The results of each inference, in the structure that run() returns.
   */
  stream<Inputs extends ModelInputs>(
    source: StreamSource<Inputs>,
    options?: StreamOptions,
  ): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
    this.#checkUsable();
    const { inFlight, ...checked } = streamOptions(source, options);
    if (checked.state !== undefined) {
      const pipeline = oneByOne((inputs) => this.run(inputs, checked));
      return runThrough(source, pipeline, checked.signal);
    }
    const opening = this.#connection.server.openPipeline(this.#id, inFlight);
    opening.catch(() => undefined); // reported by the first inference
    return runThrough(source, this.#pipeline(opening, checked), checked.signal);
  }

  /** The file's metadata, see TFLiteModel. */
  get metadata(): Promise<ModelMetadata | null> {
    if (this.#isDisposed) return Promise.reject(new ModelDisposedError());
    this.#metadata ??= this.#readMetadata();
    return this.#metadata;
  }

  /** Where the model's nodes run, why, and what it cost so far: each time a new report. */
  async report(): Promise<ModelReport> {
    this.#checkUsable();
    return this.#connection.server.report(this.#id);
  }

  /** What the last run spent its time on, node by node; empty without the option `enableProfiling`. */
  async getProfilingResults(): Promise<ProfileItem[]> {
    this.#checkUsable();
    return this.#connection.server.profile(this.#id);
  }

  /** The same as text: sums by type of node. */
  async getProfilingSummary(): Promise<string> {
    return profilingSummary(await this.getProfilingResults());
  }

  /** Frees the model, after the runs before. A worker that has ended has freed it. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#connection.models.delete(this.#id);
    await this.#connection.free((server) => server.dispose(this.#id));
  }

  /** The same, for `using`: it does not wait. */
  [Symbol.dispose](): void {
    this.dispose().catch(() => undefined);
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #readMetadata(): Promise<ModelMetadata | null> {
    this.#checkUsable();
    const parts = await this.#connection.server.metadata(this.#id);
    return (await metadataReaders()).openMetadata(parts);
  }

  /** The state of a run, and where its tensors are among inputs and outputs. */
  #bind(io: ModelIO, { state }: CallOptions): BoundWorkerState | null {
    if (state === undefined) return null;
    if (!(state instanceof WorkerState) || state.model !== this) throw foreign();
    state.checkUsable();
    return { id: state.id, io: stateIO(state.tensors, io) };
  }

  #pipeline(opening: Promise<readonly [pipeline: number, limit: number]>, options: TransferOptions): Pipeline {
    const pipeline = {
      limit: 1, // until the worker has reported it
      start: async <Inputs extends ModelInputs>(inputs: Inputs) => {
        this.#checkUsable();
        const data = crossing(resolveInputs(inputs, this), options);
        const [id, limit] = await opening;
        pipeline.limit = limit;
        const response = await this.#connection.server.runPipelined(id, data);
        pipeline.limit = response.limit;
        return inSameStructure(this.#results(response, []), inputs);
      },
      close: () => {
        opening.then(([id]) => this.#connection.server.closePipeline(id)).catch(() => undefined);
      },
    };
    return pipeline;
  }

  #results({ results, placing }: WorkerResponse, provided: OutputArrays): TensorResult[] {
    this.#info = { ...this.#info, ...placing };
    return results.map((result, position) => resultIn(provided[position], result));
  }

  get #usable(): ModelInfo {
    this.#checkUsable();
    return this.#info;
  }

  #checkUsable(): void {
    if (this.#isDisposed) throw new ModelDisposedError();
  }
}

function withInputs(info: ModelInfo): ModelInfo {
  return { ...info, inputs: asInputs(info.inputs) };
}
