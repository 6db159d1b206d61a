/** A model that is ready to run, on one context or on the CPU. */

import type { WebnnBackend } from '../blocking/blocking_webnn.js';
import type { HostedGraph } from '../blocking/webnn_host.js';
import type { ModelDescription, TensorInfo, XnnpackReport } from '../description.js';
import { bytesOf, type TypedArray } from '../dtypes.js';
import { checkHeld, type OutputArrays, resolveOutput } from '../tensors/inputs_outputs.js';
import { checkIds, type IdLimit, idLimitsOf } from '../tensors/model_tensors.js';
import { resultsOf, type TensorResult } from '../tensors/results.js';
import { HeapFile, type ModelFile } from '../wasm/wasm_memory.js';
import { OTHER_CRASHED, type WasmRunner } from '../wasm/wasm_runner.js';
import type { ExcludedNode } from '../webnn/excluded_nodes.js';
import { type BuiltGraphInfo, DispatchClock, type DispatchTimes } from '../webnn/graph_executor.js';
import { closeWebnn } from '../webnn/webnn_context.js';
import { graphName, type ProfileItem, RunProfile } from './run_profile.js';
import type { Action, CopyAction, Schedule } from './schedule.js';
import { type BoundState, type ResidentTensors, tensorsOf } from './state.js';
import { StateRun, type StateUser } from './state_run.js';
import type { ModelVariables } from './state_tensor.js';
import type { WebnnSession } from './webnn_session.js';

/** What a preparation has found out and created. */
export interface PreparedParts {
  readonly runner: WasmRunner;
  readonly schedule: Schedule;
  /** The context that the model runs on; none on the CPU. */
  readonly webnn?: WebnnBackend;
  /** Why WebNN is not used though it was requested; null where it is used or was not requested. */
  readonly webnnReason?: string | null;
  /** The model on WebNN; none where the schedule dispatches nothing. */
  readonly session?: WebnnSession;
  /** The graphs that the runner itself computes, in blocking mode. */
  readonly hosted?: readonly HostedGraph[];
  /** What the model remembers between runs besides the runner; who prepares it again keeps them. */
  readonly variables?: ModelVariables | null;
  readonly excludedNodes: readonly ExcludedNode[];
  readonly initMs: number;
  readonly buildMs?: number;
}

/** The arrays of one run. `outputs` has gaps where the caller provided no array; the run fills them. */
interface RunArrays {
  readonly inputs: readonly TypedArray[];
  readonly outputs: (TypedArray | undefined)[];
  /** Of the outputs that wasm has computed; a later run may change them there. */
  readonly shapes: (readonly number[])[];
}

/**
 * Owns the runner, the graphs with their tensors, and a share in the context, and runs the model by walking its
 * schedule. Runs must not overlap.
 */
export class PreparedModel {
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  readonly webnn: WebnnBackend | null;
  readonly webnnReason: string | null;
  readonly excludedNodes: readonly ExcludedNode[];
  /** Time that TFLite's preparation of the model took, with the delegates'. */
  readonly initMs: number;
  /** Time of building the graphs. */
  readonly buildMs: number;
  #hosted: readonly HostedGraph[];
  readonly #clock = new DispatchClock();
  readonly #profile: RunProfile | null;
  readonly #idLimits: readonly IdLimit[];
  readonly variables: ModelVariables | null;
  #runner: WasmRunner | null;
  #session: WebnnSession | null;
  #hasChangedHeap = false;

  constructor(parts: PreparedParts) {
    const { runner, schedule, webnn = null, webnnReason = null, session = null, hosted = [], buildMs = 0 } = parts;
    this.description = runner.description;
    this.schedule = schedule;
    this.webnn = webnn;
    this.webnnReason = webnnReason;
    this.excludedNodes = parts.excludedNodes;
    this.initMs = parts.initMs;
    this.buildMs = buildMs;
    this.#session = session;
    this.#hosted = hosted;
    this.variables = parts.variables ?? null;
    this.#idLimits = schedule.mode === 'cpu' ? [] : idLimitsOf(runner.description);
    this.#profile = runner.options.enable_profiling === true ? new RunProfile() : null;
    // WebNN has its own copy of the weights: the wasm instance goes, or is kept for the file and further subgraphs.
    this.#runner = schedule.usesHeap || this.hasSubgraphsInWasm ? runner : null;
    if (this.#runner !== null) return;
    runner.delete();
    runner.close();
  }

  /** Whether signatures run subgraphs in the same wasm instance; the others are prepared by themselves. */
  get hasSubgraphsInWasm(): boolean {
    return this.description.sharesState && this.description.subgraphs.length > 0;
  }

  /** The model in wasm, which the next preparation may take over; null where no run needs it. */
  get runner(): WasmRunner | null {
    return this.#runner;
  }

  /** XNNPACK's part, as it is after the last run. */
  get xnnpack(): XnnpackReport {
    return this.#runner?.xnnpack ?? this.description.xnnpack;
  }

  /** The model on WebNN; null where it does not run there, and in blocking mode. */
  get session(): WebnnSession | null {
    return this.#session;
  }

  /** Why its context or its wasm instance was lost; null while neither is. */
  get lostReason(): string | null {
    return this.#runner?.isOrphaned ? OTHER_CRASHED : (this.webnn?.lostReason ?? null);
  }

  /** Whether another model has crashed its wasm instance. */
  get isOrphaned(): boolean {
    return this.#runner?.isOrphaned ?? false;
  }

  /** Whether the last run, if it failed, may be repeated: what wasm has computed, state among it, cannot be undone. */
  get isRepeatable(): boolean {
    return !this.#hasChangedHeap;
  }

  /** What the browser reports on each graph; empty where there is none. */
  get graphs(): readonly BuiltGraphInfo[] {
    return this.#session?.graphs ?? this.#hosted;
  }

  /** How long the dispatches of a graph have taken so far. */
  dispatchTimes(graph: number): DispatchTimes | null {
    return this.#hosted[graph]?.times() ?? this.#clock.timesOf(graph);
  }

  /** What the last run spent its time on; empty unless profiled. */
  profile(): ProfileItem[] {
    const opsOf = new Map(this.description.partitions.map(({ graph, ops }) => [graph, ops]));
    const nameOf = (graph: number) => graphName(opsOf.get(graph) ?? []);
    return this.#profile?.items(nameOf, (graph) => this.dispatchTimes(graph)?.last ?? 0) ?? [];
  }

  /**
   * Runs the model once.
   *
   * @param inputs - One array of the right type and size for each input of the model.
   * @param outputs - Arrays to write into, where provided.
   * @param bound - A state, whose inputs and outputs have no arrays.
   * @returns The results, in the model's order.
   */
  async run(
    inputs: readonly TypedArray[],
    outputs: OutputArrays,
    bound: BoundState | null = null,
  ): Promise<TensorResult[]> {
    const resident = this.#residentTensors(bound);
    const state = resident === null ? null : await StateRun.ofSchedule(resident, this.#stateUser);
    const arrays = this.#begin(inputs, outputs);
    const reads: Promise<unknown>[] = [];
    try {
      await this.#act(arrays, reads, state);
      const results = this.#resultsOf(arrays); // while WebNN computes: what follows the reads delays the caller
      await arrival(reads);
      this.#clock.finish(reads.length > 0);
      this.#session?.verify();
      state?.commit();
      return results;
    } catch (error) {
      if (this.#hasChangedHeap) state?.fail();
      // Nothing may be left that writes into the arrays, or that rejects unseen, when the caller gets the failure.
      await Promise.allSettled(reads);
      throw error;
    }
  }

  /**
   * The same synchronously, for a schedule that dispatches nothing.
   *
   * @throws TypeError for any other.
   */
  runNow(inputs: readonly TypedArray[], outputs: OutputArrays): TensorResult[] {
    if (this.#session !== null) throw new TypeError('a schedule with dispatches cannot be run synchronously');
    const resident = this.#residentTensors(null);
    const state = resident === null ? null : StateRun.ofScheduleNow(resident, this.#stateUser);
    const arrays = this.#begin(inputs, outputs);
    try {
      state?.begin();
      for (const action of this.schedule.actions) if (!state?.replaces(action)) this.#perform(action, arrays);
      state?.collect();
    } catch (error) {
      if (this.#hasChangedHeap) state?.fail();
      throw error;
    } finally {
      state?.end();
    }
    state?.commit();
    return this.#resultsOf(arrays);
  }

  /**
   * Where signatures' subgraphs run that are not prepared by themselves.
   *
   * @throws TypeError for a model without such subgraphs.
   */
  get subgraphRunner(): WasmRunner {
    if (this.#runner !== null) return this.#runner;
    throw new TypeError('a model whose signatures have their own subgraphs keeps its runner');
  }

  /** Clears what the model remembers from run to run. */
  resetState(): void {
    this.#runner?.resetState();
    this.variables?.reset();
  }

  /**
   * What another preparation of the file in `model` needs, in as little memory as there is; null where none can come.
   */
  fileToKeep(model: ModelFile): ModelFile | null {
    if (this.#runner?.isShared) return model;
    if (this.webnn === null) return null;
    if (this.#runner !== null) return this.#runner.file;
    return model instanceof HeapFile ? model.compact() : model;
  }

  /** Frees graphs, tensors and the share in the context, and releases the runner: another model may take it over. */
  stop(): void {
    this.#session?.destroy();
    this.#session = null;
    for (const graph of this.#hosted) graph.release();
    this.#hosted = []; // they hold the heap
    this.#runner = null;
    if (this.webnn !== null) closeWebnn(this.webnn);
  }

  /** Frees the runner, too. */
  release(): void {
    const runner = this.#runner;
    this.stop();
    runner?.close();
  }

  #begin(inputs: readonly TypedArray[], provided: OutputArrays): RunArrays {
    checkHeld(inputs, this.description.inputs);
    for (const limit of this.#idLimits) checkIds(limit, this.description.inputs, inputs);
    this.#clock.drop(); // what a run that failed has left
    this.#hasChangedHeap = false;
    this.#profile?.begin(this.#runner);
    return { inputs, outputs: [...provided], shapes: [] };
  }

  #resultsOf({ outputs, shapes }: RunArrays): TensorResult[] {
    return resultsOf(outputs as TypedArray[], this.description, shapes);
  }

  /** Without a CPU's steps, what wasm does is done when this returns: runSync() may come before the promise settles. */
  async #act(arrays: RunArrays, reads: Promise<unknown>[], state: StateRun | null): Promise<void> {
    try {
      if (state !== null) this.#session?.bind(state.slots);
      state?.begin();
      for (const action of this.schedule.actions) {
        // Only wasm needs what is being read; WebNN keeps its own order.
        if (action.kind === 'invoke-steps') {
          await arrival(reads);
          this.#clock.finish(reads.length > 0);
          reads.length = 0;
        }
        if (state?.replaces(action)) continue;
        const read = this.#perform(action, arrays);
        if (read !== undefined) reads.push(read);
      }
      state?.collect();
      // A run ends when it is computed, and fails where that fails.
      if (state !== null && reads.length === 0) reads.push(...state.settle());
    } finally {
      state?.end();
      if (state !== null) this.#session?.bind();
    }
  }

  /** The persistent tensors: the variables, and those of a state. */
  #residentTensors(bound: BoundState | null): ResidentTensors | null {
    const { variables, description } = this;
    const ofState = bound === null ? null : tensorsOf(bound);
    if (variables === null) return ofState;
    return (direction, port) => variables.at(direction, port, description) ?? ofState?.(direction, port) ?? null;
  }

  get #stateUser(): StateUser {
    const { schedule, webnn } = this;
    return { schedule, webnn: webnn?.Builder ? webnn : null, runner: this.#runner };
  }

  /** @returns a promise where the action is not done immediately: a read from WebNN. */
  #perform(action: Action, arrays: RunArrays): Promise<void> | undefined {
    this.#hasChangedHeap ||= changesHeap(action);
    if (action.kind === 'copy') return this.#copy(action, arrays);
    if (action.kind === 'dispatch') {
      this.#clock.start(action.graph);
      this.#webnn.dispatch(action.graph);
      this.#profile?.addDispatch(action.graph);
      return undefined;
    }
    if (action.kind === 'invoke') this.#wasm.invoke();
    else this.#wasm.invokeSteps(action.first, action.count);
    this.#profile?.addNodes(this.#wasm);
    return undefined;
  }

  #copy({ tensor, from, to, port, slot }: CopyAction, arrays: RunArrays): Promise<void> | undefined {
    if (to === 'caller') {
      const info = this.description.outputs[port as number] as TensorInfo;
      // Wasm alone knows the size where the model has dynamic shapes.
      const source = from === 'heap' ? this.#wasm.tensorBytes(tensor) : null;
      const output = resolveOutput(info, source?.byteLength ?? info.sizeBytes, arrays.outputs[port as number]);
      arrays.outputs[port as number] = output;
      if (source === null) return this.#webnn.read(slot as number, output);
      bytesOf(output).set(source);
      arrays.shapes[port as number] = this.#wasm.tensorShape(tensor);
      return undefined;
    }
    if (from === 'webnn') return this.#readIntoHeap(tensor, slot as number);
    const source = from === 'caller' ? (arrays.inputs[port as number] as TypedArray) : this.#wasm.tensorBytes(tensor);
    if (to === 'webnn') this.#webnn.write(slot as number, source);
    else this.#wasm.write(tensor, bytesOf(source));
    return undefined;
  }

  /** Meanwhile another model may let a shared heap grow, and views of it end. */
  async #readIntoHeap(tensor: number, slot: number): Promise<void> {
    const view = this.#wasm.tensorBytes(tensor);
    if (!this.#wasm.isShared) return this.#webnn.read(slot, view);
    const bytes = new Uint8Array(view.byteLength);
    await this.#webnn.read(slot, bytes);
    this.#wasm.write(tensor, bytes);
  }

  get #wasm(): WasmRunner {
    return this.#runner as WasmRunner;
  }

  get #webnn(): WebnnSession {
    return this.#session as WebnnSession;
  }
}

function arrival(reads: readonly Promise<unknown>[]): Promise<unknown> | undefined {
  return reads.length > 1 ? Promise.all(reads) : reads[0];
}

function changesHeap(action: Action): boolean {
  if (action.kind === 'copy') return action.from === 'webnn' && action.to === 'heap';
  return action.kind !== 'dispatch';
}
