/** A loaded model. */

import type { SignatureInfo, TensorInfo } from './description.js';
import type { TypedArray } from './dtypes.js';
import { ModelDisposedError, messageOf, TFLiteWebnnError, WebnnRunError } from './errors.js';
import type { ExecutionMode } from './execution/schedule.js';
import { type ModelInputs, takeInputs } from './inputs.js';
import { checkOutputs } from './outputs.js';
import type { RecoveringModel } from './recovering_model.js';
import type { ModelReport } from './report.js';

/** A model that is ready to run. Made by {@link loadTFLiteModel}. */
export class TFLiteModel {
  /** The model's inputs, in its order. */
  readonly inputs: readonly TensorInfo[];
  /** The model's outputs, in its order. */
  readonly outputs: readonly TensorInfo[];
  /** The model's named entry points; often none. */
  readonly signatures: readonly SignatureInfo[];
  readonly #model: RecoveringModel;
  readonly #makeReport: () => ModelReport;
  #disposed = false;
  #unfinishedRuns = 0;
  #lastRun: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(model: RecoveringModel, makeReport: () => ModelReport) {
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
    this.#checkUsable();
    const data = takeInputs(inputs, this);
    checkOutputs(outputs, this.outputs);
    const previous = this.#lastRun;
    const run =
      this.#unfinishedRuns === 0 ? this.#runNow(data, outputs) : previous.then(() => this.#runNow(data, outputs));
    this.#unfinishedRuns++;
    this.#lastRun = run.then(
      () => this.#finishRun(),
      () => this.#finishRun(),
    );
    return run;
  }

  /** Frees what the model holds, after the run that is under way, if any. Runs that wait are refused. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#unfinishedRuns === 0) this.#model.release();
  }

  async #runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    this.#checkUsable();
    try {
      return await this.#model.run(inputs, outputs);
    } catch (error) {
      if (error instanceof TFLiteWebnnError) throw error;
      throw new WebnnRunError(`WebNN failed while running the model: ${messageOf(error)}`, { cause: error });
    }
  }

  #checkUsable(): void {
    if (this.#disposed) throw new ModelDisposedError();
  }

  #finishRun(): void {
    this.#unfinishedRuns--;
    if (this.#disposed && this.#unfinishedRuns === 0) this.#model.release();
  }
}
