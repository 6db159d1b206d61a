/**
 * Keeps a model running: prepared again without nodes that the browser rejects, on another context after a loss, and
 * at last on the CPU. WebNN's failures end as messages in the report, never in an error and never in wrong numbers.
 */

import type { WebnnBackend } from '../blocking/blocking_webnn.js';
import type { InputShapes } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { ContextLostError, messageOf, StateLostError, TFLiteWebnnError, WebnnRunError } from '../errors.js';
import type { OutputArrays } from '../tensors/inputs_outputs.js';
import { asInputs } from '../tensors/model_tensors.js';
import type { TensorResult } from '../tensors/results.js';
import { HeapFile, type ModelFile } from '../wasm/wasm_memory.js';
import { isOfOtherModel, OTHER_CRASHED, type RunnerOptions, type WasmRunner } from '../wasm/wasm_runner.js';
import { ContextLosses } from '../webnn/context_losses.js';
import { type ExcludedNode, excludeNodes, isWebnnFailure, lossOf } from '../webnn/excluded_nodes.js';
import { closeWebnn, openAgain, shareWebnn, unavailable, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { LostInSearchError, type ModelParts, prepareModel } from './prepare_model.js';
import type { PreparedModel } from './prepared_model.js';
import { ofSubgraph, withShapes } from './runner_options.js';
import type { BoundState } from './state.js';

/** A context, why there is none, or null where WebNN was not requested. */
type RequestedWebnn = WebnnBackend | WebnnUnavailable | null;

/** What a model is created from, and how it gets contexts. */
export interface RecoverableParts extends ModelParts {
  /** The model owns it, or has closed it. */
  readonly webnn: RequestedWebnn;
  /** Opens another context where one was lost. */
  reopenWebnn(): Promise<WebnnBackend | WebnnUnavailable>;
}

/** Contexts that one run may lose before it fails. A lost first run is repeated after the search for the cause, too. */
const MAX_REPEATS = { first: 2, later: 1 };

/**
 * A prepared model that is prepared again, on a new context, when it is used after a loss. After too many losses in a
 * row, or where the browser provides no context, it goes to the CPU. Calls of `run` must not overlap.
 */
export class RecoveringModel {
  readonly losses = new ContextLosses();
  readonly #parts: Omit<RecoverableParts, 'model'>;
  #prepared: PreparedModel | null = null;
  #hasRun = false;
  /** The file; null where it need not be kept: nothing can be lost any more, and wasm has it. */
  #model: ModelFile | null = null;

  /** Prepares a model. */
  static async prepare(parts: RecoverableParts): Promise<RecoveringModel> {
    const model = new RecoveringModel(parts);
    await model.#prepare(parts, parts.webnn);
    return model;
  }

  private constructor({ model: _, ...parts }: RecoverableParts) {
    this.#parts = { ...parts, monitor: null };
  }

  /** The model as it is now. */
  get prepared(): PreparedModel {
    return this.#prepared as PreparedModel;
  }

  /** Whether WebNN in this thread has the model, or might have it but for its speed, or if it had nodes. */
  get mayUseWebnn(): boolean {
    const { webnn, description } = this.prepared;
    const isOpen = description.delegate.isFasterOnCpu || description.nodes.length === 0;
    const requested = webnn ?? (isOpen ? this.#parts.webnn : null);
    return requested !== null && requested.context !== null && requested.Builder !== null;
  }

  /** The model's file, kept by this or by wasm; its weights may have another order. */
  get file(): ModelFile {
    const file = this.#model ?? this.prepared.runner?.file;
    if (file === undefined) throw new TypeError('the file of the model is gone');
    return file;
  }

  /**
   * Runs the model once, see PreparedModel.run().
   *
   * A context that is lost in the very first run is probably lost because of it: then a node is searched and kept from
   * WebNN before the run is repeated.
   *
   * @throws ContextLostError where the context was lost meanwhile, and the run cannot be repeated; WebnnRunError for
   *   what the browser throws.
   */
  run(inputs: readonly TypedArray[], outputs: OutputArrays, state: BoundState | null = null): Promise<TensorResult[]> {
    return this.#run(inputs, outputs, state).catch(throwRunError);
  }

  async #run(inputs: readonly TypedArray[], outputs: OutputArrays, state: BoundState | null): Promise<TensorResult[]> {
    for (let repeats = 0; ; repeats++) {
      if (this.prepared.lostReason !== null) await this.recover();
      const { prepared } = this;
      try {
        const results = await prepared.run(inputs, outputs, state);
        this.#hasRun = true;
        if (this.losses.count > 0) this.losses.endRow();
        return results;
      } catch (error) {
        await this.#checkRepeatable(error, prepared, repeats);
      }
    }
  }

  /** Frees graphs, tensors, wasm instance and context. */
  release(): void {
    this.prepared.variables?.release();
    this.prepared.release();
    this.#model = null;
  }

  /** Clears what the model remembers from run to run. */
  async resetState(): Promise<void> {
    if (this.prepared.isOrphaned) await this.#leaveCrashed();
    this.prepared.resetState();
  }

  /** Another model of the same file, prepared for other shapes of its inputs. It shares the context. */
  reshaped(inputShapes: InputShapes): Promise<RecoveringModel> {
    return this.#another({ ...this.#parts.options, ...withShapes(inputShapes) });
  }

  /** Another model of the same file, on the CPU for this reason. */
  onCpu(reason: string): Promise<RecoveringModel> {
    return this.#another(this.#parts.options, undefined, unavailable(reason));
  }

  /**
   * Another model of the same file, whose inputs and outputs are those of this subgraph. It shares the context, and the
   * wasm instance that has the file.
   *
   * @param runsAlone - Whether this model cannot run the subgraph if WebNN does not.
   */
  async ofSubgraph(subgraph: number, runsAlone = false): Promise<RecoveringModel> {
    const { file } = this;
    const options = ofSubgraph(this.#parts.options, subgraph, this.prepared.runner !== null && !runsAlone);
    return file instanceof HeapFile ? this.#another(options, file.forBorrower()) : this.#another(options);
  }

  async #another(
    options: RunnerOptions,
    model = this.#model ?? this.prepared.runner?.fileToOpen ?? this.file,
    webnn: RequestedWebnn | undefined = undefined,
  ): Promise<RecoveringModel> {
    return RecoveringModel.prepare({ ...this.#parts, model, options, webnn: webnn ?? (await this.#webnnToShare()) });
  }

  /**
   * Prepares the model again where its context was lost, or another model has crashed its wasm instance. Must not
   * overlap with a run.
   *
   * @throws StateLostError where a crash took what TFLite kept from run to run.
   */
  async recover(): Promise<void> {
    const { isOrphaned, description } = this.prepared;
    if (isOrphaned) await this.#leaveCrashed();
    if (isOrphaned && description.keepsState) throw new StateLostError(LOST_STATE);
    const { webnn, excludedNodes, runner, isRepeatable, session, lostReason: reason } = this.prepared;
    if (webnn === null || reason === null || this.#model === null) return;
    this.#hasRun ||= session?.isVerified ?? false; // dispatch() has run it
    this.#countLoss(webnn, reason, !this.#hasRun && (session?.isUnverified ?? false));
    this.prepared.stop();
    const kept = this.#hasNoPast && !isRepeatable ? null : runner;
    await this.#prepare({ ...this.#parts, model: this.#model }, await this.#anotherContext(), excludedNodes, kept);
  }

  async #leaveCrashed(): Promise<void> {
    const crashed = this.prepared;
    await this.#prepare({ ...this.#parts, model: this.file }, await this.#webnnToShare(), crashed.excludedNodes);
    crashed.release();
  }

  async #prepare(
    parts: ModelParts,
    first: RequestedWebnn,
    excluded: readonly ExcludedNode[] = [],
    previous: WasmRunner | null = null,
  ): Promise<void> {
    const excludedNodes = [...excluded];
    let webnn = first;
    let kept = previous;
    for (;;) {
      try {
        const variables = this.#prepared?.variables ?? null;
        this.#prepared = await prepareModel(parts, {
          webnn,
          excludedNodes,
          losses: this.losses,
          previous: kept,
          variables,
        });
        asInputs(this.#prepared.description.inputs);
        this.#model = this.#prepared.fileToKeep(parts.model);
        return;
      } catch (error) {
        if (isOfOtherModel(error)) {
          kept = null;
          continue;
        }
        if (webnn === null || webnn.context === null) throw error;
        webnn = await this.#next(error, webnn, excludedNodes);
      }
    }
  }

  /** Where to try again: on the same context without a node, on another one where it was lost, on the CPU. */
  async #next(
    error: unknown,
    webnn: WebnnBackend,
    excludedNodes: ExcludedNode[],
  ): Promise<WebnnBackend | WebnnUnavailable> {
    const reason = isWebnnFailure(error) ? await lossOf(webnn) : null;
    if (reason === null && excludeNodes(error, excludedNodes)) return webnn;
    closeWebnn(webnn);
    if (!isWebnnFailure(error)) throw error;
    if (reason === null) return unavailable(messageOf(error));
    this.#countLoss(webnn, reason, !(error instanceof LostInSearchError));
    return this.#anotherContext();
  }

  #countLoss(webnn: WebnnBackend, reason: string, isFirstUse: boolean): void {
    if (webnn.Builder === null) this.losses.addAll(webnn.context.losses);
    else this.losses.add(reason, isFirstUse && webnn.guard !== null);
  }

  /** A context in place of a lost one, or why there is none. */
  async #anotherContext(): Promise<WebnnBackend | WebnnUnavailable> {
    if (this.losses.tooMany) return unavailable(this.losses.text);
    const webnn = await openAgain(() => this.#parts.reopenWebnn());
    return webnn.context === null ? unavailable(`${this.losses.text} and provided no other: ${webnn.reason}`) : webnn;
  }

  async #webnnToShare(): Promise<RequestedWebnn> {
    const { webnn } = this.prepared;
    if (webnn !== null && webnn.lostReason === null) return shareWebnn(webnn);
    const requested = this.#parts.webnn;
    if (requested === null || requested.context === null) return requested; // wasm may have reordered the weights in the file
    const isCallers = !requested.owned && requested.lostReason === null;
    return isCallers ? requested : this.#parts.reopenWebnn();
  }

  /** Whether no run has left state: the model can start again, in wasm too. */
  get #hasNoPast(): boolean {
    return !this.#hasRun && !this.prepared.hasSubgraphsInWasm;
  }

  /** Throws the error of a run, unless the run is repeated. */
  async #checkRepeatable(error: unknown, prepared: PreparedModel, repeats: number): Promise<void> {
    if (prepared.isOrphaned) return; // recover() throws where the state is lost
    const reason = prepared.webnn === null ? null : await lossOf(prepared.webnn);
    if (reason === null) throw error;
    if (!this.#mayRepeat(repeats)) throw lostWhileRunning(reason, error);
  }

  #mayRepeat(repeats: number): boolean {
    if (this.#hasNoPast) return repeats < MAX_REPEATS.first;
    return repeats < MAX_REPEATS.later && this.prepared.isRepeatable;
  }
}

const LOST_STATE = `${OTHER_CRASHED}, and with it the variables of this one: run again what filled them.`;

function throwRunError(error: unknown): never {
  if (error instanceof TFLiteWebnnError) throw error;
  throw new WebnnRunError(`WebNN failed while running the model: ${messageOf(error)}`, { cause: error });
}

function lostWhileRunning(reason: string, cause: unknown): ContextLostError {
  return new ContextLostError(
    `The browser took the WebNN context away while the model ran (${reason}). Run it again: it then rebuilds itself.`,
    { cause },
  );
}
