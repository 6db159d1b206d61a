/** The MLTensors that a model's runs use, before they are made. */

import type { GraphPort } from '../description.js';

/** An MLTensor to be made. */
export interface TensorSlot {
  /** What it holds: data type and shape of the operand, and the TFLite tensor. */
  readonly port: GraphPort;
  /** Whether something is copied into it. */
  writable: boolean;
  /** Whether something is copied out of it. */
  readable: boolean;
}

/**
 * Gives each TFLite tensor its slot. Graphs that hand a tensor on share it. A graph that reads and writes the same
 * tensor, as a recurrent one does with its state, has two: dispatch() takes no MLTensor as input and output.
 */
export class SlotTable {
  readonly slots: TensorSlot[] = [];
  readonly #current = new Map<number, number>();

  /** The slot that holds the tensor's value now; a new one where it has none. */
  ofInput(port: GraphPort): number {
    return this.#current.get(port.tensor) ?? this.#add(port);
  }

  /** The slot that the tensor's next value is written to by a graph that reads these slots. */
  ofOutput(port: GraphPort, read: readonly number[]): number {
    const slot = this.#current.get(port.tensor);
    return slot === undefined || read.includes(slot) ? this.#add(port) : slot;
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
