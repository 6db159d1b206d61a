/** A loaded model. */

import type { SignatureInfo, TensorInfo } from './description.js';
import type { TypedArray } from './dtypes.js';
import { ModelDisposedError, messageOf, TFLiteWebnnError, WebnnRunError } from './errors.js';
import type { ExecutionMode } from './execution/schedule.js';
import { type ModelInputs, takeInputs } from './inputs.js';
import { checkOutputs } from './outputs.js';
import type { PreparedModel } from './prepare_model.js';
import type { RecoveringModel } from './recovering_model.js';
import type { ModelReport } from './report.js';
import { MLTensorModel } from './tensor_io/ml_tensor_model.js';

/** A model that is ready to run. Made by {@link loadTFLiteModel}. */
export class TFLiteModel extends MLTensorModel {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly signatures: readonly SignatureInfo[];
  readonly #model: RecoveringModel;
  readonly #makeReport: () => ModelReport;
  #disposed = false;
  #unfinishedRuns = 0;
  #lastRun: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(model: RecoveringModel, makeReport: () => ModelReport) {
    super();
    const { inputs, outputs, signatures } = model.prepared.description;
    this.inputs = inputs;
    this.outputs = outputs;
    this.signatures = signatures;
    this.#model = model;
    this.#makeReport = makeReport;
  }

  /** Where the model's nodes run, why, and what it cost so far: each time a new report, as things are now. */
  get report(): ModelReport {
    return this.#makeReport();
  }

  /** How the model runs: wholly on WebNN (`direct`), in steps on WebNN and the CPU (`stepped`), or on the CPU. */
  get executionMode(): ExecutionMode {
    return this.#model.prepared.schedule.mode;
  }

  /**
   * Runs the model once. Runs of one model do not overlap: each waits for those before it. An input array must not be
   * changed until its run has finished.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name. Data is row-major, of exactly
   *   the input's element type and size.
   * @param outputs - Arrays for the results, in the order of `outputs`; where one is missing, a new array is made.
   *   Giving the same arrays again and again spares the allocation.
   * @returns The results in the order of `outputs`: the given arrays where there are such.
   * @throws InputNameError, InputShapeError, InputDTypeError, OutputBufferError where the arrays do not fit;
   *   ModelDisposedError; ContextLostError where the browser took WebNN away while a model ran that partly runs on the
   *   CPU: run it again; WebnnRunError, InterpreterError, WasmTrapError where running fails.
   */
  async run(inputs: ModelInputs, outputs: readonly (TypedArray | undefined)[] = []): Promise<TypedArray[]> {
    this.checkUsable();
    const data = takeInputs(inputs, this);
    checkOutputs(outputs, this.outputs);
    return this.#enqueue(() => this.#runNow(data, outputs));
  }

  /**
   * Frees what the model holds, after what is under way, if anything. Runs that wait are refused. MLTensors on a context
   * that the model has made go with it.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#unfinishedRuns === 0) this.#release();
  }

  /** @internal */
  protected override get prepared(): PreparedModel {
    return this.#model.prepared;
  }

  /** @internal */
  protected override recover(): Promise<void> {
    return this.#enqueue(() => this.#model.recover());
  }

  /** @internal */
  protected override track<T>(work: Promise<T>): Promise<T> {
    this.#unfinishedRuns++;
    const finish = () => this.#finishRun();
    work.then(finish, finish);
    return work;
  }

  /** @internal */
  protected override checkUsable(): void {
    if (this.#disposed) throw new ModelDisposedError();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#unfinishedRuns === 0 ? work() : this.#lastRun.then(work);
    this.#lastRun = this.track(done).catch(() => undefined);
    return done;
  }

  async #runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    this.checkUsable();
    try {
      return await this.#model.run(inputs, outputs);
    } catch (error) {
      if (error instanceof TFLiteWebnnError) throw error;
      throw new WebnnRunError(`WebNN failed while running the model: ${messageOf(error)}`, { cause: error });
    }
  }

  #finishRun(): void {
    this.#unfinishedRuns--;
    if (this.#disposed && this.#unfinishedRuns === 0) this.#release();
  }

  #release(): void {
    this.closeRings();
    this.#model.release();
  }
}
