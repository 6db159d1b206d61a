/** The worker's side: one context, whose tensors and graphs have the page's numbers. */

import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { type LocalContext, type LocalGraph, openLocalContext, type TFLiteEngineOptions } from './local_context.js';
import type { LocalTensor } from './local_tensor.js';
import type { OwnBytes, TimelineAnswer, TimelineCall } from './timeline_protocol.js';

/**
 * The page's calls. They arrive in order, and all except builds are synchronous; a graph is used only after it has
 * been built. So the timeline is the order of the calls here, too.
 */
export class TimelineServer {
  #context: LocalContext | null = null;
  readonly #tensors = new Map<number, LocalTensor>();
  readonly #graphs = new Map<number, LocalGraph>();

  /** @param timeline - Receives batches of {@link TimelineCall}. */
  async open(options: TFLiteEngineOptions, timeline: MessagePort): Promise<void> {
    this.#context = await openLocalContext(options);
    timeline.onmessage = ({ data }) => {
      const answer = this.#answer(data as TimelineCall[]);
      if ('failure' in answer) timeline.postMessage(answer);
      else if (answer.arrays.length > 0) timeline.postMessage(answer, buffersOf(answer.arrays));
    };
  }

  /** Settles with the reason when the context is lost. */
  async lost(): Promise<string> {
    return await this.#opened.lost;
  }

  async build(id: number, graph: RecordedGraph): Promise<void> {
    this.#graphs.set(id, await this.#opened.build(graph));
  }

  /** Performs the calls in order. */
  #answer(calls: readonly TimelineCall[]): TimelineAnswer {
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
    }
  }

  #createTensor(id: number, descriptor: OperandDescriptor): undefined {
    this.#tensors.set(id, this.#opened.createTensor(descriptor));
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

  get #opened(): LocalContext {
    if (this.#context === null) throw new Error('the worker has no context yet');
    return this.#context;
  }

  #tensor(id: number): LocalTensor {
    const tensor = this.#tensors.get(id);
    if (tensor === undefined) throw new Error(`the worker has no tensor ${id}`);
    return tensor;
  }
}

function buffersOf(arrays: readonly (OwnBytes | null)[]): ArrayBuffer[] {
  return arrays.flatMap((array) => (array === null ? [] : [array.buffer]));
}
