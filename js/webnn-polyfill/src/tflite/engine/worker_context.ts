/** The engine in a worker: the page's thread only sends what is to be done. */

import * as comlink from 'comlink';
import type { EngineContext, EngineGraph, EngineTensor } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import type { TFLiteEngineOptions } from './tflite_engine.js';
import type { TensorIds, WorkerHost } from './worker_host.js';

type Host = comlink.Remote<WorkerHost>;

/** A context whose work is done in a worker. */
export class WorkerContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #worker: Worker;
  readonly #host: Host;
  #lastId = 0;

  /**
   * Starts a context in the worker, which is its own.
   *
   * @throws Error where the worker does not start, or cannot load wasm.
   */
  static async open(worker: Worker, options: TFLiteEngineOptions): Promise<WorkerContext> {
    const failed = failureOf(worker);
    const host = comlink.wrap<WorkerHost>(worker);
    const reason = await Promise.race([host.open(options), failed]);
    if (reason !== undefined) throw new Error(reason);
    return new WorkerContext(worker, host, failed);
  }

  private constructor(worker: Worker, host: Host, failed: Promise<string>) {
    this.#worker = worker;
    this.#host = host;
    this.lost = Promise.race([host.lost(), failed]);
  }

  async build(graph: RecordedGraph): Promise<EngineGraph> {
    const id = ++this.#lastId;
    // Constants are copied: they may be those of a tensor, which other graphs use, too.
    await this.#host.build(id, graph);
    return new WorkerGraph(this.#host, id);
  }

  createTensor(descriptor: OperandDescriptor): EngineTensor {
    const id = ++this.#lastId;
    this.#host.createTensor(id, descriptor);
    return new WorkerTensor(this.#host, id);
  }

  destroy(): void {
    this.#worker.terminate();
  }
}

/** Settles when the worker fails. What is waited for then never comes, but the context is lost. */
function failureOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.addEventListener('error', ({ message }) => {
      resolve(
        `The worker failed${message ? `: ${message}` : ' to start'}. Serve the package's polyfill_worker.mjs beside its ` +
          'polyfill.mjs, or give its address as workerUrl.',
      );
    });
    worker.addEventListener('messageerror', () => resolve('A message to or from the worker could not be read.'));
  });
}

class WorkerTensor implements EngineTensor {
  readonly #host: Host;
  readonly id: number;

  constructor(host: Host, id: number) {
    this.#host = host;
    this.id = id;
  }

  write(bytes: Uint8Array): void {
    this.#host.write(this.id, comlink.transfer(bytes, [bytes.buffer]));
  }

  read(): Promise<Uint8Array> {
    return this.#host.read(this.id);
  }

  destroy(): void {
    this.#host.destroyTensor(this.id);
  }
}

type WorkerTensors = Readonly<Record<string, WorkerTensor>>;

class WorkerGraph implements EngineGraph {
  readonly #host: Host;
  readonly #id: number;

  constructor(host: Host, id: number) {
    this.#host = host;
    this.#id = id;
  }

  dispatch(inputs: WorkerTensors, outputs: WorkerTensors): void {
    this.#host.dispatch(this.#id, idsOf(inputs), idsOf(outputs));
  }

  destroy(): void {
    this.#host.destroyGraph(this.#id);
  }
}

function idsOf(tensors: WorkerTensors): TensorIds {
  return Object.fromEntries(Object.entries(tensors).map(([name, { id }]) => [name, id]));
}
