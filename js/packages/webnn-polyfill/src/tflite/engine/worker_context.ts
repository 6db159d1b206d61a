/** The engine in a worker: the page's thread only sends calls. */

import * as comlink from 'comlink';
import type {
  EngineContext,
  EngineGraph,
  EngineTensor,
  OperandDescriptor,
  RecordedConstant,
  RecordedGraph,
} from '../../engine.js';
import { opSupportLimits } from '../op_table.js';
import type { EngineWorker } from './engine_workers.js';
import type { TFLiteEngineOptions } from './local_context.js';
import type { GraphFile, OwnBytes } from './timeline_protocol.js';
import type { TimelineServer } from './timeline_server.js';
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

/** Arrays that a tensor keeps for its next writes and reads: one for each direction. */
const MAX_SPARES = 2;
/** Above this size, memory matters more than time. */
const MAX_SPARE_BYTES = 2 ** 25;

/**
 * A tensor in a worker. Its content travels in reused arrays: the first touch of each memory page of a fresh one
 * takes several times as long as the copy.
 */
export class WorkerTensor implements EngineTensor {
  readonly #timeline: WorkerTimeline;
  readonly #spares: OwnBytes[] = [];
  #isDestroyed = false;

  constructor(
    timeline: WorkerTimeline,
    /** Its number. */
    readonly id: number,
  ) {
    this.#timeline = timeline;
  }

  write(bytes: Uint8Array): void {
    const spare = this.#spares.pop();
    spare?.set(bytes);
    this.transfer(spare ?? bytes.slice());
  }

  /** Writes an array that the caller no longer uses. */
  transfer(content: OwnBytes): void {
    this.#timeline.write(this.id, content, (free) => this.#keep(free));
  }

  async read(target?: Uint8Array): Promise<Uint8Array> {
    if (target === undefined) return this.#timeline.read(this.id, null);
    const content = await this.#timeline.read(this.id, this.#spares.pop() ?? null);
    // Meanwhile the page may have reused the target, or transferred its buffer.
    if (this.#isDestroyed || target.byteLength !== content.byteLength) return content;
    target.set(content);
    this.#keep(content);
    return target;
  }

  destroy(): void {
    this.#timeline.call(['destroyTensor', this.id]);
    this.#isDestroyed = true;
    this.#spares.length = 0;
  }

  #keep(array: OwnBytes): void {
    const isSpare = !this.#isDestroyed && array.byteLength <= MAX_SPARE_BYTES;
    if (isSpare && this.#spares.length < MAX_SPARES) this.#spares.push(array);
  }
}
