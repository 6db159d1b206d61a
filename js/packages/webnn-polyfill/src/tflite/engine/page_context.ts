/** The engine for pages: small graphs run synchronously in the page's thread, others in a worker. */

import { byteLength } from '../../data_types.js';
import type { EngineContext, EngineGraph, EngineTensor, OperandDescriptor, RecordedGraph } from '../../engine.js';
import { opSupportLimits } from '../op_table.js';
import { graphCost } from './graph_cost.js';
import type { LocalContext, LocalGraph } from './local_context.js';
import { LocalTensor } from './local_tensor.js';
import type { WorkerContext, WorkerGraph, WorkerTensor } from './worker_context.js';

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

/**
 * A tensor that moves to the worker on its first use there, and remains there: so all its operations happen in call
 * order, without waiting for the worker.
 */
class PageTensor implements EngineTensor {
  readonly #createInWorker: () => WorkerTensor;
  #tensor: LocalTensor | WorkerTensor;

  constructor(sizeBytes: number, createInWorker: () => WorkerTensor) {
    this.#tensor = new LocalTensor(sizeBytes);
    this.#createInWorker = createInWorker;
  }

  /** The tensor, unless it is in the worker. */
  get here(): LocalTensor | null {
    return this.#tensor instanceof LocalTensor ? this.#tensor : null;
  }

  /** The tensor in the worker; moves it there if necessary. */
  inWorker(): WorkerTensor {
    if (!(this.#tensor instanceof LocalTensor)) return this.#tensor;
    const content = this.#tensor.handOver();
    const tensor = this.#createInWorker();
    if (content !== null) tensor.transfer(content);
    this.#tensor = tensor;
    return tensor;
  }

  write(bytes: Uint8Array): void {
    this.#tensor.write(bytes);
  }

  read(target?: Uint8Array): Uint8Array | Promise<Uint8Array> {
    return this.#tensor.read(target);
  }

  destroy(): void {
    this.#tensor.destroy();
  }
}
