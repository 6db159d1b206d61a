/** The constants of a graph on the device. */

import type { OperandDescriptor, RecordedGraph } from '../graph.js';
import type { Constants } from './call.js';
import { tensorOf } from './data.js';
import * as tf from './tf.js';

/** They are uploaded on first use, and kept only if the running graph reads them. */
export class GraphConstants implements Constants {
  /** Tensors computed from constants while the graph was built. */
  readonly #created: tf.Tensor[] = [];
  readonly #provided: ReadonlyMap<number, Uint8Array>;
  /** Uploaded tensors, and tensors computed from them. */
  readonly #tensors = new Map<number, tf.Tensor>();
  readonly #kept = new Set<number>();

  constructor(private readonly graph: RecordedGraph) {
    this.#provided = new Map(graph.constants.map(({ operand, bytes }) => [operand, bytes]));
  }

  isConstant(operand: number): boolean {
    return this.#provided.has(operand) || this.#tensors.has(operand);
  }

  create(compute: () => tf.Tensor): tf.Tensor {
    // A clone: the result may be the operand itself.
    const tensor = tf.keep(tf.tidy(() => compute().clone()));
    this.#created.push(tensor);
    return tensor;
  }

  borrow(operand: number): tf.Tensor {
    const there = this.#tensors.get(operand);
    if (there) return there;
    const bytes = this.#provided.get(operand) as Uint8Array;
    // The bytes are copied: another graph of the same recording may need them.
    const tensor = tf.keep(tensorOf(bytes.slice(), this.graph.operands[operand] as OperandDescriptor));
    this.#tensors.set(operand, tensor);
    return tensor;
  }

  keep(operand: number): void {
    this.#kept.add(operand);
  }

  /** Adds an operand computed from constants only. */
  add(operand: number, tensor: tf.Tensor): void {
    this.#tensors.set(operand, tf.keep(tensor));
  }

  /** Frees what the running graph does not read, and returns the others, by operand. */
  settle(): ReadonlyMap<number, tf.Tensor> {
    for (const operand of this.#kept) if (this.isConstant(operand)) this.borrow(operand);
    for (const [operand, tensor] of this.#tensors) {
      if (this.#kept.has(operand)) continue;
      tensor.dispose();
      this.#tensors.delete(operand);
    }
    return this.#tensors;
  }

  dispose(): void {
    for (const tensor of [...this.#created, ...this.#tensors.values()]) tensor.dispose();
  }
}
