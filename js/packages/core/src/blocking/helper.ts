/**
 * The helper worker of blocking mode: it owns the contexts, computes on shared memory, and responds to a thread that
 * sleeps.
 */

import { messageOf } from '../errors.js';
import { nodeModule } from '../support/platform.js';
import { type NamedTensors, PortTensor, tensorsByPort } from '../tensors/model_tensors.js';
import type { BugGuard } from '../webnn/context_losses.js';
import { KnownBugError, lossOf, WebnnBuildError } from '../webnn/excluded_nodes.js';
import { buildOrFindNode } from '../webnn/graph_executor.js';
import type { HeapReader } from '../webnn/graph_nodes.js';
import { chooseWebnn, closeWebnn, openAgain, type PageWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import type { MLContext, MLGraph } from '../webnn_types.js';
import type { HelperHandshake } from './blocking_helper.js';
import {
  type BuildRequest,
  type ContextRequest,
  type HelperRequest,
  type HelperResponse,
  Mailbox,
  memoryLayout,
  type OpenRequest,
  type SearchRequest,
} from './helper_protocol.js';

interface HelperGraph {
  readonly context: number;
  readonly shared: SharedGraph;
}

function openRequested({ wasmPath, ...options }: ContextRequest): Promise<PageWebnn | WebnnUnavailable> {
  return chooseWebnn(options, wasmPath);
}

/** Does what is requested of it, in order. */
export class Helper {
  readonly #contexts = new Map<number, PageWebnn>();
  readonly #graphs = new Map<number, HelperGraph>();
  #last: Promise<void> = Promise.resolve();

  /** @param open - Creates a context; tests have their own. */
  constructor(
    private readonly box: Mailbox,
    private readonly open: (request: ContextRequest) => Promise<PageWebnn | WebnnUnavailable> = openRequested,
  ) {}

  /** Accepts a request; its response, if any, will be in the mailbox. */
  accept(request: HelperRequest): void {
    this.#last = this.#last.then(() => this.#serve(request));
  }

  async #serve(request: HelperRequest): Promise<void> {
    if (request.kind === 'release') return this.#release(request.graph);
    if (request.kind === 'close') return this.#close(request.context);
    const stopHeartbeat = this.box.startHeartbeat();
    try {
      this.box.put(await this.#respond(request));
    } catch (error) {
      this.box.put({ kind: 'failed', message: messageOf(error) });
    } finally {
      stopHeartbeat();
    }
  }

  async #respond(request: Exclude<HelperRequest, { kind: 'release' | 'close' }>): Promise<HelperResponse> {
    if (request.kind === 'build') return this.#build(request);
    if (request.kind === 'search') return this.#search(request);
    if (request.kind === 'dispatch') return this.#dispatch(request.graph);
    return this.#open(request);
  }

  async #open({ context, request, isAgain, bugs }: OpenRequest): Promise<HelperResponse> {
    this.#close(context);
    const webnn = isAgain ? await openAgain(() => this.open(request)) : await this.open(request);
    if (webnn.context === null) return { kind: 'unavailable', reason: webnn.reason };
    this.#contexts.set(context, webnn);
    await webnn.guard?.learn(bugs).catch(() => undefined); // as without storage
    return { kind: 'open', limits: webnn.limits, backend: webnn.backend };
  }

  async #build(request: BuildRequest): Promise<HelperResponse> {
    const { context, Builder, guard } = this.#contextOf(request.context);
    const { description } = request;
    try {
      const graph = await buildOrFindNode(description, () => new Builder(context), heapOf(request), guard);
      const shared = await SharedGraph.create(context, graph, request);
      this.#graphs.set(request.graph, { context: request.context, shared });
      return { kind: 'built', devices: graph.devices === undefined ? null : [...graph.devices] };
    } catch (error) {
      return this.#failure(request.context, error);
    }
  }

  async #search(request: SearchRequest): Promise<HelperResponse> {
    const webnn = this.#contextOf(request.context);
    const search = await (webnn.guard as BugGuard).search([request.description], webnn, heapOf(request));
    return { kind: 'searched', search, reason: webnn.lostReason };
  }

  async #dispatch(graph: number): Promise<HelperResponse> {
    const { context, shared } = this.#graphs.get(graph) as HelperGraph;
    try {
      await shared.dispatch();
      return { kind: 'done' };
    } catch (error) {
      return this.#failure(context, error);
    }
  }

  async #failure(context: number, error: unknown): Promise<HelperResponse> {
    const reason = await lossOf(this.#contextOf(context));
    if (reason !== null) return { kind: 'lost', reason };
    if (error instanceof KnownBugError) return { kind: 'known bugs', nodes: error.nodes };
    if (error instanceof WebnnBuildError) return { kind: 'rejected', message: error.message, node: error.node };
    return { kind: 'failed', message: messageOf(error) };
  }

  #release(graph: number): void {
    this.#graphs.get(graph)?.shared.destroy();
    this.#graphs.delete(graph);
  }

  #close(context: number): void {
    for (const [graph, { context: owner }] of this.#graphs) if (owner === context) this.#release(graph);
    const webnn = this.#contexts.get(context);
    if (webnn !== undefined) closeWebnn(webnn);
    this.#contexts.delete(context);
  }

  #contextOf(context: number): PageWebnn {
    const webnn = this.#contexts.get(context);
    if (webnn === undefined) throw new TypeError(`the helper has no context ${context}`);
    return webnn;
  }
}

function heapOf({ description, constants }: Pick<BuildRequest, 'description' | 'constants'>): HeapReader {
  const constantsAt = new Map(description.constants.map(({ address }, position) => [address, constants[position]]));
  return (address) => constantsAt.get(address) as Uint8Array;
}

/**
 * Serves the thread that has started this worker.
 *
 * @param open - Creates a context; without it as chooseWebnn() does.
 */
export function serveHelper(open?: (request: ContextRequest) => Promise<PageWebnn | WebnnUnavailable>): void {
  let helper: Helper | null = null;
  listen((message) => {
    if (helper !== null) return helper.accept(message as HelperRequest);
    const box = new Mailbox((message as HelperHandshake).mailbox);
    helper = new Helper(box, open);
    box.put({ kind: 'done' });
  });
}

interface NodeThreads {
  readonly parentPort: { on(event: 'message', listener: (message: unknown) => void): void } | null;
}

/** Calls `onMessage` with all messages of the thread that has started this worker. */
export function listen(onMessage: (message: unknown) => void): void {
  const port = nodeModule<NodeThreads>('node:worker_threads')?.parentPort;
  if (port) port.on('message', onMessage);
  else globalThis.addEventListener('message', (event) => onMessage((event as MessageEvent).data));
}

/** A graph that is computed on shared memory. */
export class SharedGraph {
  readonly #bytes: readonly Uint8Array[];
  readonly #bound: readonly [inputs: NamedTensors, outputs: NamedTensors];

  /** @param bytes - Views of the shared memory, one for each of `tensors`: the inputs, then the outputs. */
  private constructor(
    private readonly context: MLContext,
    readonly graph: MLGraph,
    private readonly tensors: readonly PortTensor[],
    bytes: readonly Uint8Array[],
    private readonly inputCount: number,
  ) {
    this.#bytes = bytes;
    this.#bound = [tensorsByPort(tensors.slice(0, inputCount)), tensorsByPort(tensors.slice(inputCount))];
  }

  /**
   * Creates the tensors of a graph that is built. The graph belongs to the result.
   *
   * @throws what the browser says where it cannot make one; the graph and the other tensors are destroyed then.
   */
  static async create(context: MLContext, graph: MLGraph, { description, memory }: BuildRequest): Promise<SharedGraph> {
    const { inputs, outputs } = memoryLayout(description);
    const uses = [
      ...inputs.map(({ port }) => ({ port, writable: true })),
      ...outputs.map(({ port }) => ({ port, readable: true })),
    ];
    const bytes = [...inputs, ...outputs].map(({ offset, byteLength }) => new Uint8Array(memory, offset, byteLength));
    try {
      const tensors = await PortTensor.createAll(context, uses);
      return new SharedGraph(context, graph, tensors, bytes, inputs.length);
    } catch (error) {
      graph.destroy?.();
      throw error;
    }
  }

  /** Computes the outputs of the inputs that lie in the memory. */
  async dispatch(): Promise<void> {
    this.tensors.slice(0, this.inputCount).forEach((tensor, port) => {
      tensor.write(this.#bytes[port] as Uint8Array);
    });
    this.context.dispatch(this.graph, ...this.#bound);
    const outputs = this.tensors.slice(this.inputCount);
    await Promise.all(outputs.map((tensor, port) => tensor.read(this.#bytes[this.inputCount + port] as Uint8Array)));
  }

  destroy(): void {
    this.graph.destroy?.();
    for (const tensor of this.tensors) tensor.destroy();
  }
}
