/**
 * From a model's plan to the list of actions of one run: which tensor is copied where and when, which graph is
 * dispatched, which steps wasm runs. Everything is decided once; a run only walks the list. The execution modes
 * are shapes of such a list.
 */

import type { CpuStep, GraphPort, ModelDescription, PlanStep, TensorInfo, WebnnGraph } from '../description.js';

/** How a model runs; see the README. */
export type ExecutionMode = 'direct' | 'stepped' | 'blocking' | 'cpu';

/** What a run does, in order. */
export interface Schedule {
  readonly mode: ExecutionMode;
  readonly actions: readonly Action[];
  /** The MLTensors that the actions use. */
  readonly slots: readonly TensorSlot[];
  /** Whether wasm is needed at all after the graphs are built. */
  readonly usesHeap: boolean;
}

/**
 * Creates the schedule of a model. Its variables are further inputs and outputs, behind those of the caller.
 *
 * @param isHosted - Whether wasm has its WebNN steps computed by a host, while it waits.
 */
export function makeSchedule(description: ModelDescription, isHosted = false): Schedule {
  const { variables } = description;
  const residency = new Residency([...description.inputs, ...variables.map(({ input }) => input)]);
  for (const step of stepsOf(description, isHosted)) addStep(step, description.graphs, residency);
  [...description.outputs, ...variables.map(({ output }) => output)].forEach(({ index }, port) => {
    residency.copyOut(index, port);
  });
  residency.saveState();
  const { actions, slots } = residency;
  const usesHeap = actions.some(touchesHeap);
  const dispatches = actions.filter((action) => action.kind === 'dispatch').length;
  const isBlocking = isHosted && description.graphs.length > 0;
  const mode = isBlocking
    ? 'blocking'
    : dispatches === 0
      ? 'cpu'
      : dispatches === 1 && !usesHeap
        ? 'direct'
        : 'stepped';
  return { mode, actions, slots, usesHeap };
}

/**
 * A plan without WebNN, or with a host for it, is one call of TFLite's own Invoke(), which can do what stepping cannot,
 * e.g. control flow.
 */
type Step = PlanStep | { readonly kind: 'wasm' };

function stepsOf({ plan }: ModelDescription, isHosted: boolean): readonly Step[] {
  return !isHosted && plan.some((step) => step.kind === 'webnn') ? plan : [{ kind: 'wasm' }];
}

function addStep(step: Step, graphs: readonly WebnnGraph[], residency: Residency): void {
  if (step.kind === 'wasm') residency.invoke();
  else if (step.kind === 'cpu') residency.invokeSteps(step);
  else residency.dispatch(step.graph, graphs[step.graph] as WebnnGraph);
}

/** Why the delegate, though it was requested, has left WebNN nothing to do. */
export function whyNothing({ delegate }: ModelDescription): string {
  return delegate.error ?? 'WebNN gets no node of this model; the report says why, for each node';
}

function touchesHeap(action: Action): boolean {
  if (action.kind === 'copy') return [action.from, action.to].includes('heap');
  return action.kind !== 'dispatch';
}

/** An MLTensor to be created. */
export interface TensorSlot {
  /** What it holds: data type and shape of the operand, and the TFLite tensor. */
  readonly port: GraphPort;
  /** Whether something is copied into it. */
  writable: boolean;
  /** Whether something is copied out of it. */
  readable: boolean;
}

/**
 * Assigns each TFLite tensor its slot. Graphs that hand a tensor on share it. A graph that reads and writes the same
 * tensor, as a recurrent one does with its state, has two: dispatch() accepts no MLTensor as input and output.
 */
export class SlotTable {
  readonly slots: TensorSlot[] = [];
  readonly #current = new Map<number, number>();

  /** The slot that holds the tensor's value now; a new one where it has none. */
  ofInput(port: GraphPort): number {
    return this.#current.get(port.tensor) ?? this.#add(port);
  }

  /** The slot that the tensor's next value is written to by a graph that reads these slots. */
  ofOutput(port: GraphPort, read: ReadonlySet<number>): number {
    const slot = this.#current.get(port.tensor);
    return slot === undefined || read.has(slot) ? this.#add(port) : slot;
  }

  /** The slot that holds the tensor's value now. */
  current(tensor: number): number | null {
    return this.#current.get(tensor) ?? null;
  }

  #add(port: GraphPort): number {
    const slot = this.slots.push({ port, writable: false, readable: false }) - 1;
    this.#current.set(port.tensor, slot);
    return slot;
  }
}

/** Where the current value of a tensor may be: in the caller's array, in the wasm heap, in an MLTensor. */
export type TensorLocation = 'caller' | 'heap' | 'webnn';

/** A copy of a tensor. */
export interface CopyAction {
  readonly kind: 'copy';
  readonly tensor: number;
  readonly from: TensorLocation;
  readonly to: TensorLocation;
  /** Position among the model's inputs or outputs if the caller has the source or the copy. */
  readonly port: number | null;
  /** Index into the slots if WebNN has the source or the copy. */
  readonly slot: number | null;
}

/** The tensors of a dispatch: indices into the slots, by the names of the graph's inputs or outputs. */
export type Bindings = Readonly<Record<string, number>>;

/** A dispatch of a graph. */
export interface DispatchAction {
  readonly kind: 'dispatch';
  readonly graph: number;
  readonly inputs: Bindings;
  readonly outputs: Bindings;
}

/** One thing that a run does. */
export type Action =
  | CopyAction
  | DispatchAction
  | { readonly kind: 'invoke' }
  | { readonly kind: 'invoke-steps'; readonly first: number; readonly count: number };

/** Writes the actions of a run, and adds a copy only where a tensor's value is not yet where it is needed. */
export class Residency {
  readonly actions: Action[] = [];
  readonly #locations = new Map<number, Set<TensorLocation>>();
  readonly #inputPositions = new Map<number, number>();
  readonly #slots = new SlotTable();
  /** Tensors whose value comes from before the run: constants, and the state for the next run. */
  readonly #fromBefore = new Set<number>();

  constructor(inputs: readonly TensorInfo[]) {
    inputs.forEach(({ index }, port) => {
      this.#locations.set(index, new Set(['caller']));
      this.#inputPositions.set(index, port);
    });
  }

  /** The MLTensors that the actions use. */
  get slots(): readonly TensorSlot[] {
    return this.#slots.slots;
  }

  /** The entire model in wasm. */
  invoke(): void {
    for (const tensor of this.#inputPositions.keys()) this.#need(tensor, 'heap');
    this.actions.push({ kind: 'invoke' });
  }

  /** A run of plan entries in wasm. */
  invokeSteps({ first, count, inputs, outputs }: CpuStep): void {
    for (const tensor of inputs) this.#need(tensor, 'heap');
    this.actions.push({ kind: 'invoke-steps', first, count });
    for (const tensor of outputs) this.#locations.set(tensor, new Set(['heap']));
  }

  /** A graph on WebNN. */
  dispatch(graph: number, { inputs, outputs }: WebnnGraph): void {
    const read = bindings(inputs, (port) => {
      const slot = this.#slots.ofInput(port);
      this.#need(port.tensor, 'webnn');
      return slot;
    });
    const slots = new Set(Object.values(read));
    const written = bindings(outputs, (port) => this.#slots.ofOutput(port, slots));
    this.actions.push({ kind: 'dispatch', graph, inputs: read, outputs: written });
    for (const { tensor } of outputs) this.#locations.set(tensor, new Set(['webnn']));
  }

  /** A result for the caller. */
  copyOut(tensor: number, port: number): void {
    // An input that is also an output passes through the heap: nothing else stores its current value.
    if (this.#locationsOf(tensor).has('caller')) this.#need(tensor, 'heap');
    this.#copy(tensor, this.#locationsOf(tensor).has('heap') ? 'heap' : 'webnn', 'caller', port);
  }

  /** State that a graph has changed goes back to the heap, where the next run looks for it. */
  saveState(): void {
    for (const tensor of this.#fromBefore) this.#need(tensor, 'heap');
  }

  #need(tensor: number, to: TensorLocation): void {
    const locations = this.#locationsOf(tensor);
    if (locations.has(to)) return;
    const [from = 'heap'] = (['caller', 'heap', 'webnn'] as const).filter((location) => locations.has(location));
    this.#copy(tensor, from, to, from === 'caller' ? (this.#inputPositions.get(tensor) ?? null) : null);
    locations.add(to);
  }

  #copy(tensor: number, from: TensorLocation, to: TensorLocation, port: number | null): void {
    const slot = from === 'webnn' || to === 'webnn' ? this.#slots.current(tensor) : null;
    if (slot !== null) {
      const used = this.#slots.slots[slot] as TensorSlot;
      if (to === 'webnn') used.writable = true;
      else used.readable = true;
    }
    this.actions.push({ kind: 'copy', tensor, from, to, port, slot } satisfies CopyAction);
  }

  /** What no step has written and the caller does not provide (constants, variables) is in the heap from the start. */
  #locationsOf(tensor: number): Set<TensorLocation> {
    let locations = this.#locations.get(tensor);
    if (locations === undefined) {
      locations = new Set(['heap']);
      this.#locations.set(tensor, locations);
      this.#fromBefore.add(tensor);
    }
    return locations;
  }
}

function bindings(tensors: readonly GraphPort[], slotOf: (port: GraphPort) => number): Bindings {
  return Object.fromEntries(tensors.map((port) => [port.name, slotOf(port)]));
}
