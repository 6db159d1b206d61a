/** Where each tensor's current value is, while a schedule is made. */

import type { CpuStep, GraphPort, TensorInfo, WebnnGraph } from '../description.js';
import { SlotTable, type TensorSlot } from '../tensors/tensor_slots.js';
import type { Action, Bindings, CopyAction, Place } from './actions.js';

/** Writes the actions of a run, and adds a copy only where a tensor's value is not yet where it is needed. */
export class Residency {
  readonly actions: Action[] = [];
  readonly #places = new Map<number, Set<Place>>();
  readonly #inputPorts = new Map<number, number>();
  readonly #slots = new SlotTable();
  /** Tensors whose value comes from before the run: constants, and the state for the next run. */
  readonly #fromBefore = new Set<number>();

  constructor(inputs: readonly TensorInfo[]) {
    inputs.forEach(({ index }, port) => {
      this.#places.set(index, new Set(['caller']));
      this.#inputPorts.set(index, port);
    });
  }

  /** The MLTensors that the actions use. */
  get slots(): readonly TensorSlot[] {
    return this.#slots.slots;
  }

  /** The whole model in wasm. */
  invoke(): void {
    for (const tensor of this.#inputPorts.keys()) this.#need(tensor, 'heap');
    this.actions.push({ kind: 'invoke' });
  }

  /** A run of plan entries in wasm. */
  invokeSteps({ first, count, inputs, outputs }: CpuStep): void {
    for (const tensor of inputs) this.#need(tensor, 'heap');
    this.actions.push({ kind: 'invoke-steps', first, count });
    for (const tensor of outputs) this.#places.set(tensor, new Set(['heap']));
  }

  /** A graph on WebNN. */
  dispatch(graph: number, { inputs, outputs }: WebnnGraph): void {
    const read = bindings(inputs, (port) => {
      const slot = this.#slots.ofInput(port);
      this.#need(port.tensor, 'webnn');
      return slot;
    });
    const written = bindings(outputs, (port) => this.#slots.ofOutput(port, Object.values(read)));
    this.actions.push({ kind: 'dispatch', graph, inputs: read, outputs: written });
    for (const { tensor } of outputs) this.#places.set(tensor, new Set(['webnn']));
  }

  /** A result for the caller. */
  copyOut(tensor: number, port: number): void {
    // An input that is also an output passes through the heap: nothing else is its current value's home.
    if (this.#placesOf(tensor).has('caller')) this.#need(tensor, 'heap');
    this.#copy(tensor, this.#placesOf(tensor).has('heap') ? 'heap' : 'webnn', 'caller', port);
  }

  /** State that a graph has changed goes back to the heap, where the next run looks for it. */
  saveState(): void {
    for (const tensor of this.#fromBefore) this.#need(tensor, 'heap');
  }

  #need(tensor: number, to: Place): void {
    const places = this.#placesOf(tensor);
    if (places.has(to)) return;
    const [from = 'heap'] = (['caller', 'heap', 'webnn'] as const).filter((place) => places.has(place));
    this.#copy(tensor, from, to, from === 'caller' ? (this.#inputPorts.get(tensor) ?? null) : null);
    places.add(to);
  }

  #copy(tensor: number, from: Place, to: Place, port: number | null): void {
    const slot = from === 'webnn' || to === 'webnn' ? this.#slots.current(tensor) : null;
    if (slot !== null) {
      const used = this.#slots.slots[slot] as TensorSlot;
      if (to === 'webnn') used.writable = true;
      else used.readable = true;
    }
    this.actions.push({ kind: 'copy', tensor, from, to, port, slot } satisfies CopyAction);
  }

  /** What no step has written and the caller does not give (constants, variables) is in the heap from the start. */
  #placesOf(tensor: number): Set<Place> {
    let places = this.#places.get(tensor);
    if (places === undefined) {
      places = new Set(['heap']);
      this.#places.set(tensor, places);
      this.#fromBefore.add(tensor);
    }
    return places;
  }
}

function bindings(ports: readonly GraphPort[], slotOf: (port: GraphPort) => number): Bindings {
  return Object.fromEntries(ports.map((port) => [port.name, slotOf(port)]));
}
