/** A model that is ready to run, on one context or on the CPU. */

import type { WebnnBackend } from '../blocking/blocking_webnn.js';
import type { ModelDescription, TensorInfo } from '../description.js';
import { elementCount, type TypedArray } from '../dtypes.js';
import { HeapFile, type ModelFile } from '../wasm/model_file.js';
import type { RunnerOptions } from '../wasm/runner_options.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import type { DeniedNode } from '../webnn/denied_nodes.js';
import type { DispatchTimes } from '../webnn/dispatch_clock.js';
import type { BuiltGraphInfo } from '../webnn/graph_executor.js';
import { closeWebnn } from '../webnn/webnn_context.js';
import type { Executor } from './executor.js';
import { graphName, type ProfileItem } from './run_profile.js';
import type { Schedule } from './schedule.js';
import type { WebnnSession } from './webnn_session.js';

/** A model in wasm, and what it was made with. */
export interface OpenRunner {
  readonly runner: WasmRunner;
  readonly options: RunnerOptions;
}

/** What a preparation has found out and made. */
export interface PreparedParts {
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  readonly executor: Executor;
  /** The model in wasm; null where no run needs it. */
  readonly opened: OpenRunner | null;
  /** The context that the model runs on; null on the CPU. */
  readonly webnn: WebnnBackend | null;
  /** Why WebNN is not used though it was asked for; null where it is used or was not asked for. */
  readonly webnnReason: string | null;
  readonly deniedNodes: readonly DeniedNode[];
  readonly initMs: number;
  readonly buildMs: number;
}

/** Owns the runner, the graphs with their tensors, and a share in the context. Calls of `run` must not overlap. */
export class PreparedModel {
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  readonly webnn: WebnnBackend | null;
  readonly webnnReason: string | null;
  readonly deniedNodes: readonly DeniedNode[];
  /** Time that TFLite's preparation of the model took, with the delegates'. */
  readonly initMs: number;
  /** Time of building the graphs. */
  readonly buildMs: number;
  /** The model in wasm, which the next preparation may take over; null where no run needs it. */
  readonly opened: OpenRunner | null;
  readonly #executor: Executor;

  constructor(parts: PreparedParts) {
    this.description = parts.description;
    this.schedule = parts.schedule;
    this.webnn = parts.webnn;
    this.webnnReason = parts.webnnReason;
    this.deniedNodes = parts.deniedNodes;
    this.initMs = parts.initMs;
    this.buildMs = parts.buildMs;
    this.opened = parts.opened;
    this.#executor = parts.executor;
  }

  /** Runs the model once, see Executor.run(). */
  run(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    return this.#executor.run(inputs, outputs);
  }

  /** The same before it returns, for a model that dispatches nothing itself. */
  runNow(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): TypedArray[] {
    return this.#executor.runNow(inputs, outputs);
  }

  /** Whether the last run, if it failed, may be repeated. */
  get isRepeatable(): boolean {
    return this.#executor.isRepeatable;
  }

  /** Why its context was lost; null while it is not. */
  get lostReason(): string | null {
    return this.webnn?.lostReason() ?? null;
  }

  /** The model on WebNN; null where it does not run there, and in blocking mode. */
  get session(): WebnnSession | null {
    return this.#executor.session;
  }

  /** What the browser reports on each graph. */
  get graphs(): readonly BuiltGraphInfo[] {
    return this.#executor.graphs;
  }

  /** How long the dispatches of a graph have taken so far. */
  dispatchTimes(graph: number): DispatchTimes | null {
    return this.#executor.dispatchTimes(graph);
  }

  /** What the last run spent its time on; empty unless profiled. */
  profile(): ProfileItem[] {
    return this.#executor.profile((graph) => graphName(graph, this.description.partitions));
  }

  /** The shape of an output in the run that gave `result`: wasm knows it where the model has dynamic shapes. */
  outputShape(position: number, result: TypedArray | undefined): readonly number[] {
    const { index, shape, dtype } = this.description.outputs[position] as TensorInfo;
    const isAsDescribed = dtype !== 'string' && result?.length === elementCount(shape);
    return isAsDescribed || this.opened === null ? shape : this.opened.runner.tensorShape(index);
  }

  /**
   * Where signatures' own subgraphs run.
   *
   * @throws TypeError for a model without such subgraphs.
   */
  get subgraphRunner(): WasmRunner {
    if (this.opened !== null) return this.opened.runner;
    throw new TypeError('a model whose signatures have subgraphs of their own keeps its runner');
  }

  /** Forgets what the model remembers from run to run; without a runner there is no state. */
  resetState(): void {
    this.opened?.runner.resetState();
  }

  /** What another preparation of the file in `model` needs, in as little memory as there is; null where none can come. */
  fileToKeep(model: ModelFile): ModelFile | null {
    if (this.webnn === null) return null;
    if (this.opened !== null) return this.opened.runner.file;
    return model instanceof HeapFile ? model.compact() : model;
  }

  /** Frees graphs, tensors and the share in the context; the runner can be taken over. */
  stop(): void {
    this.#executor.destroy();
    if (this.webnn !== null) closeWebnn(this.webnn);
  }

  /** Frees the runner, too. */
  release(): void {
    this.stop();
    this.opened?.runner.close();
  }
}
