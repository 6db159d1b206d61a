/** The engine in a worker: the page's thread only sends calls. */

import * as comlink from 'comlink';
import type { EngineContext, EngineGraph } from '../../engine.js';
import type { OperandDescriptor, RecordedConstant, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import type { TFLiteEngineOptions } from './local_context.js';
import type { TimelineServer } from './timeline_server.js';
import { WorkerTensor } from './worker_tensor.js';
import { WorkerTimeline } from './worker_timeline.js';

type Server = comlink.Remote<TimelineServer>;

/** A context that computes in a worker. */
export class WorkerContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #worker: Worker;
  readonly #server: Server;
  readonly #timeline: WorkerTimeline;
  #lastId = 0;

  /**
   * Starts a context in its own worker.
   *
   * @throws Error if the worker does not start, or cannot load wasm.
   */
  static async open(worker: Worker, options: TFLiteEngineOptions): Promise<WorkerContext> {
    const failed = failureOf(worker);
    const server = comlink.wrap<TimelineServer>(worker);
    // Comlink is slow for frequent messages: dispatches go through a separate port.
    const { port1, port2 } = new MessageChannel();
    try {
      const reason = await Promise.race([server.open(options, comlink.transfer(port2, [port2])), failed]);
      if (reason !== undefined) throw new Error(reason);
    } catch (error) {
      worker.terminate();
      port1.close();
      throw error;
    }
    return new WorkerContext(worker, server, port1, failed);
  }

  private constructor(worker: Worker, server: Server, timeline: MessagePort, failed: Promise<string>) {
    this.#worker = worker;
    this.#server = server;
    let fail: (error: unknown) => void = () => {};
    const timelineFailed = new Promise<string>((resolve) => {
      fail = (error) => resolve(`The worker could not do what was asked: ${String(error)}`);
    });
    this.#timeline = new WorkerTimeline(timeline, fail);
    this.lost = Promise.race([server.lost(), failed, timelineFailed]);
  }

  async build(graph: RecordedGraph): Promise<WorkerGraph> {
    const id = ++this.#lastId;
    const constants = graph.constants.map(sendable);
    const buffers = constants.map(({ bytes }) => bytes.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
    await this.#server.build(id, comlink.transfer({ ...graph, constants }, buffers));
    return new WorkerGraph(this.#timeline, id);
  }

  createTensor(descriptor: OperandDescriptor): WorkerTensor {
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

/** A constant whose bytes the worker may keep, or that are in shared memory. */
function sendable({ operand, bytes, isShared }: RecordedConstant): RecordedConstant {
  const isKeptHere = isShared && bytes.buffer instanceof ArrayBuffer;
  return { operand, bytes: isKeptHere ? bytes.slice() : bytes };
}

/** Settles if the worker fails: then pending answers never come, and the context is lost. */
function failureOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.addEventListener('error', ({ message }) => {
      resolve(
        `The worker failed${message ? `: ${message}` : ' to start'}. Serve the package's polyfill_worker.mjs next to its ` +
          "polyfill.mjs, where the page's policy (worker-src) allows it, or give its address as workerUrl.",
      );
    });
    worker.addEventListener('messageerror', () => resolve('A message to or from the worker could not be read.'));
  });
}

export class WorkerGraph implements EngineGraph {
  readonly #timeline: WorkerTimeline;
  readonly #id: number;

  constructor(timeline: WorkerTimeline, id: number) {
    this.#timeline = timeline;
    this.#id = id;
  }

  dispatch(inputs: readonly WorkerTensor[], outputs: readonly WorkerTensor[]): void {
    this.#timeline.call(['dispatch', this.#id, inputs.map(({ id }) => id), outputs.map(({ id }) => id)]);
  }

  destroy(): void {
    this.#timeline.call(['destroyGraph', this.#id]);
  }
}
