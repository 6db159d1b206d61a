/** The MLTensors of a stream: a few sets of them, used in turn. */

import type { TypedArray } from '../dtypes.js';
import { ContextLostError } from '../errors.js';
import { type ModelInputs, takeOutput } from '../tensors/inputs_outputs.js';
import { type NamedTensors, PortTensor, readPort, tensorsByPort } from '../tensors/port_tensor.js';
import { inSameStructure, type ResultsOf, resultsOf } from '../tensors/results.js';
import type { BoundPort, DirectGraph, DirectPort } from './direct_graph.js';
import type { Pipeline } from './stream.js';
import { tensorFailure } from './tensor_checks.js';

/** What a ring needs of its model. */
export interface RingModel {
  /** The graph as it is now; null where the model does not run in direct mode. */
  directGraph(): DirectGraph | null;
  /** Checks inputs and brings them into the model's order. */
  takeInputs(inputs: ModelInputs): readonly TypedArray[];
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
    const data = this.model.takeInputs(inputs);
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
    const ports = [...graph.inputs, ...graph.outputs].filter(({ graph: bound }) => bound !== null);
    const uses = ports.map(({ graph: bound, side }) => ({
      port: (bound as BoundPort).port,
      readable: side === 'output',
      writable: side === 'input',
    }));
    const tensors = await PortTensor.createAll(graph.context, uses);
    const entries = ports.map((port, position) => ({ port, tensor: tensors[position] as PortTensor }));
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
    const results = outputs.map(({ info }) => takeOutput(info, info.sizeBytes, undefined));
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

  #of(side: DirectPort['side']): readonly SetTensor[] {
    return this.tensors.filter(({ port }) => port.side === side);
  }
}

/** Ports that share a tensor of the graph share the last of their MLTensors. */
function named(tensors: readonly SetTensor[]): NamedTensors {
  return tensorsByPort(tensors.map(({ tensor }) => tensor));
}
