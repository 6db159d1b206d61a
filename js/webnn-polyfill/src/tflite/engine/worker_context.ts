/** The engine in a worker: the page's thread only sends what is to be done. */

import * as comlink from 'comlink';
import type { EngineContext, EngineGraph, EngineTensor } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import type { TFLiteEngineOptions } from './tflite_engine.js';
import type { WorkerHost } from './worker_host.js';
import { WorkerTensor } from './worker_tensor.js';
import { WorkerTimeline } from './worker_timeline.js';

type Host = comlink.Remote<WorkerHost>;

/** A context whose work is done in a worker. */
export class WorkerContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #worker: Worker;
  readonly #host: Host;
  readonly #timeline: WorkerTimeline;
  #lastId = 0;

  /**
   * Starts a context in the worker, which is its own.
   *
   * @throws Error where the worker does not start, or cannot load wasm.
   */
  static async open(worker: Worker, options: TFLiteEngineOptions): Promise<WorkerContext> {
    const failed = failureOf(worker);
    const host = comlink.wrap<WorkerHost>(worker);
    // Comlink takes a while for a message, and dispatching has none to lose: it has a port without it.
    const { port1, port2 } = new MessageChannel();
    const reason = await Promise.race([host.open(options, comlink.transfer(port2, [port2])), failed]);
    if (reason !== undefined) throw new Error(reason);
    return new WorkerContext(worker, host, port1, failed);
  }

  private constructor(worker: Worker, host: Host, timeline: MessagePort, failed: Promise<string>) {
    this.#worker = worker;
    this.#host = host;
    let fail: (error: unknown) => void = () => {};
    const timelineFailed = new Promise<string>((resolve) => {
      fail = (error) => resolve(`The worker could not do what was asked: ${String(error)}`);
    });
    this.#timeline = new WorkerTimeline(timeline, fail);
    this.lost = Promise.race([host.lost(), failed, timelineFailed]);
  }

  async build(graph: RecordedGraph): Promise<EngineGraph> {
    const id = ++this.#lastId;
    const kept = graph.constants.filter(({ isShared }) => !isShared).map(({ bytes }) => bytes.buffer as ArrayBuffer);
    await this.#host.build(id, comlink.transfer(graph, kept));
    return new WorkerGraph(this.#timeline, id, graph);
  }

  createTensor(descriptor: OperandDescriptor): EngineTensor {
    const id = ++this.#lastId;
    const { dataType, shape } = descriptor;
    this.#timeline.call(['createTensor', id, { dataType, shape }]);
    return new WorkerTensor(this.#timeline, id);
  }

  destroy(): void {
    this.#worker.terminate();
    this.#timeline.close();
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

type WorkerTensors = Readonly<Record<string, WorkerTensor>>;

class WorkerGraph implements EngineGraph {
  readonly #timeline: WorkerTimeline;
  readonly #id: number;
  readonly #inputs: readonly string[];
  readonly #outputs: readonly string[];

  constructor(timeline: WorkerTimeline, id: number, { inputs, outputs }: RecordedGraph) {
    this.#timeline = timeline;
    this.#id = id;
    this.#inputs = inputs.map(({ name }) => name);
    this.#outputs = outputs.map(({ name }) => name);
  }

  dispatch(inputs: WorkerTensors, outputs: WorkerTensors): void {
    this.#timeline.call(['dispatch', this.#id, idsOf(this.#inputs, inputs), idsOf(this.#outputs, outputs)]);
  }

  destroy(): void {
    this.#timeline.call(['destroyGraph', this.#id]);
  }
}

function idsOf(names: readonly string[], tensors: WorkerTensors): number[] {
  return names.map((name) => (tensors[name] as WorkerTensor).id);
}
