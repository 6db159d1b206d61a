/** Keeps a model running when the browser takes its WebNN context away. */

import { ContextLosses } from './context_losses.js';
import type { TypedArray } from './dtypes.js';
import { ContextLostError } from './errors.js';
import { type ModelParts, type PreparedModel, prepareModel } from './prepare_model.js';
import { closeWebnn, lossOf } from './webnn_context.js';

/**
 * A prepared model that is prepared anew, on a new context, when it is used after a loss. After too many losses in a
 * row, or where the browser gives no context, it goes to the CPU. Calls of `run` must not overlap.
 */
export class RecoveringModel {
  readonly losses: ContextLosses;
  #prepared: PreparedModel;
  /** Null once nothing can be lost any more, so that the file's bytes go. */
  #parts: ModelParts | null;

  /** Prepares a model. */
  static async prepare(parts: ModelParts): Promise<RecoveringModel> {
    const losses = new ContextLosses();
    return new RecoveringModel(await prepareModel(parts, losses), parts, losses);
  }

  private constructor(prepared: PreparedModel, parts: ModelParts, losses: ContextLosses) {
    this.#prepared = prepared;
    this.#parts = prepared.webnn === null ? null : { ...parts, watch: null };
    this.losses = losses;
  }

  /** The model as it is now. */
  get prepared(): PreparedModel {
    return this.#prepared;
  }

  /**
   * Runs the model once, see Executor.run().
   *
   * @throws ContextLostError where the context was lost meanwhile, and the run cannot be repeated.
   */
  async run(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    for (let isRepeated = false; ; isRepeated = true) {
      await this.recover();
      const { executor, webnn } = this.#prepared;
      try {
        const results = await executor.run(inputs, outputs);
        this.losses.endRow();
        return results;
      } catch (error) {
        const reason = webnn === null ? null : await lossOf(webnn);
        if (reason === null) throw error;
        if (isRepeated || !executor.isRepeatable) throw lostWhileRunning(reason, error);
      }
    }
  }

  /** Prepares the model anew where its context was lost. Must not overlap with a run. */
  async recover(): Promise<void> {
    const { executor, webnn, deniedNodes, runner } = this.#prepared;
    const reason = webnn?.lostReason() ?? null;
    if (webnn === null || reason === null || this.#parts === null) return;
    this.losses.add(reason);
    executor.destroy();
    closeWebnn(webnn);
    this.#prepared = await prepareModel(this.#parts, this.losses, { deniedNodes, runner });
    if (this.#prepared.webnn === null) this.#parts = null;
  }

  /** Frees graphs, tensors, wasm instance and context. */
  release(): void {
    const { executor, webnn } = this.#prepared;
    executor.destroy();
    if (webnn !== null) closeWebnn(webnn);
    this.#parts = null;
  }
}

function lostWhileRunning(reason: string, cause: unknown): ContextLostError {
  return new ContextLostError(
    `The browser took the WebNN context away while the model ran (${reason}). Run it again: it then rebuilds itself.`,
    { cause },
  );
}
