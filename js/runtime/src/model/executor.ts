/** Runs a model by walking its schedule. */

import type { HostedGraph } from '../blocking/webnn_host.js';
import type { TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { bytesOf } from '../dtypes.js';
import { takeOutput } from '../tensors/outputs.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import { DispatchClock, type DispatchTimes } from '../webnn/dispatch_clock.js';
import type { BuiltGraphInfo } from '../webnn/graph_executor.js';
import type { Action, CopyAction, DispatchAction } from './actions.js';
import { type ProfileItem, RunProfile } from './run_profile.js';
import type { Schedule } from './schedule.js';
import type { WebnnSession } from './webnn_session.js';

/** The arrays of one run. `outputs` has gaps where the caller gave no array; the run fills them. */
interface RunArrays {
  readonly inputs: readonly TypedArray[];
  readonly outputs: (TypedArray | undefined)[];
}

/** Runs one model. Calls of `run` must not overlap. */
export class Executor {
  readonly #schedule: Schedule;
  readonly #outputs: readonly TensorInfo[];
  readonly #clock = new DispatchClock();
  #runner: WasmRunner | null;
  #session: WebnnSession | null;
  readonly #profile: RunProfile | null;
  readonly #hosted: readonly HostedGraph[];
  #hasChangedHeap = false;

  /**
   * @param runner - The model in wasm; null where the schedule does not use the heap.
   * @param session - The model on WebNN; null where the schedule dispatches nothing.
   * @param isProfiled - Whether the runner measures its nodes.
   * @param hosted - The graphs that the runner itself has computed, in blocking mode.
   */
  constructor(
    schedule: Schedule,
    outputs: readonly TensorInfo[],
    runner: WasmRunner | null,
    session: WebnnSession | null,
    isProfiled = false,
    hosted: readonly HostedGraph[] = [],
  ) {
    this.#schedule = schedule;
    this.#outputs = outputs;
    this.#runner = runner;
    this.#session = session;
    this.#profile = isProfiled ? new RunProfile() : null;
    this.#hosted = hosted;
  }

  /**
   * @param inputs - One array of the right type and size for each input of the model.
   * @param outputs - Arrays to write into, where given.
   * @returns The outputs, in the model's order: `outputs` itself where it has all.
   */
  async run(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    const arrays = this.#arraysFor(inputs, outputs);
    const reads: Promise<void>[] = [];
    try {
      this.#begin();
      for (const action of this.#schedule.actions) {
        // Only wasm needs what is being read; WebNN keeps its own order.
        if (action.kind === 'invoke-steps') await this.#finishReads(reads);
        const read = this.#perform(action, arrays);
        if (read !== undefined) reads.push(read);
      }
      await this.#finishReads(reads);
    } catch (error) {
      // Nothing may be left that writes into the arrays, or that rejects unseen, when the caller hears of the failure.
      await Promise.allSettled(reads);
      throw error;
    }
    this.#session?.acquit();
    return arrays.outputs as TypedArray[];
  }

  /**
   * The same at once, for a schedule that dispatches nothing.
   *
   * @throws TypeError for any other.
   */
  runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): TypedArray[] {
    if (this.#session !== null) throw new TypeError('a schedule with dispatches cannot be run at once');
    const arrays = this.#arraysFor(inputs, outputs);
    this.#begin();
    for (const action of this.#schedule.actions) this.#perform(action, arrays);
    return arrays.outputs as TypedArray[];
  }

  /** What the last run spent its time on; empty unless profiled. `nameOf` gives a graph's name. */
  profile(nameOf: (graph: number) => string): ProfileItem[] {
    return this.#profile?.items(nameOf, (graph) => this.dispatchTimes(graph)?.last ?? 0) ?? [];
  }

  /** Whether the last run, if it failed, may be repeated: what wasm has computed, state among it, cannot be undone. */
  get isRepeatable(): boolean {
    return !this.#hasChangedHeap;
  }

  /** What the browser tells of each graph; empty where there is none. */
  get graphs(): readonly BuiltGraphInfo[] {
    return this.#session?.graphs ?? this.#hosted;
  }

  /** The model on WebNN; null where it does not run there. */
  get session(): WebnnSession | null {
    return this.#session;
  }

  /** How long the dispatches of a graph have taken so far. */
  dispatchTimes(graph: number): DispatchTimes | null {
    return this.#hosted[graph]?.times() ?? this.#clock.timesOf(graph);
  }

  /** Frees graphs and tensors, and lets go of the wasm instance even where the user keeps the model. */
  destroy(): void {
    this.#session?.destroy();
    this.#session = null;
    for (const graph of this.#hosted) graph.release();
    this.#runner = null;
  }

  #arraysFor(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): RunArrays {
    const isComplete = outputs.length === this.#outputs.length && !outputs.includes(undefined);
    const results = isComplete ? outputs : this.#outputs.map((_, port) => outputs[port]);
    return { inputs, outputs: results as (TypedArray | undefined)[] };
  }

  #begin(): void {
    this.#clock.drop(); // what a run that failed has left
    this.#hasChangedHeap = false;
    this.#profile?.begin(this.#runner);
  }

  async #finishReads(reads: Promise<void>[]): Promise<void> {
    if (reads.length === 0) return this.#clock.drop();
    await (reads.length === 1 ? reads[0] : Promise.all(reads));
    reads.length = 0;
    this.#clock.finish();
  }

  /** @returns a promise where the action is not done at once: a read from WebNN. */
  #perform(action: Action, arrays: RunArrays): Promise<void> | undefined {
    this.#hasChangedHeap ||= changesHeap(action);
    if (action.kind === 'copy') return this.#copy(action, arrays);
    if (action.kind === 'dispatch') return this.#dispatch(action);
    if (action.kind === 'invoke') this.#wasm.invoke();
    else this.#wasm.invokeSteps(action.first, action.count);
    this.#profile?.addNodes(this.#wasm);
    return undefined;
  }

  #dispatch({ graph }: DispatchAction): undefined {
    this.#clock.start(graph);
    this.#webnn.dispatch(graph);
    this.#profile?.addDispatch(graph);
  }

  #copy(copy: CopyAction, arrays: RunArrays): Promise<void> | undefined {
    const { tensor, from, to } = copy;
    const port = copy.port ?? -1;
    const slot = copy.slot ?? -1;
    if (to === 'caller') return this.#copyOut(copy, port, arrays);
    if (from === 'webnn') return this.#webnn.read(slot, this.#wasm.tensorBytes(tensor));
    const source = from === 'caller' ? (arrays.inputs[port] as TypedArray) : this.#wasm.tensorBytes(tensor);
    if (to === 'webnn') this.#webnn.write(slot, source);
    else this.#wasm.write(tensor, bytesOf(source));
    return undefined;
  }

  #copyOut({ tensor, from, slot }: CopyAction, port: number, arrays: RunArrays): Promise<void> | undefined {
    const info = this.#outputs[port] as TensorInfo;
    if (from === 'webnn') {
      const output = takeOutput(info, info.sizeBytes, arrays.outputs[port]);
      arrays.outputs[port] = output;
      return this.#webnn.read(slot ?? -1, output);
    }
    const source = this.#wasm.tensorBytes(tensor); // its size is only now known where the model has dynamic shapes
    const output = takeOutput(info, source.byteLength, arrays.outputs[port]);
    bytesOf(output).set(source);
    arrays.outputs[port] = output;
    return undefined;
  }

  get #wasm(): WasmRunner {
    return this.#runner as WasmRunner;
  }

  get #webnn(): WebnnSession {
    return this.#session as WebnnSession;
  }
}

function changesHeap(action: Action): boolean {
  if (action.kind === 'copy') return action.from === 'webnn' && action.to === 'heap';
  return action.kind !== 'dispatch';
}
