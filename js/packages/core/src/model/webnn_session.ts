/** The WebNN part of one model: its compiled graphs and the MLTensors that its runs reuse. */

import type { GraphPort, ModelDescription } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { messageOf } from '../errors.js';
import { type NamedTensors, PortTensor, tensorsByName } from '../tensors/model_tensors.js';
import { WebnnBuildError } from '../webnn/excluded_nodes.js';
import { type BuiltGraphInfo, buildOrFindNode, type GraphGuard } from '../webnn/graph_executor.js';
import type { HeapReader } from '../webnn/graph_nodes.js';
import type { PageWebnn } from '../webnn/webnn_context.js';
import type { MLContext, MLGraph, MLTensor } from '../webnn_types.js';
import type { Bindings, DispatchAction, Schedule, TensorSlot } from './schedule.js';

interface BuiltGraph extends BuiltGraphInfo {
  readonly graph: MLGraph;
  queuedDispatches: number;
}

/** The tensors of a graph's dispatches. */
interface BoundTensors {
  readonly inputs: NamedTensors;
  readonly outputs: NamedTensors;
}

/** What a session is created from. */
export interface SessionParts {
  readonly webnn: Pick<PageWebnn, 'context' | 'Builder'> & { readonly guard: GraphGuard | null };
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  /** Where the constants lie. */
  readonly heap: HeapReader;
  /** Called after each graph; an error that it throws ends the building. */
  onBuilt?(graph: number): void;
}

/** Graphs and tensors on a context. */
export class WebnnSession {
  readonly #context: MLContext;
  readonly #graphs: readonly BuiltGraph[];
  readonly #tensors: readonly PortTensor[];
  readonly #dispatches: readonly DispatchAction[];
  /** The tensors that slots have now: the model's own, or those of a state. */
  #inSlots: readonly PortTensor[];
  /** By graph. */
  #bound: readonly (BoundTensors | undefined)[];
  #state: 'new' | 'unverified' | 'verified' = 'new';

  private constructor(
    context: MLContext,
    graphs: readonly BuiltGraph[],
    tensors: readonly PortTensor[],
    { actions }: Schedule,
  ) {
    this.#context = context;
    this.#graphs = graphs;
    this.#tensors = tensors;
    this.#dispatches = actions.filter((action) => action.kind === 'dispatch');
    this.#inSlots = tensors;
    this.#bound = this.#bind();
  }

  /**
   * Builds all graphs of a model and makes their tensors.
   *
   * @throws WebnnBuildError where the browser rejects, or must not build; what was created until then is destroyed.
   */
  static async create({ webnn, description, schedule, heap, onBuilt }: SessionParts): Promise<WebnnSession> {
    const { context, Builder, guard } = webnn;
    const built: BuiltGraph[] = [];
    try {
      checkBindings(description, schedule);
      // One after the other: a second build at the same time would hold the weights of two graphs.
      for (const [index, graphDescription] of description.graphs.entries()) {
        const start = performance.now();
        const graph = await buildOrFindNode(graphDescription, () => new Builder(context), heap, guard);
        built.push({ graph, buildMs: performance.now() - start, devices: devicesOf(graph), queuedDispatches: 0 });
        onBuilt?.(index);
      }
      return new WebnnSession(context, built, await makeTensors(context, schedule), schedule);
    } catch (error) {
      for (const { graph } of built) graph.destroy?.();
      throw error;
    }
  }

  /** What the browser reports about each graph. */
  get graphs(): readonly BuiltGraphInfo[] {
    return this.#graphs;
  }

  /** Whether something was dispatched and no result has come back yet: a loss now may be the graphs' doing. */
  get isUnverified(): boolean {
    return this.#state === 'unverified';
  }

  /** Whether results have come back. */
  get isVerified(): boolean {
    return this.#state === 'verified';
  }

  /** A result has come back. */
  verify(): void {
    if (this.#state === 'unverified') this.#state = 'verified';
  }

  /** Puts a graph on the context's queue; it runs after everything that was queued before. */
  dispatch(graph: number): void {
    const { inputs, outputs } = this.#bound[graph] as BoundTensors;
    this.#begin();
    this.#context.dispatch((this.#graphs[graph] as BuiltGraph).graph, inputs, outputs);
  }

  /** The same with tensors from elsewhere, by the names of the graph's inputs and outputs. */
  dispatchWith(graph: number, inputs: NamedTensors, outputs: NamedTensors): void {
    const built = this.#graphs[graph] as BuiltGraph;
    this.#begin();
    this.#context.dispatch(built.graph, inputs, outputs);
    built.queuedDispatches++;
  }

  /** Uses other tensors in some slots, for the dispatches of the next run; none ends that. */
  bind(tensors: ReadonlyMap<number, PortTensor> = NONE): void {
    if (tensors.size === 0 && this.#inSlots === this.#tensors) return;
    this.#inSlots = tensors.size === 0 ? this.#tensors : this.#tensors.map((own, slot) => tensors.get(slot) ?? own);
    this.#bound = this.#bind();
  }

  /** The tensor of a slot. */
  tensor(slot: number): MLTensor {
    return this.#inSlot(slot).tensor;
  }

  /** Copies data into a slot's tensor; the array may be changed as soon as this returns. */
  write(slot: number, data: TypedArray): void {
    this.#inSlot(slot).write(data);
  }

  /** Reads a slot's tensor into an array of the tensor's size, once everything queued before has run. */
  read(slot: number, output: TypedArray): Promise<void> {
    return this.#inSlot(slot).read(output);
  }

  destroy(): void {
    for (const { graph } of this.#graphs) graph.destroy?.();
    for (const tensor of this.#tensors) tensor.destroy();
  }

  #inSlot(slot: number): PortTensor {
    return this.#inSlots[slot] as PortTensor;
  }

  #bind(): readonly (BoundTensors | undefined)[] {
    const named = (bindings: Bindings) =>
      tensorsByName(Object.entries(bindings).map(([name, slot]) => [name, this.#inSlot(slot)]));
    const bound: BoundTensors[] = [];
    for (const { graph, inputs, outputs } of this.#dispatches) {
      bound[graph] = { inputs: named(inputs), outputs: named(outputs) };
    }
    return bound;
  }

  #begin(): void {
    if (this.#state === 'new') this.#state = 'unverified';
  }
}

const NONE: ReadonlyMap<number, PortTensor> = new Map();

function devicesOf({ devices }: MLGraph): readonly string[] | null {
  return devices === undefined ? null : [...devices];
}

/** Graphs that share a tensor must mean the same by it. */
function checkBindings({ graphs }: ModelDescription, { actions, slots }: Schedule): void {
  for (const action of actions) {
    if (action.kind !== 'dispatch') continue;
    const { inputs, outputs } = graphs[action.graph] as ModelDescription['graphs'][number];
    for (const [tensors, bindings] of [[inputs, action.inputs] as const, [outputs, action.outputs] as const]) {
      for (const port of tensors) {
        if (!isAlike(port, (slots[bindings[port.name] as number] as TensorSlot).port)) {
          const what = `two graphs disagree on the type or shape of the tensor ${port.name} that they share`;
          throw new WebnnBuildError(`WebNN cannot run the model: ${what}`, null);
        }
      }
    }
  }
}

function isAlike(a: GraphPort, b: GraphPort): boolean {
  return a.dataType === b.dataType && a.tensorType === b.tensorType && String(a.shape) === String(b.shape);
}

async function makeTensors(context: MLContext, { slots }: Schedule): Promise<PortTensor[]> {
  try {
    return await PortTensor.createAll(context, slots);
  } catch (error) {
    throw new WebnnBuildError(`WebNN could not make a tensor: ${messageOf(error)}`, null, { cause: error });
  }
}
