/** The engine in the calling thread: calls are synchronous, so the timeline is their order. */

import { loadWasmModule } from 'tflite-webnn/wasm';
import { byteLength } from '../../data_types.js';
import type { EngineContext, EngineGraph, OperandDescriptor, RecordedGraph } from '../../engine.js';
import { opSupportLimits } from '../op_table.js';
import { CompiledGraph } from './compiled_graph.js';
import { GraphPool } from './graph_pool.js';
import { LocalTensor } from './local_tensor.js';
import type { GraphFile } from './timeline_protocol.js';

/**
 * Location of the wasm module; can be posted to a worker.
 *
 * @group polyfill.mjs
 */
export interface TFLiteEngineOptions {
  /** Directory of the wasm module's variants. Default: the script's directory. */
  readonly wasmPath?: string | undefined;
  /** The variant: `auto`, the default, is the fastest that runs here. */
  readonly variant?: 'simd' | 'relaxed-simd' | 'auto' | undefined;
}

/** What a graph reports to its context. */
interface GraphOwner {
  /** Its run has failed. */
  fail(error: unknown): void;
  remove(graph: LocalGraph): void;
}

/** A graph until it is destroyed. */
export class LocalGraph implements EngineGraph {
  #compiled: CompiledGraph | null;
  readonly #owner: GraphOwner;

  constructor(compiled: CompiledGraph, owner: GraphOwner) {
    this.#compiled = compiled;
    this.#owner = owner;
  }

  /** False while it is loaded again, because another graph has crashed. */
  get isLoaded(): boolean {
    return this.#compiled?.isLoaded ?? true;
  }

  /** What loads it in another thread. */
  get file(): GraphFile | null {
    return this.#compiled?.file ?? null;
  }

  dispatch(inputs: readonly LocalTensor[], outputs: readonly LocalTensor[]): void {
    const compiled = this.#compiled;
    try {
      compiled?.run(inputs, outputs);
    } catch (error) {
      this.#owner.fail(error);
      compiled?.fail(error);
    }
  }

  destroy(): void {
    this.#owner.remove(this);
    this.#compiled?.destroy();
    this.#compiled = null;
  }
}

/** A context that computes in this thread. */
export class LocalContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #pool: GraphPool;
  /** Null once it is destroyed. */
  #graphs: Set<LocalGraph> | null = new Set();
  #lose: (reason: string) => void = () => {};

  constructor(pool: GraphPool) {
    this.#pool = pool;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  /** Pending while small graphs are loaded again, because one has crashed: they cannot run before. */
  get rebuilding(): Promise<unknown> | null {
    return this.#pool.rebuilding;
  }

  async build(graph: RecordedGraph): Promise<LocalGraph> {
    return this.#own(await CompiledGraph.compile(graph, this.#pool));
  }

  /** Loads a graph that was built in another thread. */
  async load(file: GraphFile): Promise<LocalGraph> {
    return this.#own(await CompiledGraph.open(file, this.#pool));
  }

  createTensor(descriptor: OperandDescriptor): LocalTensor {
    return new LocalTensor(byteLength(descriptor));
  }

  /** Frees the graphs' memory in shared instances; references free everything else. */
  destroy(): void {
    const graphs = this.#graphs ?? [];
    this.#graphs = null;
    for (const graph of graphs) graph.destroy();
  }

  #own(compiled: CompiledGraph): LocalGraph {
    const built = new LocalGraph(compiled, {
      fail: (error) => {
        // The only way to report a failed dispatch() is the loss of the context.
        this.#lose(`A graph failed: ${String(error)}`);
        this.destroy();
      },
      remove: (graph) => this.#graphs?.delete(graph),
    });
    if (this.#graphs === null) built.destroy();
    this.#graphs?.add(built);
    return built;
  }
}

/** The small graphs of each module in this thread. */
const pools = new Map<string, GraphPool>();

/** A context in this thread. */
export async function openLocalContext(options: TFLiteEngineOptions): Promise<LocalContext> {
  const wasm = await loadWasmModule(options);
  const key = `${wasm.variant} ${options.wasmPath}`;
  let pool = pools.get(key);
  if (pool === undefined) {
    pool = new GraphPool(wasm);
    pools.set(key, pool);
  }
  return new LocalContext(pool);
}
