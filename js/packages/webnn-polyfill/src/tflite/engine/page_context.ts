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

  /** A small graph is built here, and loaded in the worker when one of its tensors is there. */
  async build(graph: RecordedGraph): Promise<PageGraph> {
    const isSmall = graphCost(graph) <= this.#maxSmallCost;
    const here = isSmall ? await this.#contextHere() : null;
    if (here === null) return new PageGraph(null, await this.#worker.build(graph), this.#worker);
    return new PageGraph(await here.build(graph), null, this.#worker);
  }

  createTensor(descriptor: OperandDescriptor): PageTensor {
    return new PageTensor(byteLength(descriptor), () => this.#worker.createTensor(descriptor));
  }

  destroy(): void {
    this.#worker.destroy();
    this.#here?.then((here) => here?.destroy());
  }

  #contextHere(): Promise<LocalContext | null> {
    this.#here ??= this.#open();
    return this.#here;
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

function tensorHere({ here }: PageTensor): LocalTensor {
  return here as LocalTensor;
}

function tensorInWorker(tensor: PageTensor): WorkerTensor {
  return tensor.inWorker();
}

class PageGraph implements EngineGraph {
  /** Only of a small graph. */
  readonly #here: LocalGraph | null;
  /** Of a small graph, once a tensor is in the worker. */
  #inWorker: WorkerGraph | null;
  readonly #worker: WorkerContext;

  constructor(here: LocalGraph | null, inWorker: WorkerGraph | null, worker: WorkerContext) {
    this.#here = here;
    this.#inWorker = inWorker;
    this.#worker = worker;
  }

  dispatch(inputs: readonly PageTensor[], outputs: readonly PageTensor[]): void {
    const isHere = this.#here?.isLoaded && [...inputs, ...outputs].every(({ here }) => here !== null);
    if (this.#here && isHere) this.#here.dispatch(inputs.map(tensorHere), outputs.map(tensorHere));
    else this.#graphInWorker()?.dispatch(inputs.map(tensorInWorker), outputs.map(tensorInWorker));
  }

  destroy(): void {
    this.#here?.destroy();
    this.#inWorker?.destroy();
  }

  #graphInWorker(): WorkerGraph | null {
    const file = this.#inWorker === null && this.#here?.file;
    if (file) this.#inWorker = this.#worker.load(file);
    return this.#inWorker;
  }
}
