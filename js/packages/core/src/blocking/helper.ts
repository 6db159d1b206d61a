/** The helper worker of blocking mode: it owns the contexts, and answers a thread that sleeps. */

import { messageOf } from '../errors.js';
import { chooseWebnn } from '../webnn/choose_webnn.js';
import { lossOf } from '../webnn/context_losses.js';
import { KnownFaultError } from '../webnn/denied_nodes.js';
import type { FaultGuard } from '../webnn/fault_guard.js';
import type { HeapReader } from '../webnn/graph_executor.js';
import { buildOrFindNode } from '../webnn/refused_node.js';
import { WebnnBuildError } from '../webnn/webnn_build_error.js';
import { closeWebnn, openAgain, type PageWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import type {
  BuildRequest,
  ContextWish,
  HelperAnswer,
  HelperRequest,
  OpenRequest,
  SearchRequest,
} from './helper_protocol.js';
import type { Mailbox } from './mailbox.js';
import { SharedGraph } from './shared_graph.js';

interface HelperGraph {
  readonly context: number;
  readonly shared: SharedGraph;
}

function openWished({ wasmPath, ...options }: ContextWish): Promise<PageWebnn | WebnnUnavailable> {
  return chooseWebnn(options, wasmPath);
}

/** Does what it is asked, in order. */
export class Helper {
  readonly #contexts = new Map<number, PageWebnn>();
  readonly #graphs = new Map<number, HelperGraph>();
  #last: Promise<void> = Promise.resolve();

  /** @param open - Makes a context; tests have their own. */
  constructor(
    private readonly box: Mailbox,
    private readonly open: (wish: ContextWish) => Promise<PageWebnn | WebnnUnavailable> = openWished,
  ) {}

  /** Takes a request; its answer, if any, will be in the box. */
  take(request: HelperRequest): void {
    this.#last = this.#last.then(() => this.#serve(request));
  }

  async #serve(request: HelperRequest): Promise<void> {
    if (request.kind === 'release') return this.#release(request.graph);
    if (request.kind === 'close') return this.#close(request.context);
    const stopBeating = this.box.beat();
    try {
      this.box.put(await this.#answer(request));
    } catch (error) {
      this.box.put({ kind: 'failed', message: messageOf(error) });
    } finally {
      stopBeating();
    }
  }

  async #answer(request: Exclude<HelperRequest, { kind: 'release' | 'close' }>): Promise<HelperAnswer> {
    if (request.kind === 'build') return this.#build(request);
    if (request.kind === 'search') return this.#search(request);
    if (request.kind === 'dispatch') return this.#dispatch(request.graph);
    return this.#open(request);
  }

  async #open({ context, wish, isAgain, faults }: OpenRequest): Promise<HelperAnswer> {
    this.#close(context);
    const webnn = isAgain ? await openAgain(() => this.open(wish)) : await this.open(wish);
    if (webnn.context === null) return { kind: 'unavailable', reason: webnn.reason };
    this.#contexts.set(context, webnn);
    await webnn.guard?.learn(faults).catch(() => undefined); // as without storage
    return { kind: 'open', limits: webnn.limits, backend: webnn.backend };
  }

  async #build(request: BuildRequest): Promise<HelperAnswer> {
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

  async #search(request: SearchRequest): Promise<HelperAnswer> {
    const webnn = this.#contextOf(request.context);
    const search = await (webnn.guard as FaultGuard).search([request.description], webnn, heapOf(request));
    return { kind: 'searched', search, reason: webnn.lostReason() };
  }

  async #dispatch(graph: number): Promise<HelperAnswer> {
    const { context, shared } = this.#graphs.get(graph) as HelperGraph;
    try {
      await shared.dispatch();
      return { kind: 'done' };
    } catch (error) {
      return this.#failure(context, error);
    }
  }

  async #failure(context: number, error: unknown): Promise<HelperAnswer> {
    const reason = await lossOf(this.#contextOf(context));
    if (reason !== null) return { kind: 'lost', reason };
    if (error instanceof KnownFaultError) return { kind: 'known faults', nodes: error.nodes };
    if (error instanceof WebnnBuildError) return { kind: 'refused', message: error.message, node: error.node };
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
  const places = new Map(description.constants.map(({ address }, position) => [address, constants[position]]));
  return (address) => places.get(address) as Uint8Array;
}
