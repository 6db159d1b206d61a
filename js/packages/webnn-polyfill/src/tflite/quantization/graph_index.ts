/** Producers and consumers of a recorded graph's operands. */

import type { OperandDescriptor, RecordedGraph, RecordedOperator } from '../../graph.js';
import { heldBytes } from '../held_bytes.js';
import { type ConstantTensor, type HandledDataType, HELD_TYPES } from '../tensor.js';

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

  dataType(operand: number): HandledDataType {
    return this.#descriptor(operand).dataType as HandledDataType;
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

/** All operands, those of lists included. */
export function operandsOf(operator: RecordedOperator): number[] {
  return Object.values(operator.operands)
    .flat()
    .filter((id) => id !== undefined);
}

/** The operand of that name; undefined for an absent option. */
export function operandOf(operator: RecordedOperator, name: string): number | undefined {
  return operator.operands[name] as number | undefined;
}

/** The operand `input` of an operator that has one. */
export function inputOf(operator: RecordedOperator): number {
  return operator.operands.input as number;
}

/** The first result. */
export function outputOf(operator: RecordedOperator): number {
  return operator.outputs[0] as number;
}
