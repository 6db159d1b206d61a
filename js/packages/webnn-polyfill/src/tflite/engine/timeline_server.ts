/** The worker's part: one context, whose tensors and graphs have the page's numbers. */

import * as comlink from 'comlink';
import type { OperandDescriptor, RecordedGraph } from '../../engine.js';
import { type LocalContext, type LocalGraph, openLocalContext, type TFLiteEngineOptions } from './local_context.js';
import type { LocalTensor } from './local_tensor.js';
import type { OwnBytes, TimelineCall, TimelineResponse } from './timeline_protocol.js';

/**
 * The page's calls. They arrive in order, and all except builds are synchronous; a graph is used only after it has
 * been built. So the timeline is the order of the calls here, too.
 */
export class TimelineServer {
  readonly #context: LocalContext;
  readonly #timeline: MessagePort;
  readonly #tensors = new Map<number, LocalTensor>();
  readonly #graphs = new Map<number, LocalGraph>();
  /** Pending while the page's graphs are loaded; calls wait. */
  #loading: Promise<void> | null = null;

  constructor(context: LocalContext, timeline: MessagePort) {
    this.#context = context;
    this.#timeline = timeline;
    timeline.onmessage = ({ data }) => this.#receive(data as TimelineCall[]);
  }

  /** Settles with the reason when the context is lost. */
  async lost(): Promise<string> {
    return await this.#context.lost;
  }

  async build(id: number, graph: RecordedGraph): Promise<void> {
    this.#graphs.set(id, await this.#context.build(graph));
  }

  /** Frees everything; the worker may have other contexts. */
  close(): void {
    this.#timeline.close();
    this.#context.destroy();
    this.#tensors.clear();
    this.#graphs.clear();
  }

  #receive(calls: readonly TimelineCall[]): void {
    const pending = this.#loading ?? this.#context.rebuilding;
    if (pending !== null) {
      pending.then(() => this.#receive(calls));
      return;
    }
    const loads = calls.filter((call) => call[0] === 'load');
    if (loads.length > 0) {
      this.#loading = this.#load(loads).then(() => {
        this.#loading = null;
        this.#receive(calls.filter((call) => call[0] !== 'load'));
      });
      return;
    }
    const response = this.#performAll(calls);
    if ('failure' in response) this.#timeline.postMessage(response);
    else if (response.arrays.length > 0) this.#timeline.postMessage(response, buffersOf(response.arrays));
  }

  async #load(calls: readonly Extract<TimelineCall, readonly ['load', ...unknown[]]>[]): Promise<void> {
    try {
      for (const [, id, file] of calls) this.#graphs.set(id, await this.#context.load(file));
    } catch (error) {
      this.#timeline.postMessage({ failure: String(error) } satisfies TimelineResponse);
    }
  }

  /** Performs the calls in order; the response has the arrays of writes and reads. */
  #performAll(calls: readonly TimelineCall[]): TimelineResponse {
    const arrays: (OwnBytes | null)[] = [];
    try {
      for (const call of calls) {
        const array = this.#perform(call);
        if (array !== undefined) arrays.push(array);
      }
      return { arrays };
    } catch (error) {
      return { failure: String(error) };
    }
  }

  /** @returns the array of a write or a read. */
  #perform(call: TimelineCall): OwnBytes | null | undefined {
    switch (call[0]) {
      case 'write':
        return this.#tensor(call[1]).swap(call[2]);
      case 'read':
        return this.#tensor(call[1]).read(call[2] ?? undefined);
      case 'dispatch':
        return this.#dispatch(call[1], call[2], call[3]);
      case 'createTensor':
        return this.#createTensor(call[1], call[2]);
      case 'destroyTensor':
        return this.#destroyTensor(call[1]);
      case 'destroyGraph':
        return this.#destroyGraph(call[1]);
      case 'load':
        return undefined; // before the other calls of its batch
    }
  }

  #createTensor(id: number, descriptor: OperandDescriptor): undefined {
    this.#tensors.set(id, this.#context.createTensor(descriptor));
  }

  #dispatch(id: number, inputs: readonly number[], outputs: readonly number[]): undefined {
    const tensorOf = (tensor: number) => this.#tensor(tensor);
    this.#graphs.get(id)?.dispatch(inputs.map(tensorOf), outputs.map(tensorOf));
  }

  #destroyTensor(id: number): undefined {
    this.#tensor(id).destroy();
    this.#tensors.delete(id);
  }

  #destroyGraph(id: number): undefined {
    this.#graphs.get(id)?.destroy();
    this.#graphs.delete(id);
  }

  #tensor(id: number): LocalTensor {
    const tensor = this.#tensors.get(id);
    if (tensor === undefined) throw new Error(`the worker has no tensor ${id}`);
    return tensor;
  }
}

/**
 * Opens a context; what a worker offers.
 *
 * @param timeline - Receives batches of {@link TimelineCall}.
 */
export async function openTimeline(
  options: TFLiteEngineOptions,
  timeline: MessagePort,
): Promise<TimelineServer & comlink.ProxyMarked> {
  return comlink.proxy(new TimelineServer(await openLocalContext(options), timeline));
}

function buffersOf(arrays: readonly (OwnBytes | null)[]): ArrayBuffer[] {
  return arrays.flatMap((array) => (array === null ? [] : [array.buffer]));
}
