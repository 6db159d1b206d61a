/** A model on WebNN for the interpreter: run synchronously, while this thread waits for a helper worker. */

import type { InputShapes } from 'tflite-webnn';
import type { BlockingHelper } from 'tflite-webnn/blocking/blocking_helper';
import { type HelperWebnn, helperWebnn } from 'tflite-webnn/blocking/blocking_webnn';
import { ContextLostError, messageOf } from 'tflite-webnn/errors';
import { prepareHosted } from 'tflite-webnn/model/prepare_model';
import type { PreparedModel } from 'tflite-webnn/model/prepared_model';
import { runnerOptions } from 'tflite-webnn/model/runner_options';
import { type ModelReport, reportOn } from 'tflite-webnn/report/report';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { ContextLosses } from 'tflite-webnn/webnn/context_losses';
import { excludeAndRetry, isWebnnFailure } from 'tflite-webnn/webnn/excluded_nodes';
import { closeWebnn } from 'tflite-webnn/webnn/webnn_context';
import type { WebnnParts } from './awaited_webnn.js';
import { inputViews, keepOutputs, outputViews } from './shared_memory.js';

const NO_LOSSES = new ContextLosses();

/** Does not run anything by itself. */
export class HostedWebnn {
  readonly #helper: BlockingHelper;
  readonly #parts: WebnnParts;
  #prepared: PreparedModel | null = null;
  #hasRun = false;
  #key = '';
  /** Why the interpreter runs the shapes of the key itself; null if WebNN does. */
  #rejection: string | null = null;

  constructor(helper: BlockingHelper, parts: WebnnParts) {
    this.#helper = helper;
    this.#parts = parts;
  }

  /**
   * Runs the model on the inputs in the interpreter's heap, and writes the outputs there.
   *
   * @returns whether it ran; else the interpreter runs it itself, for the `reason`.
   * A lost first run is repeated without the node that crashed the GPU process.
   *
   * @throws ContextLostError if the browser creates no context any more; the next run tries again.
   */
  run(interpreter: WasmRunner, shapes: InputShapes): boolean {
    try {
      return this.#run(interpreter, shapes);
    } catch (error) {
      if (!(error instanceof ContextLostError)) throw error;
      const wasFirst = !this.#hasRun;
      const isAbandoned = this.#isAbandoned;
      this.release();
      if (!wasFirst) throw error;
      if (isAbandoned) this.#reject(shapes, error.message);
      return this.#run(interpreter, shapes);
    }
  }

  /** Whether every attempt loses its context, so that another one is pointless. */
  get #isAbandoned(): boolean {
    const webnn = this.#prepared?.webnn;
    return webnn?.Builder === null && webnn.context.losses.tooMany;
  }

  /** Leaves the model with these shapes to the interpreter. */
  #reject(shapes: InputShapes, reason: string): void {
    this.#rejection = reason;
    this.#key = JSON.stringify(shapes);
  }

  #run(interpreter: WasmRunner, shapes: InputShapes): boolean {
    const prepared = this.#preparedFor(shapes);
    if (prepared === null) return false;
    const { inputs, outputs } = prepared.description;
    const provided = outputViews(interpreter, outputs);
    const results = prepared.runNow(inputViews(interpreter, inputs), provided);
    keepOutputs(interpreter, outputs, provided, results);
    this.#hasRun = true;
    return true;
  }

  /** Why the interpreter runs the model itself; null if it does not. */
  get reason(): string | null {
    return this.#rejection;
  }

  /** Where its nodes run; null while nothing is prepared. */
  get report(): ModelReport | null {
    if (this.#prepared === null) return null;
    const { options, wasm } = this.#parts;
    return reportOn({ prepared: this.#prepared, losses: NO_LOSSES }, options, wasm, 0);
  }

  resetVariables(): void {
    this.#prepared?.resetState();
  }

  release(): void {
    this.#prepared?.stop();
    this.#prepared = null;
    this.#hasRun = false;
    this.#rejection = null;
    this.#key = '';
  }

  #preparedFor(inputShapes: InputShapes): PreparedModel | null {
    const key = JSON.stringify(inputShapes);
    if (key === this.#key) return this.#prepared;
    this.release();
    const context = this.#helper.open(this.#parts.options.webnnDelegateOptions ?? {});
    const result = typeof context === 'string' ? context : this.#prepareOn(helperWebnn(context), inputShapes);
    if (typeof result === 'string') this.#rejection = result;
    else this.#prepared = result;
    this.#key = key;
    return this.#prepared;
  }

  /** @returns the model on WebNN, or why WebNN gets no node of it. */
  #prepareOn(webnn: HelperWebnn, inputShapes: InputShapes): PreparedModel | string {
    const { wasm, file } = this.#parts;
    const parts = { model: file, options: runnerOptions({ ...this.#parts.options, inputShapes }) };
    try {
      const prepared = excludeAndRetry((excluded) => prepareHosted(parts, webnn, excluded, wasm.instantiateNow()));
      return prepared.webnn === null ? (prepared.webnnReason ?? 'WebNN gets no node of this model') : prepared;
    } catch (error) {
      closeWebnn(webnn);
      if (!isWebnnFailure(error)) throw error;
      return messageOf(error);
    }
  }
}
