/** A model on WebNN, beside the interpreter: run at once, while this thread waits for a helper worker. */

import {
  type BlockingHelper,
  ContextLosses,
  ContextLostError,
  closeWebnn,
  type DeniedNode,
  denyAndRetry,
  type HelperWebnn,
  helperWebnn,
  type InputShapes,
  isWebnnFailure,
  type ModelReport,
  messageOf,
  type PreparedModel,
  prepareHosted,
  reportOn,
  type WasmRunner,
} from '../../runtime/src/internals.js';
import type { WebnnParts } from './awaited_webnn.js';
import { inputViews, keepOutputs, outputViews } from './session_tensors.js';

const NO_LOSSES = new ContextLosses();

/** Runs nothing but what it is asked. */
export class HostedWebnn {
  readonly #helper: BlockingHelper;
  readonly #parts: WebnnParts;
  #prepared: PreparedModel | null = null;
  #hasRun = false;
  #key = '';
  /** Why there is nothing to run here, for the shapes of the key; null where there is. */
  #refusal: string | null = null;

  constructor(helper: BlockingHelper, parts: WebnnParts) {
    this.#helper = helper;
    this.#parts = parts;
  }

  /**
   * Runs the model on the inputs that lie in the interpreter's heap, and leaves the outputs there.
   *
   * @returns whether it has; else the interpreter runs it by itself, and `reason` tells why.
   * A first run that is lost is repeated without the node of which the GPU process has died.
   *
   * @throws ContextLostError where the browser gives no context any more; the next run asks anew.
   */
  run(interpreter: WasmRunner, shapes: InputShapes): boolean {
    try {
      return this.#run(interpreter, shapes);
    } catch (error) {
      if (!(error instanceof ContextLostError)) throw error;
      const wasFirst = !this.#hasRun;
      const isHopeless = this.#isHopeless;
      this.release();
      if (!wasFirst) throw error;
      if (isHopeless) this.#refuse(shapes, error.message);
      return this.#run(interpreter, shapes);
    }
  }

  /** Whether the context is lost over anything, so that another one is not worth it. */
  get #isHopeless(): boolean {
    const webnn = this.#prepared?.webnn;
    return webnn?.Builder === null && webnn.context.losses.tooMany;
  }

  /** Has the interpreter run the model with these shapes by itself. */
  #refuse(shapes: InputShapes, reason: string): void {
    this.#refusal = reason;
    this.#key = JSON.stringify(shapes);
  }

  #run(interpreter: WasmRunner, shapes: InputShapes): boolean {
    const prepared = this.#preparedFor(shapes);
    if (prepared === null) return false;
    const { inputs, outputs } = prepared.description;
    const given = outputViews(interpreter, outputs);
    const results = prepared.runNow(inputViews(interpreter, inputs), [...given]);
    keepOutputs(interpreter, outputs, given, results);
    this.#hasRun = true;
    return true;
  }

  /** Why the interpreter runs the model by itself; null where it does not. */
  get reason(): string | null {
    return this.#refusal;
  }

  /** Where its nodes run; null where nothing is prepared. */
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
    this.#refusal = null;
    this.#key = '';
  }

  #preparedFor(inputShapes: InputShapes): PreparedModel | null {
    const key = JSON.stringify(inputShapes);
    if (key === this.#key) return this.#prepared;
    this.release();
    const context = this.#helper.open(this.#parts.options.webnnDelegateOptions ?? {});
    const result = typeof context === 'string' ? context : this.#prepareOn(helperWebnn(context), inputShapes);
    if (typeof result === 'string') this.#refusal = result;
    else this.#prepared = result;
    this.#key = key;
    return this.#prepared;
  }

  /** @returns the model on WebNN, or why WebNN gets nothing of it. */
  #prepareOn(webnn: HelperWebnn, inputShapes: InputShapes): PreparedModel | string {
    const deniedNodes: DeniedNode[] = [];
    const { wasm, file } = this.#parts;
    const parts = { model: file, options: { ...this.#parts.options, inputShapes } };
    try {
      const attempt = () => prepareHosted(parts, webnn, deniedNodes, wasm.instantiateNow());
      const prepared = denyAndRetry(deniedNodes, attempt);
      return prepared.webnn === null ? (prepared.webnnReason ?? 'WebNN gets no node of this model') : prepared;
    } catch (error) {
      closeWebnn(webnn);
      if (!isWebnnFailure(error)) throw error;
      return messageOf(error);
    }
  }
}
