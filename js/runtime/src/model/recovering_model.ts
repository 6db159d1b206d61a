/** Keeps a model running when the browser takes its WebNN context away. */

import type { TypedArray } from '../dtypes.js';
import { ContextLostError } from '../errors.js';
import { HeapFile, type ModelFile } from '../wasm/model_file.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import { ContextLosses } from '../webnn/context_losses.js';
import { closeWebnn, lossOf, shareWebnn } from '../webnn/webnn_context.js';
import { type ModelParts, type PreparedModel, prepareModel } from './prepare_model.js';
import type { InputShapes } from './shaped_models.js';

/**
 * A prepared model that is prepared anew, on a new context, when it is used after a loss. After too many losses in a
 * row, or where the browser gives no context, it goes to the CPU. Calls of `run` must not overlap.
 */
export class RecoveringModel {
  readonly losses: ContextLosses;
  #prepared: PreparedModel;
  readonly #parts: Omit<ModelParts, 'model'>;
  #hasRun = false;
  /** The file; null where it need not be kept: nothing can be lost any more, and wasm has it. */
  #model: ModelFile | null;

  /** Prepares a model. */
  static async prepare(parts: ModelParts): Promise<RecoveringModel> {
    const losses = new ContextLosses();
    return new RecoveringModel(await prepareModel(parts, losses), parts, losses);
  }

  private constructor(prepared: PreparedModel, parts: ModelParts, losses: ContextLosses) {
    this.#prepared = prepared;
    const { model, ...others } = parts;
    this.#parts = { ...others, watch: null };
    this.#model = fileToKeep(prepared, model);
    this.losses = losses;
  }

  /** The model as it is now. */
  get prepared(): PreparedModel {
    return this.#prepared;
  }

  /**
   * Runs the model once, see Executor.run().
   *
   * A context that is lost in the very first run is probably lost because of it: then a node is searched and kept from
   * WebNN before the run is repeated.
   *
   * @throws ContextLostError where the context was lost meanwhile, and the run cannot be repeated.
   */
  async run(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    for (let repeats = 0; ; repeats++) {
      if (this.#isLost) await this.recover();
      const { executor, webnn } = this.#prepared;
      try {
        const results = await executor.run(inputs, outputs);
        this.losses.endRow();
        this.#hasRun = true;
        return results;
      } catch (error) {
        const reason = webnn === null ? null : await lossOf(webnn);
        if (reason === null) throw error;
        if (!this.#mayRepeat(repeats)) throw lostWhileRunning(reason, error);
      }
    }
  }

  /** Frees graphs, tensors, wasm instance and context. */
  release(): void {
    const { executor, webnn, runner } = this.#prepared;
    executor.destroy();
    runner?.runner.close();
    if (webnn !== null) closeWebnn(webnn);
    this.#model = null;
  }

  /** Runs a model that is wholly on the CPU, without waiting. */
  runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): TypedArray[] {
    return this.#prepared.executor.runNow(inputs, outputs);
  }

  /** Where a signature's own subgraph runs. */
  get subgraphRunner(): WasmRunner {
    const { runner } = this.#prepared;
    if (runner === null) throw new TypeError('a model whose signatures have subgraphs of their own keeps its runner');
    return runner.runner;
  }

  /** Forgets what the model remembers from run to run. */
  resetState(): void {
    this.#prepared.runner?.runner.resetState(); // without a runner there is no state
  }

  /** Another model of the same file, prepared for other shapes of its inputs. It shares the context. */
  async reshaped(inputShapes: InputShapes): Promise<RecoveringModel> {
    const { runner } = this.#prepared;
    const model = this.#model ?? runner?.runner.file;
    if (model === undefined) throw new TypeError('the file of the model is gone');
    const options = { ...this.#parts.options, inputShapes };
    return RecoveringModel.prepare({ ...this.#parts, model, options, webnn: await this.#webnnToShare() });
  }

  /** Whether nothing that a run has left would be missed: the model can begin anew, in wasm too. */
  get #hasNoPast(): boolean {
    return !this.#hasRun && this.#prepared.description.subgraphs.length === 0;
  }

  /** A first run that is lost again, after the search for the cause, ends on the CPU. */
  #mayRepeat(repeats: number): boolean {
    return this.#hasNoPast ? repeats < 2 : repeats < 1 && this.#prepared.executor.isRepeatable;
  }

  get #isLost(): boolean {
    return (this.#prepared.webnn?.lostReason() ?? null) !== null;
  }

  async #webnnToShare(): Promise<ModelParts['webnn']> {
    const { webnn } = this.#prepared;
    if (webnn !== null && webnn.lostReason() === null) return shareWebnn(webnn);
    const asked = this.#parts.webnn;
    if (asked === null) return null;
    const isCallers = asked.context !== null && !asked.owned && asked.lostReason() === null;
    return isCallers ? asked : this.#parts.reopenWebnn();
  }

  /** Prepares the model anew where its context was lost. Must not overlap with a run. */
  async recover(): Promise<void> {
    const { executor, webnn, deniedNodes, runner } = this.#prepared;
    const { isRepeatable } = executor;
    const reason = webnn?.lostReason() ?? null;
    if (webnn === null || reason === null || this.#model === null) return;
    this.#hasRun ||= executor.session?.isProven ?? false; // dispatch() has run it
    const isSuspect = !this.#hasRun && webnn.faults !== null && (executor.session?.isOnTrial ?? false);
    if (webnn.Builder === null) this.losses.addAll(webnn.context.losses);
    else this.losses.add(reason, isSuspect);
    executor.destroy();
    closeWebnn(webnn);
    const parts = { ...this.#parts, model: this.#model };
    const kept = this.#hasNoPast && !isRepeatable ? null : runner;
    this.#prepared = await prepareModel(parts, this.losses, { deniedNodes, runner: kept });
    this.#model = fileToKeep(this.#prepared, this.#model);
  }
}

/** What a model must keep to be prepared anew: as little as there is. */
function fileToKeep({ webnn, runner }: PreparedModel, model: ModelFile): ModelFile | null {
  if (webnn === null) return null;
  if (runner !== null) return runner.runner.file;
  return model instanceof HeapFile ? model.compact() : model;
}

function lostWhileRunning(reason: string, cause: unknown): ContextLostError {
  return new ContextLostError(
    `The browser took the WebNN context away while the model ran (${reason}). Run it again: it then rebuilds itself.`,
    { cause },
  );
}
