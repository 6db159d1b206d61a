/** A loaded model. */

import type { ModelDescription, SignatureInfo, TensorInfo } from './description.js';
import type { TypedArray } from './dtypes.js';
import { ContextLostError, ModelDisposedError, messageOf, TFLiteWebnnError, WebnnRunError } from './errors.js';
import type { Executor } from './execution/executor.js';
import type { ExecutionMode } from './execution/schedule.js';
import { type ModelInputs, takeInputs } from './inputs.js';
import { checkOutputs } from './outputs.js';
import type { ModelReport } from './report.js';
import type { WebnnBackend } from './webnn_context.js';

/** A model that is ready to run. Made by {@link loadTFLiteModel}. */
export class TFLiteModel {
  /** The model's inputs, in its order. */
  readonly inputs: readonly TensorInfo[];
  /** The model's outputs, in its order. */
  readonly outputs: readonly TensorInfo[];
  /** The model's named entry points; often none. */
  readonly signatures: readonly SignatureInfo[];
  /** Where the model's nodes run, and why. */
  readonly report: ModelReport;
  readonly #executor: Executor;
  readonly #webnn: WebnnBackend | null;
  #disposed = false;
  #unfinishedRuns = 0;
  #lastRun: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(description: ModelDescription, report: ModelReport, executor: Executor, webnn: WebnnBackend | null) {
    this.inputs = description.inputs;
    this.outputs = description.outputs;
    this.signatures = description.signatures;
    this.report = report;
    this.#executor = executor;
    this.#webnn = webnn;
  }

  /** How the model runs: wholly on WebNN (`direct`), in steps on WebNN and the CPU (`stepped`), or on the CPU. */
  get executionMode(): ExecutionMode {
    return this.report.executionMode;
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
   *   ModelDisposedError; ContextLostError where the browser took WebNN away: load the model again;
   *   WebnnRunError, InterpreterError, WasmTrapError where running fails.
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
    if (this.#unfinishedRuns === 0) this.#release();
  }

  async #runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    this.#checkUsable();
    try {
      return await this.#executor.run(inputs, outputs);
    } catch (error) {
      if (error instanceof TFLiteWebnnError) throw error;
      this.#checkUsable(); // a lost context is the better explanation
      throw new WebnnRunError(`WebNN failed while running the model: ${messageOf(error)}`, { cause: error });
    }
  }

  #checkUsable(): void {
    if (this.#disposed) throw new ModelDisposedError();
    const reason = this.#webnn?.lostReason() ?? null;
    if (reason !== null) {
      throw new ContextLostError(`The browser took the WebNN context away (${reason}). Load the model again.`);
    }
  }

  #finishRun(): void {
    this.#unfinishedRuns--;
    if (this.#disposed && this.#unfinishedRuns === 0) this.#release();
  }

  #release(): void {
    this.#executor.destroy();
    if (this.#webnn?.owned) this.#webnn.context.destroy?.();
  }
}
