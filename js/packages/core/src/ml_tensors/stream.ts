/** Inferences in a row, several of them in flight on a few sets of MLTensors, with results in order. */

import type { TypedArray } from '../dtypes.js';
import { ContextLostError } from '../errors.js';
import { orAbort } from '../support/tasks.js';
import { type ModelInputs, resolveOutput } from '../tensors/inputs_outputs.js';
import { type NamedTensors, PortTensor, readPort, tensorsByPort } from '../tensors/model_tensors.js';
import { inSameStructure, type ResultsOf, resultsOf } from '../tensors/results.js';
import type { BoundPort, DirectGraph, DirectPort } from './direct_graph.js';
import { tensorFailure } from './tensor_checks.js';

/** Inputs of a stream, one model input (or all of a model's inputs) after the other. */
export type StreamSource<Inputs extends ModelInputs = ModelInputs> = AsyncIterable<Inputs> | Iterable<Inputs>;

/** What a stream runs on. */
export interface Pipeline {
  /** How many inferences may be in flight now; it may change while a stream runs. */
  readonly limit: number;
  /** Starts one inference. Never throws synchronously: whatever fails is the inference's rejection. */
  start<Inputs extends ModelInputs>(inputs: Inputs): Promise<ResultsOf<Inputs>>;
  /** Frees everything, after what is in flight. */
  close(): void;
}

/** One inference at a time, by ordinary runs. */
export function oneByOne(start: Pipeline['start']): Pipeline {
  return { limit: 1, start, close: () => undefined };
}

type Step<Inputs extends ModelInputs> =
  | { readonly result: ResultsOf<Inputs> }
  | { readonly item: IteratorResult<Inputs> };

/**
 * Runs all items of a source and yields their results in order.
 *
 * Items are taken from the source only while there is space, so a slow consumer slows the source down. A result that is
 * there is not held back by a source that has nothing new yet. An error, the source's or an inference's, comes after
 * the results before it, and ends the stream. However the stream ends, the source is closed and the pipeline freed.
 * The signal's abort is such an error, but comes immediately.
 */
export function runThrough<Inputs extends ModelInputs>(
  source: StreamSource<Inputs>,
  pipeline: Pipeline,
  signal?: AbortSignal,
): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
  const results = inferences(source, pipeline, signal);
  // Up to the first yield: return() before that would skip `finally`, and free nothing.
  void results.next();
  return results;
}

async function* inferences<Inputs extends ModelInputs>(
  source: StreamSource<Inputs>,
  pipeline: Pipeline,
  signal: AbortSignal | undefined,
): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
  let items: ItemSource<Inputs> | null = null;
  const inFlight: Promise<ResultsOf<Inputs>>[] = [];
  try {
    yield undefined as never;
    items = new ItemSource(source);
    while (!items.ended || inFlight.length > 0) {
      const waiting: Promise<Step<Inputs>>[] = [];
      if (inFlight[0] !== undefined) waiting.push(inFlight[0].then((result) => ({ result })));
      if (!items.ended && inFlight.length < pipeline.limit) waiting.push(items.next().then((item) => ({ item })));
      const step = await orAbort(Promise.race(waiting), signal);
      if ('item' in step) {
        if (items.take(step.item)) inFlight.push(start(pipeline, step.item.value as Inputs, signal));
      } else {
        inFlight.shift();
        yield step.result;
      }
    }
    items.throwFailure();
  } finally {
    await items?.close();
    await Promise.allSettled(inFlight);
    pipeline.close();
  }
}

/** An inference behind the first may fail long before its turn: that is no unhandled rejection. */
function start<Inputs extends ModelInputs>(
  pipeline: Pipeline,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<ResultsOf<Inputs>> {
  const inference = orAbort(pipeline.start(inputs), signal);
  inference.catch(() => undefined);
  return inference;
}

const END = { done: true, value: undefined } as const;

/** The items of a source: one request at a time, and a failure kept for its turn. */
class ItemSource<Inputs extends ModelInputs> {
  ended = false;
  #iterator: AsyncIterator<Inputs> | Iterator<Inputs>;
  #requested: Promise<IteratorResult<Inputs>> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(source: StreamSource<Inputs>) {
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** The item that was requested and not taken yet, else another one. */
  next(): Promise<IteratorResult<Inputs>> {
    this.#requested ??= this.#requestNext();
    return this.#requested;
  }

  /** @returns whether there is an item. */
  take({ done }: IteratorResult<Inputs>): boolean {
    this.#requested = null;
    this.ended = done === true;
    return !this.ended;
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Closes the source, without waiting for an item that it is still making. */
  async close(): Promise<void> {
    if (this.ended) return;
    const isBusy = this.#requested !== null;
    this.ended = true;
    const closing = (async () => this.#iterator.return?.())();
    if (isBusy) closing.catch(() => undefined);
    else await closing;
  }

  async #requestNext(): Promise<IteratorResult<Inputs>> {
    try {
      return await this.#iterator.next();
    } catch (error) {
      this.#failure = { error };
      return END;
    }
  }
}

/** What a ring needs of its model. */
export interface RingModel {
  /** The graph as it is now; null where the model does not run in direct mode. */
  directGraph(): DirectGraph | null;
  /** Checks inputs and brings them into the model's order. */
  resolveInputs(inputs: ModelInputs): readonly TypedArray[];
  /** An ordinary run: for models that are not in direct mode, and after a lost context. */
  run<Inputs extends ModelInputs>(inputs: Inputs): Promise<ResultsOf<Inputs>>;
  /** Keeps the model from being freed until the work has settled. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Called when the ring is closed. */
  closed(): void;
}

/** Pipelines inferences of a model in direct mode; others go one by one. */
export class TensorRing implements Pipeline {
  readonly #free: TensorSet[] = [];
  #isClosed = false;

  constructor(
    private readonly model: RingModel,
    private readonly inFlight: number,
  ) {}

  get limit(): number {
    return this.model.directGraph() === null ? 1 : this.inFlight;
  }

  async start<Inputs extends ModelInputs>(inputs: Inputs): Promise<ResultsOf<Inputs>> {
    const data = this.model.resolveInputs(inputs);
    const graph = this.model.directGraph();
    if (graph === null) return this.model.run(inputs);
    graph.checkValues(data);
    try {
      const results = await this.model.track(this.#infer(graph, data));
      return inSameStructure(resultsOf(results, graph.description), inputs);
    } catch (error) {
      const failure = tensorFailure(error, graph.webnn);
      if (!(failure instanceof ContextLostError)) throw failure;
      return this.model.run(inputs); // which rebuilds the model; the stream goes on with it as it is then
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const set of this.#free.splice(0)) set.destroy();
    this.model.closed();
  }

  async #infer(graph: DirectGraph, data: readonly TypedArray[]): Promise<TypedArray[]> {
    const set = this.#takeFree(graph) ?? (await TensorSet.create(graph));
    try {
      return await set.infer(data);
    } finally {
      if (this.#isClosed || graph !== this.model.directGraph()) set.destroy();
      else this.#free.push(set);
    }
  }

  /** Sets of a graph that is no longer the model's are of a context that was lost. */
  #takeFree(graph: DirectGraph): TensorSet | undefined {
    for (let set = this.#free.pop(); set !== undefined; set = this.#free.pop()) {
      if (set.graph === graph) return set;
      set.destroy();
    }
    return undefined;
  }
}

interface SetTensor {
  readonly port: DirectPort;
  readonly tensor: PortTensor;
}

/** An MLTensor for each input and output of a model. */
class TensorSet {
  static async create(graph: DirectGraph): Promise<TensorSet> {
    const bindings = [...graph.inputs, ...graph.outputs].filter(({ graph: bound }) => bound !== null);
    const uses = bindings.map(({ graph: bound, direction }) => ({
      port: (bound as BoundPort).port,
      readable: direction === 'output',
      writable: direction === 'input',
    }));
    const tensors = await PortTensor.createAll(graph.context, uses);
    const entries = bindings.map((port, position) => ({ port, tensor: tensors[position] as PortTensor }));
    return new TensorSet(graph, entries);
  }

  private constructor(
    readonly graph: DirectGraph,
    private readonly tensors: readonly SetTensor[],
  ) {}

  async infer(data: readonly TypedArray[]): Promise<TypedArray[]> {
    const { inputs, outputs } = this.graph;
    const [written, read] = [this.#of('input'), this.#of('output')];
    for (const { tensor, port } of written) tensor.write(data[inputs.indexOf(port)] as TypedArray);
    this.graph.dispatch(named(written), named(read));
    const byName = new Map(read.map(({ tensor }) => [tensor.port.name, tensor]));
    const results = outputs.map(({ info }) => resolveOutput(info, info.sizeBytes, undefined));
    const reading = outputs.map(({ graph: bound }, position) => {
      const { port } = bound as BoundPort;
      const { tensor } = byName.get(port.name) as PortTensor;
      return readPort(this.graph.context, tensor, port, results[position] as TypedArray);
    });
    const failure = (await Promise.allSettled(reading)).find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    this.graph.session.verify();
    return results;
  }

  destroy(): void {
    for (const { tensor } of this.tensors) tensor.destroy();
  }

  #of(direction: DirectPort['direction']): readonly SetTensor[] {
    return this.tensors.filter(({ port }) => port.direction === direction);
  }
}

/** Inputs and outputs that share a tensor of the graph share the last of their MLTensors. */
function named(tensors: readonly SetTensor[]): NamedTensors {
  return tensorsByPort(tensors.map(({ tensor }) => tensor));
}
