/**
 * Computes the WebNN partitions of models in one wasm instance while wasm waits: what
 * wasm/runtime/execute/blocking_host.cc calls. Nothing may be thrown through C++, so a failure is kept for the caller
 * of wasm.
 */

import type { WebnnGraph } from '../description.js';
import { ContextLostError, WebnnRunError } from '../errors.js';
import type { WasmBindings, WasmHeap, WasmWebnnHost } from '../wasm/wasm_binding_types.js';
import { heapBuffer } from '../wasm/wasm_memory.js';
import { KnownBugError, WebnnBuildError } from '../webnn/excluded_nodes.js';
import { type BuiltGraphInfo, DispatchClock, type DispatchTimes } from '../webnn/graph_executor.js';
import type { HelperContext } from './blocking_helper.js';
import {
  type BuildRequest,
  type HelperResponse,
  type MemoryLayout,
  memoryLayout,
  type SearchRequest,
  type TensorRange,
} from './helper_protocol.js';

interface HostGraph extends BuiltGraphInfo {
  readonly number: number;
  readonly context: HelperContext;
  readonly description: WebnnGraph;
  readonly ranges: MemoryLayout;
  readonly memory: SharedArrayBuffer;
  /** Whether it was computed once: a loss has other causes then. */
  isVerified: boolean;
  /** The context's generation that it was built on. */
  generation: number;
}

type GraphToBuild = Omit<HostGraph, keyof BuiltGraphInfo>;

/** What a request about a graph has besides the graph. */
type MoreOf<Request> = Omit<Request, 'context' | 'description' | 'constants'>;

/** A graph that wasm has computed by its host. */
export interface HostedGraph extends BuiltGraphInfo {
  times(): DispatchTimes | null;
  /** Frees it before the model in wasm goes. */
  release(): void;
}

/** A TfLiteWebnnBuffer is an address and a size. */
const WORDS_PER_BUFFER = 2;

/** The host of one wasm instance. */
export class WebnnHost implements WasmWebnnHost {
  readonly #clock = new DispatchClock();
  #heap: WasmHeap | null = null;
  readonly #contexts = new Map<number, HelperContext>();
  readonly #graphs = new Map<number, HostGraph>();
  #failure: unknown = null;

  constructor(...contexts: readonly HelperContext[]) {
    for (const context of contexts) this.add(context);
  }

  /** Has a wasm instance call this host. */
  attach(bindings: WasmBindings): void {
    bindings.webnnHost = this;
    this.#heap = bindings;
  }

  /** Lets models compute on a context. */
  add(context: HelperContext): void {
    this.#contexts.set(context.number, context);
  }

  /** What is known of graphs of a model, in the order of their descriptions. */
  infoOf(descriptions: readonly WebnnGraph[]): HostedGraph[] {
    const graphs = new Map([...this.#graphs.values()].map((graph) => [labelOf(graph.description), graph]));
    return descriptions.flatMap((description) => {
      const graph = graphs.get(labelOf(description));
      if (graph === undefined) return [];
      const { number, buildMs, devices } = graph;
      return [{ buildMs, devices, times: () => this.#clock.timesOf(number), release: () => this.release(number) }];
    });
  }

  takeFailure(): unknown {
    const failure = this.#failure;
    this.#failure = null;
    return failure;
  }

  /** @returns the graph's handle, 0 where it cannot be built. */
  build(context: number, graphJson: string): number {
    return this.#attempt(0, () => {
      const found = this.#contexts.get(context) as HelperContext;
      const description = JSON.parse(graphJson) as WebnnGraph;
      const ranges = memoryLayout(description);
      const memory = new SharedArrayBuffer(ranges.byteLength);
      const start = performance.now();
      const number = found.helper.number();
      const graph = { number, context: found, description, ranges, memory, isVerified: false, generation: -1 };
      const devices = this.#build(graph);
      this.#graphs.set(number, { ...graph, generation: found.generation, devices, buildMs: performance.now() - start });
      return number;
    });
  }

  /** Computes a graph on buffers of the heap. @returns 0 for success. */
  dispatch(number: number, inputs: number, outputs: number): number {
    return this.#attempt(1, () => {
      const graph = this.#graphs.get(number) as HostGraph;
      this.#clock.start(number);
      this.#copy(graph.ranges.inputs, graph.memory, inputs, (shared, heap) => shared.set(heap));
      this.#compute(graph);
      this.#copy(graph.ranges.outputs, graph.memory, outputs, (shared, heap) => heap.set(shared));
      this.#clock.finish();
      graph.context.losses.endRow();
      return 0;
    });
  }

  release(number: number): void {
    const graph = this.#graphs.get(number);
    if (graph === undefined) return;
    this.#graphs.delete(number);
    graph.context.helper.post({ kind: 'release', graph: number });
  }

  /** What it computes is repeated on another context where one is lost: inputs and constants are still there. */
  #compute(graph: HostGraph): void {
    for (;;) {
      const { context } = graph;
      let response: HelperResponse | null = null;
      if (graph.generation !== context.generation) response = this.#rebuild(graph);
      response ??= context.helper.request({ kind: 'dispatch', graph: graph.number });
      if (response.kind === 'done') {
        graph.isVerified = true;
        return;
      }
      if (response.kind !== 'lost') throw runError(response);
      this.#replace(graph, response.reason);
    }
  }

  /** @returns the response where the context was lost meanwhile. */
  #rebuild(graph: HostGraph): HelperResponse | null {
    const response = this.#requestBuild(graph);
    if (response.kind === 'lost') return response;
    if (response.kind !== 'built') throw runError(response);
    graph.generation = graph.context.generation;
    return null;
  }

  #build(graph: GraphToBuild): readonly string[] | null {
    for (;;) {
      const response = this.#requestBuild(graph);
      if (response.kind === 'built') return response.devices;
      if (response.kind === 'rejected') throw new WebnnBuildError(response.message, response.node);
      if (response.kind === 'known bugs') throw new KnownBugError(response.nodes);
      if (response.kind !== 'lost') throw new WebnnBuildError(runError(response).message, null);
      this.#replace(graph, response.reason);
    }
  }

  /**
   * Replaces a lost context, and searches a graph that may be the cause.
   *
   * @throws ContextLostError where there is none, or where the graph is not to run again as it is.
   */
  #replace(graph: GraphToBuild, reason: string): void {
    const { context } = graph;
    context.replace(reason, !graph.isVerified);
    if (context.failure === null && context.losses.isSearchDue) this.#search(graph);
    if (context.failure === null) return;
    throw new ContextLostError(`The model has no WebNN any more: ${context.failure}. run() prepares it again.`);
  }

  #search(graph: GraphToBuild): void {
    const { context } = graph;
    const response = this.#request(graph, { kind: 'search' });
    if (response.kind !== 'searched') throw runError(response);
    const { search, reason } = response;
    context.losses.searched(search);
    context.helper.remember(search.bugs);
    if (reason !== null) context.losses.add(reason);
    if (reason !== null || context.losses.tooMany) context.failure = context.losses.text;
  }

  #request({ context, description }: GraphToBuild, more: MoreOf<BuildRequest> | MoreOf<SearchRequest>): HelperResponse {
    const constants = description.constants.map(({ address, byteLength }) =>
      new Uint8Array(this.#heapBuffer, address, byteLength).slice(),
    );
    return context.helper.request(
      { ...more, context: context.number, description, constants },
      constants.map(({ buffer }) => buffer),
    );
  }

  #requestBuild(graph: GraphToBuild): HelperResponse {
    const { number, memory } = graph;
    return this.#request(graph, { kind: 'build', graph: number, memory });
  }

  #copy(
    ranges: readonly TensorRange[],
    memory: SharedArrayBuffer,
    buffers: number,
    copy: (shared: Uint8Array, heap: Uint8Array) => void,
  ): void {
    const buffer = this.#heapBuffer;
    const words = new Uint32Array(buffer, buffers >>> 0, ranges.length * WORDS_PER_BUFFER);
    ranges.forEach(({ port, offset, byteLength }, position) => {
      const [address = 0, sizeBytes] = words.subarray(position * WORDS_PER_BUFFER);
      if (sizeBytes !== byteLength) {
        throw new WebnnRunError(
          `Tensor ${port.tensor} has ${sizeBytes} bytes, but its graph was built for ${byteLength}.`,
        );
      }
      copy(new Uint8Array(memory, offset, byteLength), new Uint8Array(buffer, address, byteLength));
    });
  }

  get #heapBuffer(): ArrayBuffer {
    return heapBuffer(this.#heap as WasmHeap);
  }

  #attempt(failed: number, work: () => number): number {
    try {
      return work();
    } catch (error) {
      this.#failure = error;
      return failed;
    }
  }
}

/** A node is in one graph only, so its label identifies the graph. */
function labelOf({ operators }: WebnnGraph): string | undefined {
  return operators[0]?.label;
}

function runError(response: HelperResponse): WebnnRunError {
  const why = 'message' in response ? response.message : `the helper worker responded with "${response.kind}"`;
  return new WebnnRunError(`WebNN failed while running the model: ${why}`);
}
