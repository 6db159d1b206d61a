/** Producers and consumers of a recorded graph's operands. */

import { type OperandDescriptor, operandsOf, type RecordedGraph, type RecordedOperator } from '../../engine.js';
import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { HELD_TYPES, heldBytes } from '../held_types.js';
import type { ConstantTensor } from '../tensor.js';

export class GraphIndex {
  readonly graph: RecordedGraph;
  readonly #producers = new Map<number, RecordedOperator>();
  readonly #consumers = new Map<number, RecordedOperator[]>();
  readonly #constants: ReadonlyMap<number, Uint8Array>;
  readonly #outputs: ReadonlySet<number>;

  constructor(graph: RecordedGraph) {
    this.graph = graph;
    this.#constants = new Map(graph.constants.map(({ operand, bytes }) => [operand, bytes]));
    this.#outputs = new Set(graph.outputs.map(({ operand }) => operand));
    for (const operator of graph.operators) {
      for (const output of operator.outputs) this.#producers.set(output, operator);
      for (const id of operandsOf(operator)) this.#consumers.set(id, [...(this.#consumers.get(id) ?? []), operator]);
    }
  }

  /** What computes an operand; undefined for inputs, constants and no operand. */
  producer(operand: number | undefined): RecordedOperator | undefined {
    return this.#producers.get(operand as number);
  }

  /** The only consumer of an operand that is not an output of the graph. */
  onlyConsumer(operand: number): RecordedOperator | undefined {
    const consumers = this.#consumers.get(operand);
    return consumers?.length === 1 && !this.#outputs.has(operand) ? consumers[0] : undefined;
  }

  isConstant(operand: number): boolean {
    return this.#constants.has(operand);
  }

  dataType(operand: number): MLOperandDataType {
    return this.#descriptor(operand).dataType;
  }

  shape(operand: number): readonly number[] {
    return this.#descriptor(operand).shape;
  }

  /** A constant's content in the model's type. */
  constant(operand: number): ConstantTensor | undefined {
    const bytes = this.#constants.get(operand);
    if (bytes === undefined) return undefined;
    const dataType = this.dataType(operand);
    const shape = this.shape(operand);
    return { type: HELD_TYPES[dataType], shape, data: heldBytes(dataType, bytes, shape) };
  }

  #descriptor(operand: number): OperandDescriptor {
    return this.graph.operands[operand] as OperandDescriptor;
  }
}

/** The operand `input` of an operator that has one. */
export function inputOf(operator: RecordedOperator): number {
  return operator.operands.input as number;
}

/** The first result. */
export function outputOf(operator: RecordedOperator): number {
  return operator.outputs[0] as number;
}
