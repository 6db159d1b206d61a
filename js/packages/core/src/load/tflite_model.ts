/** A loaded model. */

import type { SignatureInfo, SubgraphInfo, TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { BlockingError, ModelDisposedError } from '../errors.js';
import type { MetadataParts } from '../metadata/metadata_parts.js';
import type { ModelMetadata } from '../metadata/model_metadata.js';
import { MLTensorModel } from '../ml_tensors/ml_tensor_model.js';
import type { PreparedModel } from '../model/prepared_model.js';
import type { RecoveringModel } from '../model/recovering_model.js';
import { type RunOptions, runOptions, type SyncRunOptions, syncRunOptions } from '../model/run_options.js';
import { type ProfileItem, profilingSummary } from '../model/run_profile.js';
import type { ExecutionMode } from '../model/schedule.js';
import { checkShapes, type RequestedShapes, ShapedModels, ShapedSubgraphs, SubgraphModels } from '../model/shapes.js';
import {
  findSignature,
  outputsInOrder,
  resultsByName,
  type SignatureInputs,
  type SignatureOutputs,
} from '../model/signatures.js';
import { type BoundState, type ModelState, ModelStates } from '../model/state.js';
import type { StateTensors } from '../model/state_names.js';
import type { ModelReport } from '../report/report.js';
import { Queue } from '../support/tasks.js';
import {
  CallerIO,
  checkOutputs,
  inputsByPosition,
  type ModelInputs,
  type OutputArrays,
  resolveInputs,
  resolveOutputs,
} from '../tensors/inputs_outputs.js';
import type { InputInfo } from '../tensors/model_tensors.js';
import { inSameStructure, type NamedResults, type ResultsOf, type TensorResult } from '../tensors/results.js';
import { fileBytes } from '../wasm/wasm_memory.js';
import { metadataReaders } from './metadata_on_demand.js';
import type { Model } from './model.js';

/** Reports on the model as it is now, and on the subgraphs that signatures have run. */
type MakeReport = (model: RecoveringModel, subgraphs: SubgraphModels) => ModelReport | Promise<ModelReport>;

/**
 * A model that is ready to run. Created by {@link loadTFLiteModel}.
 *
 * @group Models
 */
export class TFLiteModel extends MLTensorModel implements Model {
  readonly #shaped: ShapedModels;
  readonly #makeReport: MakeReport;
  readonly #queue = new Queue();
  readonly #shapedSubgraphs = new ShapedSubgraphs();
  readonly #subgraphModels: SubgraphModels;
  readonly #states = new ModelStates(this.#queue, (task) => this.#inTurn(task));
  #disposed = false;
  #metadata: Promise<ModelMetadata | null> | null = null;

  /** @internal */
  constructor(model: RecoveringModel, makeReport: MakeReport, maxKeptShapes?: number) {
    super();
    this.#shaped = new ShapedModels(model, maxKeptShapes);
    this.#subgraphModels = new SubgraphModels(maxKeptShapes);
    this.#makeReport = makeReport;
  }

  /** The model's inputs, in its order, in the shapes that it runs with now. */
  get inputs(): readonly InputInfo[] {
    return this.#usable.description.inputs as readonly InputInfo[];
  }

  /** The model's outputs, in its order. */
  get outputs(): readonly TensorInfo[] {
    return this.#usable.description.outputs;
  }

  /** The model's named entry points; often none. */
  get signatures(): readonly SignatureInfo[] {
    return this.#usable.description.signatures;
  }

  /** @internal Subgraphs, but the main one, that signatures run. */
  get subgraphs(): readonly SubgraphInfo[] {
    const { subgraphs } = this.#usable.description;
    return this.#shapedSubgraphs.current(subgraphs).map((subgraph) => this.#subgraphModels.shaped(subgraph));
  }

  /**
   * The file's metadata: labels, normalization, descriptions. It is read when it is first requested; null
   * where the file has none.
   *
   * @throws ModelDisposedError where the file is gone; what {@link readModelMetadata} throws.
   */
  get metadata(): Promise<ModelMetadata | null> {
    if (this.#disposed) return Promise.reject(new ModelDisposedError());
    this.#metadata ??= this.#readMetadata();
    return this.#metadata;
  }

  /** @internal What metadata is read from, without the other parts of the file. */
  async metadataParts(): Promise<MetadataParts> {
    this.checkUsable();
    const { copyOf, findMetadata } = await metadataReaders();
    this.checkUsable();
    return copyOf(findMetadata(fileBytes(this.#model.file)));
  }

  /** @internal The same file on the CPU, for callers that cannot wait for WebNN; the report names the reason. */
  async onCpu(reason: string): Promise<TFLiteModel> {
    this.checkUsable();
    // By its own name, esbuild renames the class, also in stacks.
    return new (this.constructor as typeof TFLiteModel)(await this.#model.onCpu(reason), this.#makeReport);
  }

  /** Where the model's nodes run, why, and what it cost so far: each time a new report, as things are now. */
  async report(): Promise<ModelReport> {
    this.checkUsable();
    return this.#makeReport(this.#model, this.#subgraphModels);
  }

  /**
   * How the model runs: wholly on WebNN (`direct`), in steps on WebNN and the CPU (`stepped`), on either while this
   * thread waits (`blocking`), or on the CPU.
   */
  get executionMode(): ExecutionMode {
    return this.#usable.schedule.mode;
  }

  /**
   * What computes: `wasm`, or `webnn`, with the devices if the browser reports them: `webnn:gpu`. A stepped model also
   * uses wasm.
   */
  get device(): string {
    this.checkUsable();
    return this.placing.device;
  }

  /** @internal How it runs and what computes, also of a model that was disposed of while a run was in flight. */
  get placing(): { readonly executionMode: ExecutionMode; readonly device: string } {
    const { schedule, graphs } = this.prepared;
    if (schedule.mode === 'cpu') return { executionMode: 'cpu', device: 'wasm' };
    const devices = new Set(graphs.flatMap((graph) => graph.devices ?? []));
    return { executionMode: schedule.mode, device: devices.size === 0 ? 'webnn' : `webnn:${[...devices].join('+')}` };
  }

  /**
   * Runs the model once, and returns results in the structure of the inputs. Runs of one model do not overlap: each
   * waits for those before it. An input array must not be changed until its run has finished.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name: the tensors' own or a
   *   signature's. Data is row-major, of exactly the input's element type and size.
   * @param options - Arrays for the results; a state, whose tensors are left out of inputs, outputs and results; a
   *   signal.
   * @returns For one input or a list, a list in the order of `outputs`; for a record, a record by the results' names,
   *   which are those of a signature where one names the output. Each result has the shape of this run.
   * @throws InputError, OutputError where the arrays do not fit; InputError also where ids are not in the model's
   *   table; OptionError; the signal's reason; StateError, StateLostError; ModelDisposedError; ContextLostError where
   *   the browser took WebNN away while a model ran that partly runs on the CPU: run it again; WebnnRunError,
   *   InterpreterError, WasmTrapError where running fails.
   *
   * @example
   * const [scores] = await model.run(pixels);
   * console.log(scores.name, scores.shape, scores.dequantized());
   *
   * @example
   * const scores = new Float32Array(1000);
   * await model.run({ image: pixels }, { outputs: [scores] }); // allocates no arrays
   */
  override async run<Inputs extends ModelInputs>(inputs: Inputs, options?: RunOptions): Promise<ResultsOf<Inputs>> {
    const { description } = this.#runnable();
    const { outputs = [], state, signal } = runOptions(options);
    const bound = state === undefined ? null : this.#states.bind(state, this);
    const open = bound && new CallerIO(description, bound.io);
    const data = resolveInputs(inputs, open ?? description);
    const arrays = resolveOutputs(outputs, open ?? description);
    const [all, provided] = open === null ? [data, arrays] : [open.allInputs(data), open.allOutputs(arrays)];
    const results = await this.#queue.add(() => this.#runNow(all, provided, bound), signal);
    return inSameStructure(open?.ofOutputs(results) ?? results, inputs);
  }

  /**
   * Runs the model once, and returns results in the structure of the inputs, as run() does, but synchronously: on the
   * CPU, or in blocking mode.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name.
   * @param options - Arrays for the results.
   * @throws BlockingError where the model uses WebNN and was not loaded with `blocking`: await run(); what run()
   *   throws.
   */
  runSync<Inputs extends ModelInputs>(inputs: Inputs, options?: SyncRunOptions): ResultsOf<Inputs> {
    const prepared = this.#runnable();
    const { outputs = [] } = syncRunOptions(options);
    this.#checkCanBlock('runSync() would have to wait for WebNN. Await run()');
    const results = prepared.runNow(resolveInputs(inputs, this), resolveOutputs(outputs, this));
    return inSameStructure(results, inputs);
  }

  /**
   * Runs one of the model's signatures.
   *
   * @param key - One of the keys of `signatures`.
   * @param inputs - All inputs by the signature's names.
   * @param options - As of run(); `outputs` are by the signature's names.
   * @returns The results by the signature's names; `runSignature<'logits'>()` tells TypeScript a name.
   * @throws SignatureError, and what run() throws. The subgraph of a signature, if not the main one, is prepared for
   *   WebNN when it first runs. It runs in wasm where it shares variables with other subgraphs, and in blocking mode.
   *
   * @example
   * const { logits } = await model.runSignature('serving_default', { image: pixels });
   * console.log(logits.shape, logits.data);
   */
  async runSignature<Name extends string = string>(
    key: string,
    inputs: SignatureInputs,
    options?: RunOptions<SignatureOutputs>,
  ): Promise<NamedResults<Name>> {
    this.#runnable();
    const { outputs = {}, state, signal } = runOptions(options);
    const found = findSignature(key, this);
    const { subgraph, io } = found;
    const bound = state === undefined ? null : this.#states.bind(state, io);
    const open = new CallerIO(io, bound?.io ?? null);
    const data = open.allInputs(resolveInputs(inputsByPosition(inputs, open), open));
    const arrays = outputsInOrder(outputs, found, bound?.io.outputs);
    checkOutputs(open.ofOutputs(arrays), open.outputs);
    const run = async () => {
      if (subgraph.index === 0) return this.#runNow(data, arrays, bound);
      const separate = await this.#separateModel(subgraph.index);
      if (separate !== null) return this.#runNow(data, arrays, bound, separate.current);
      if (this.prepared.isOrphaned) await this.#model.recover();
      return this.#shapedSubgraphs.run(this.prepared.subgraphRunner, subgraph, data, arrays, bound);
    };
    return resultsByName(await this.#queue.add(run, signal), found, bound?.io.outputs) as NamedResults<Name>;
  }

  /**
   * Prepares the model for other shapes of its inputs, after the runs that wait. Its state is reset. The shapes that
   * the model had before come back immediately; the option `maxKeptShapes` sets how many are kept. Where this fails,
   * the model keeps the shapes that it has.
   *
   * @param shapes - The shape of the only input, shapes in the order of `inputs`, or some by name. A size may be 0.
   * @param signature - Resize the inputs of this signature, by its names. One of another subgraph than the main one is
   *   resized alone, and the state remains.
   * @throws InputError where the model cannot accept the shapes; SignatureError.
   */
  async resizeInputs(shapes: RequestedShapes, signature?: string): Promise<void> {
    return this.#inTurn(async () => {
      const found = signature === undefined ? null : findSignature(signature, this);
      if (found !== null && found.subgraph.index !== 0) {
        const { subgraph, io } = found;
        const ordered = checkShapes(shapes, io);
        const separate = await this.#separateModel(subgraph.index);
        if (separate !== null) return separate.select(ordered);
        if (this.prepared.isOrphaned) await this.#model.recover();
        return this.#shapedSubgraphs.resize(this.prepared.subgraphRunner, subgraph, ordered);
      }
      await this.#shaped.select(checkShapes(shapes, found?.io ?? this));
      await this.#model.resetState();
    });
  }

  /**
   * Creates a state: tensors that persist in MLTensors, or in the memory of wasm on the CPU, from one run to the next,
   * for all signatures that have them. All values are zero at first.
   *
   * @param tensors - Without it, all names that are an input and an output of a signature, of one type and shape. Else
   *   such names, with `*` for any characters, or the outputs by the names of the inputs that read them.
   * @throws StateError where the model has no such tensors.
   */
  async createState(tensors?: StateTensors): Promise<ModelState> {
    this.checkUsable();
    return this.#states.create(this, tensors);
  }

  /**
   * Clears what the model remembers from run to run: variables, resource variables, tables. After runs that wait. A
   * state of createState() remains.
   */
  async resetState(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#model.resetState();
      await this.#subgraphModels.resetState();
    });
  }

  /** What the last run spent its time on, node by node; empty without the option `enableProfiling`. */
  async getProfilingResults(): Promise<ProfileItem[]> {
    return this.#usable.profile();
  }

  /** The same as text: sums by type of node. */
  async getProfilingSummary(): Promise<string> {
    return profilingSummary(await this.getProfilingResults());
  }

  /**
   * Frees what the model holds, after what is in flight, if anything. Runs that wait are rejected. MLTensors on a
   * context that the model has created go with it.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.prepared.runner?.checkEntry();
    this.#disposed = true;
    this.#queue.whenIdle(() => {
      this.closeRings();
      this.#states.release();
      this.#subgraphModels.release();
      this.#shaped.release();
    });
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
  }

  async #readMetadata(): Promise<ModelMetadata | null> {
    const parts = await this.metadataParts();
    return (await metadataReaders()).openMetadata(parts);
  }

  get #usable(): PreparedModel {
    this.checkUsable();
    return this.prepared;
  }

  /** @internal */
  protected override get prepared(): PreparedModel {
    return this.#model.prepared;
  }

  /** @internal */
  protected override recover(): Promise<void> {
    return this.#queue.add(() => this.#model.recover());
  }

  /** @internal */
  protected override track<T>(work: Promise<T>): Promise<T> {
    return this.#queue.track(work);
  }

  /** @internal */
  protected override checkUsable(): void {
    if (this.#disposed) throw new ModelDisposedError();
  }

  /** @throws InterpreterError in a custom op of this model, whose runs would follow each other without end. */
  #runnable(): PreparedModel {
    const prepared = this.#usable;
    prepared.runner?.checkEntry();
    return prepared;
  }

  /** Does something after the runs that wait. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    this.checkUsable();
    return this.#queue.add(async () => {
      this.checkUsable();
      return task();
    });
  }

  /** @throws BlockingError where a run cannot be done when a call returns. */
  #checkCanBlock(why: string): void {
    if (this.executionMode !== 'direct' && this.executionMode !== 'stepped') return;
    throw new BlockingError(
      `${why}, or load the model with device: 'cpu', or, in a worker of a cross-origin isolated page, with ` +
        'webnnDelegateOptions: { blocking: true }.',
    );
  }

  get #model(): RecoveringModel {
    return this.#shaped.current;
  }

  /** The model of a signature's subgraph; null where the subgraph runs in the wasm instance of this one. */
  #separateModel(subgraph: number): Promise<ShapedModels | null> {
    this.checkUsable();
    return this.#subgraphModels.modelOf(this.#model, subgraph);
  }

  #runNow(
    inputs: readonly TypedArray[],
    outputs: OutputArrays,
    state: BoundState | null = null,
    model = this.#model,
  ): Promise<TensorResult[]> {
    this.checkUsable();
    return model.run(inputs, outputs, state);
  }
}
