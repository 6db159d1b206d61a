/** Keeps a model running when the browser takes its WebNN context away. */

import type { TypedArray } from '../dtypes.js';
import { ContextLostError } from '../errors.js';
import type { ModelFile } from '../wasm/model_file.js';
import { ContextLosses, lossOf } from '../webnn/context_losses.js';
import { shareWebnn } from '../webnn/webnn_context.js';
import { type ModelParts, prepareModel } from './prepare_model.js';
import type { PreparedModel } from './prepared_model.js';
import type { InputShapes } from './shaped_subgraphs.js';

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
    this.#model = prepared.fileToKeep(model);
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
      if (this.#prepared.lostReason !== null) await this.recover();
      const prepared = this.#prepared;
      try {
        const results = await prepared.run(inputs, outputs);
        this.losses.endRow();
        this.#hasRun = true;
        return results;
      } catch (error) {
        const reason = prepared.webnn === null ? null : await lossOf(prepared.webnn);
        if (reason === null) throw error;
        if (!this.#mayRepeat(repeats)) throw lostWhileRunning(reason, error);
      }
    }
  }

  /** Frees graphs, tensors, wasm instance and context. */
  release(): void {
    this.#prepared.release();
    this.#model = null;
  }

  /** Another model of the same file, prepared for other shapes of its inputs. It shares the context. */
  async reshaped(inputShapes: InputShapes): Promise<RecoveringModel> {
    const model = this.#model ?? this.#prepared.opened?.runner.file;
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
    return this.#hasNoPast ? repeats < 2 : repeats < 1 && this.#prepared.isRepeatable;
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
    const { webnn, deniedNodes, opened, isRepeatable, session, lostReason: reason } = this.#prepared;
    if (webnn === null || reason === null || this.#model === null) return;
    this.#hasRun ||= session?.isProven ?? false; // dispatch() has run it
    const isSuspect = !this.#hasRun && (session?.isOnTrial ?? false);
    if (webnn.Builder === null) this.losses.addAll(webnn.context.losses);
    else this.losses.add(reason, isSuspect && webnn.guard !== null);
    this.#prepared.stop();
    const parts = { ...this.#parts, model: this.#model };
    const kept = this.#hasNoPast && !isRepeatable ? null : opened;
    this.#prepared = await prepareModel(parts, this.losses, { deniedNodes, runner: kept });
    this.#model = this.#prepared.fileToKeep(this.#model);
  }
}

function lostWhileRunning(reason: string, cause: unknown): ContextLostError {
  return new ContextLostError(
    `The browser took the WebNN context away while the model ran (${reason}). Run it again: it then rebuilds itself.`,
    { cause },
  );
}
