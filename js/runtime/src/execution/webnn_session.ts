/** The WebNN side of one model: its compiled graphs and the MLTensors that its runs reuse. */

import type { GraphPort, ModelDescription } from '../description.js';
import { bytesOf, type TypedArray } from '../dtypes.js';
import { messageOf, WebnnBuildError } from '../errors.js';
import { buildGraph, type HeapReader } from '../graph_executor.js';
import type { MLContext, MLGraph, MLGraphBuilderConstructor, MLTensor } from '../webnn_types.js';
import type { Schedule } from './schedule.js';

type NamedTensors = Record<string, MLTensor>;

interface BoundGraph {
  readonly graph: MLGraph;
  readonly inputs: NamedTensors;
  readonly outputs: NamedTensors;
}

/** Graphs and tensors on a context. Tensors that two graphs share are one MLTensor. */
export class WebnnSession {
  readonly #context: MLContext;
  readonly #graphs: readonly BoundGraph[];
  readonly #tensors: ReadonlyMap<number, MLTensor>;

  private constructor(context: MLContext, graphs: readonly BoundGraph[], tensors: ReadonlyMap<number, MLTensor>) {
    this.#context = context;
    this.#graphs = graphs;
    this.#tensors = tensors;
  }

  /**
   * Builds all graphs of a model and makes their tensors.
   *
   * @throws WebnnBuildError where the browser refuses; what was made until then is destroyed.
   */
  static async create(
    context: MLContext,
    Builder: MLGraphBuilderConstructor,
    description: ModelDescription,
    schedule: Schedule,
    heap: HeapReader,
  ): Promise<WebnnSession> {
    const built: MLGraph[] = [];
    const tensors = new Map<number, MLTensor>();
    try {
      // One after the other: a second build next to it would hold two graphs' weights in flight.
      for (const graph of description.graphs) built.push(await buildGraph(graph, new Builder(context), heap));
      await makeTensors(context, description, schedule, tensors);
    } catch (error) {
      destroyAll([...built, ...tensors.values()]);
      if (error instanceof WebnnBuildError) throw error;
      throw new WebnnBuildError(`WebNN could not make a tensor: ${messageOf(error)}`, null, { cause: error });
    }
    const bound = description.graphs.map(({ inputs, outputs }, index) => ({
      graph: built[index] as MLGraph,
      inputs: bind(inputs, tensors),
      outputs: bind(outputs, tensors),
    }));
    return new WebnnSession(context, bound, tensors);
  }

  /** Puts a graph on the context's queue; it runs after everything that was queued before. */
  dispatch(graph: number): void {
    const bound = this.#graphs[graph] as BoundGraph;
    this.#context.dispatch(bound.graph, bound.inputs, bound.outputs);
  }

  /** Copies data into a tensor; the array may be changed as soon as this returns. */
  write(tensor: number, data: TypedArray): void {
    this.#context.writeTensor(this.#tensor(tensor), data);
  }

  /** Reads a tensor into an array of the same size, once everything queued before has run. */
  async read(tensor: number, output: TypedArray): Promise<void> {
    const source = this.#tensor(tensor);
    try {
      await this.#context.readTensor(source, output);
    } catch (error) {
      // Not every engine writes into any buffer, e.g. into WebAssembly memory. It says so by a TypeError.
      if (!(error instanceof TypeError)) throw error;
      bytesOf(output).set(new Uint8Array(await this.#context.readTensor(source)));
    }
  }

  destroy(): void {
    destroyAll([...this.#graphs.map(({ graph }) => graph), ...this.#tensors.values()]);
  }

  #tensor(tensor: number): MLTensor {
    return this.#tensors.get(tensor) as MLTensor;
  }
}

async function makeTensors(
  context: MLContext,
  { graphs }: ModelDescription,
  { actions }: Schedule,
  tensors: Map<number, MLTensor>,
): Promise<void> {
  const ports = new Map<number, GraphPort>();
  for (const port of graphs.flatMap(({ inputs, outputs }) => [...inputs, ...outputs])) {
    const twin = ports.get(port.tensor) ?? port;
    if (twin.dataType !== port.dataType || String(twin.shape) !== String(port.shape)) {
      throw new TypeError(`two graphs disagree on the type or shape of the tensor ${port.name} that they share`);
    }
    ports.set(port.tensor, port);
  }
  const copies = actions.filter((action) => action.kind === 'copy');
  const making = [...ports.values()].map(async ({ tensor, dataType, shape }) => {
    const writable = copies.some((copy) => copy.tensor === tensor && copy.to === 'webnn');
    const readable = copies.some((copy) => copy.tensor === tensor && copy.from === 'webnn');
    tensors.set(tensor, await context.createTensor({ dataType, shape: [...shape], writable, readable }));
  });
  // Wait for all of them even when one fails, so that the caller can destroy those that were made.
  const failure = (await Promise.allSettled(making)).find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

function bind(ports: readonly GraphPort[], tensors: ReadonlyMap<number, MLTensor>): NamedTensors {
  return Object.fromEntries(ports.map(({ name, tensor }) => [name, tensors.get(tensor) as MLTensor]));
}

function destroyAll(resources: readonly { destroy?(): void }[]): void {
  for (const resource of resources) resource.destroy?.();
}
