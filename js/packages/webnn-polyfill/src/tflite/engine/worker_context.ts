/** The engine in a worker: the page's thread only sends calls. */

import * as comlink from 'comlink';
import type { EngineContext, EngineGraph } from '../../engine.js';
import type { OperandDescriptor, RecordedConstant, RecordedGraph } from '../../graph.js';
import { opSupportLimits } from '../limits.js';
import type { EngineWorker } from './engine_workers.js';
import type { TFLiteEngineOptions } from './local_context.js';
import type { GraphFile } from './timeline_protocol.js';
import type { TimelineServer } from './timeline_server.js';
import { WorkerTensor } from './worker_tensor.js';
import { WorkerTimeline } from './worker_timeline.js';

/** A context that computes in a worker. */
export class WorkerContext implements EngineContext {
  readonly accelerated = false;
  readonly limits = opSupportLimits();
  readonly lost: Promise<string>;
  readonly #worker: EngineWorker;
  readonly #server: comlink.Remote<TimelineServer>;
  readonly #timeline: WorkerTimeline;
  #lastId = 0;

  /**
   * Opens a context in a worker.
   *
   * @throws Error if the worker does not start, or cannot load wasm.
   */
  static async open(worker: EngineWorker, options: TFLiteEngineOptions): Promise<WorkerContext> {
    const { port1, port2 } = new MessageChannel();
    try {
      return new WorkerContext(worker, await worker.open(options, port2), port1);
    } catch (error) {
      port1.close();
      throw error;
    }
  }

  private constructor(worker: EngineWorker, server: comlink.Remote<TimelineServer>, timeline: MessagePort) {
    this.#worker = worker;
    this.#server = server;
    let fail: (error: unknown) => void = () => {};
    const timelineFailed = new Promise<string>((resolve) => {
      fail = (error) => resolve(`The worker could not do what was requested: ${String(error)}`);
    });
    this.#timeline = new WorkerTimeline(timeline, fail);
    this.lost = Promise.race([server.lost(), worker.failed, timelineFailed]);
  }

  async build(graph: RecordedGraph): Promise<WorkerGraph> {
    const id = ++this.#lastId;
    const constants = graph.constants.map(sendable);
    const buffers = constants.map(({ bytes }) => bytes.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
    await this.#server.build(id, comlink.transfer({ ...graph, constants }, buffers));
    return new WorkerGraph(this.#timeline, id);
  }

  /** Loads a graph that was built in this thread. If that fails, the context is lost. */
  load(file: GraphFile): WorkerGraph {
    const id = ++this.#lastId;
    this.#timeline.call(['load', id, file]);
    return new WorkerGraph(this.#timeline, id);
  }

  createTensor(descriptor: OperandDescriptor): WorkerTensor {
    const id = ++this.#lastId;
    const { dataType, shape } = descriptor;
    this.#timeline.call(['createTensor', id, { dataType, shape }]);
    return new WorkerTensor(this.#timeline, id);
  }

  destroy(): void {
    this.#worker.close(this.#server);
    this.#timeline.close();
  }
}

/** A constant whose bytes the worker may keep, or that are in shared memory. */
function sendable({ operand, bytes, isShared }: RecordedConstant): RecordedConstant {
  const isKeptHere = isShared && bytes.buffer instanceof ArrayBuffer;
  return { operand, bytes: isKeptHere ? bytes.slice() : bytes };
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
