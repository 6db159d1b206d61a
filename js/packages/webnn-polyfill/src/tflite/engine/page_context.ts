/** The engine for pages: small graphs run synchronously in the page's thread, others in a worker. */

import { byteLength } from '../../data_types.js';
import type { EngineContext, EngineGraph } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import { graphCost } from './graph_cost.js';
import type { LocalContext, LocalGraph } from './local_context.js';
import type { LocalTensor } from './local_tensor.js';
import { PageTensor } from './page_tensor.js';
import type { WorkerContext, WorkerGraph } from './worker_context.js';
import type { WorkerTensor } from './worker_tensor.js';

/**
 * The largest {@link graphCost} of a small graph: about 1 ms, ten times a message to a worker and back,
 * and the longest time to block a page's thread.
 */
const MAX_SMALL_COST = 2 ** 25;

/** A context that computes in both threads. */
export class PageContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #worker: WorkerContext;
  readonly #openHere: () => Promise<LocalContext>;
  readonly #maxSmallCost: number;
  #here: Promise<LocalContext | null> | null = null;
  #lose: (reason: string) => void = () => {};

  /** @param openHere - Opens the context of this thread, for the first small graph. */
  constructor(worker: WorkerContext, openHere: () => Promise<LocalContext>, maxSmallCost = MAX_SMALL_COST) {
    this.#worker = worker;
    this.#openHere = openHere;
    this.#maxSmallCost = maxSmallCost;
    const lostHere = new Promise<string>((resolve) => {
      this.#lose = resolve;
    });
    this.lost = Promise.race([worker.lost, lostHere]);
  }

  /** Small graphs are built in the worker, too, for tensors that are there. */
  async build(graph: RecordedGraph): Promise<PageGraph> {
    const small = graphCost(graph) <= this.#maxSmallCost ? this.#buildHere(copyOf(graph)) : null;
    const [here, inWorker] = await Promise.all([small, this.#worker.build(graph)]);
    return new PageGraph(here, inWorker);
  }

  createTensor(descriptor: OperandDescriptor): PageTensor {
    return new PageTensor(byteLength(descriptor), () => this.#worker.createTensor(descriptor));
  }

  destroy(): void {
    this.#worker.destroy();
  }

  async #buildHere(graph: RecordedGraph): Promise<LocalGraph | null> {
    this.#here ??= this.#open();
    return (await (await this.#here)?.build(graph)) ?? null;
  }

  /** Returns null if a page's security policy forbids wasm: its worker has its own. */
  async #open(): Promise<LocalContext | null> {
    try {
      const here = await this.#openHere();
      here.lost.then(this.#lose);
      return here;
    } catch {
      return null;
    }
  }
}

/** The graph with copied constants, because an engine keeps or frees those that no tensor owns. */
function copyOf(graph: RecordedGraph): RecordedGraph {
  const constants = graph.constants.map((constant) =>
    constant.isShared ? constant : { operand: constant.operand, bytes: constant.bytes.slice() },
  );
  return { ...graph, constants };
}

function tensorHere({ here }: PageTensor): LocalTensor {
  return here as LocalTensor;
}

function tensorInWorker(tensor: PageTensor): WorkerTensor {
  return tensor.inWorker();
}

class PageGraph implements EngineGraph {
  /** Only for a small graph. */
  readonly #here: LocalGraph | null;
  readonly #inWorker: WorkerGraph;

  constructor(here: LocalGraph | null, inWorker: WorkerGraph) {
    this.#here = here;
    this.#inWorker = inWorker;
  }

  dispatch(inputs: readonly PageTensor[], outputs: readonly PageTensor[]): void {
    const isHere = [...inputs, ...outputs].every(({ here }) => here !== null);
    if (this.#here !== null && isHere) this.#here.dispatch(inputs.map(tensorHere), outputs.map(tensorHere));
    else this.#inWorker.dispatch(inputs.map(tensorInWorker), outputs.map(tensorInWorker));
  }

  destroy(): void {
    this.#here?.destroy();
    this.#inWorker.destroy();
  }
}
