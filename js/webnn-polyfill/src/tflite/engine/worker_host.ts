/** The worker's side: one context, whose tensors and graphs have the page's numbers. */

import * as comlink from 'comlink';
import type { EngineContext, EngineGraph, EngineTensor } from '../../engine.js';
import type { OperandDescriptor, RecordedGraph } from '../../graph.js';
import { openLocalContext, type TFLiteEngineOptions } from './tflite_engine.js';

/** Ids of tensors by the names of inputs or outputs. */
export type TensorIds = Readonly<Record<string, number>>;

/** What happens on the timeline. */
type TimelineMethod = 'createTensor' | 'write' | 'dispatch' | 'read' | 'destroyTensor' | 'destroyGraph';

/** A call of such a method. */
export type TimelineCall = {
  [Method in TimelineMethod]: readonly [method: Method, args: Parameters<WorkerHost[Method]>];
}[TimelineMethod];

/**
 * What the page calls. Calls come in its order, and all but building is done at once; a graph is used only after it has
 * been built. So the timeline is the order of the calls here, too.
 */
export class WorkerHost {
  #context: EngineContext | null = null;
  readonly #tensors = new Map<number, EngineTensor>();
  readonly #graphs = new Map<number, EngineGraph>();

  async open(options: TFLiteEngineOptions): Promise<void> {
    this.#context = await openLocalContext(options);
  }

  /** Settles with the reason when the context stops to work. */
  async lost(): Promise<string> {
    return await this.#opened.lost;
  }

  async build(id: number, graph: RecordedGraph): Promise<void> {
    this.#graphs.set(id, await this.#opened.build(graph));
  }

  /** Does everything in this order. Gives what was read. */
  async perform(calls: readonly TimelineCall[]): Promise<Uint8Array[]> {
    const reads: Promise<Uint8Array>[] = [];
    for (const [method, args] of calls) {
      // TypeScript does not see that the arguments are the method's. All but read() give nothing.
      const result = (this[method] as (...args: unknown[]) => Promise<Uint8Array> | undefined)(...args);
      if (result !== undefined) reads.push(result);
    }
    const contents = await Promise.all(reads);
    return comlink.transfer(
      contents,
      contents.map(({ buffer }) => buffer),
    );
  }

  dispatch(id: number, inputs: TensorIds, outputs: TensorIds): void {
    this.#graphs.get(id)?.dispatch(this.#named(inputs), this.#named(outputs));
  }

  destroyGraph(id: number): void {
    this.#graphs.get(id)?.destroy();
    this.#graphs.delete(id);
  }

  createTensor(id: number, descriptor: OperandDescriptor): void {
    this.#tensors.set(id, this.#opened.createTensor(descriptor));
  }

  write(id: number, bytes: Uint8Array): void {
    this.#tensors.get(id)?.write(bytes);
  }

  async read(id: number): Promise<Uint8Array> {
    return (await this.#tensors.get(id)?.read()) ?? new Uint8Array();
  }

  destroyTensor(id: number): void {
    this.#tensors.get(id)?.destroy();
    this.#tensors.delete(id);
  }

  get #opened(): EngineContext {
    if (this.#context === null) throw new Error('the worker has no context yet');
    return this.#context;
  }

  #named(ids: TensorIds): Record<string, EngineTensor> {
    return Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, this.#tensors.get(id) as EngineTensor] as const),
    );
  }
}
