/** One recorded operator while it is being lowered, and what a row of the operator table is. */

import type { RecordedGraph, RecordedOperator } from '../graph.js';
import type { Net } from './net.js';
import type { HandledDataType, Tensor } from './tensor.js';

/** Data types and ranks of an operand that a row takes. */
export interface OperandLimits {
  readonly dataTypes: readonly HandledDataType[];
  readonly ranks: readonly [min: number, max: number];
}

/** How one operator of WebNN becomes nodes of TensorFlow Lite. */
export interface OpRow {
  readonly op: string;
  /** Operands, by the names of opSupportLimits(), and results. */
  readonly limits: Readonly<Record<string, OperandLimits>>;
  /** What the documentation says: the builtins that it is made of. */
  readonly builtins: string;
  lower(call: Call): Tensor | readonly Tensor[];
}

/** What lowering knows of an operator. */
export class Call {
  readonly net: Net;
  readonly operator: RecordedOperator;
  readonly #graph: RecordedGraph;
  readonly #tensorOf: (operand: number) => Tensor;
  readonly #usesOf: (operand: number) => number;

  constructor(
    net: Net,
    operator: RecordedOperator,
    graph: RecordedGraph,
    tensorOf: (operand: number) => Tensor,
    usesOf: (operand: number) => number,
  ) {
    this.net = net;
    this.operator = operator;
    this.#graph = graph;
    this.#tensorOf = tensorOf;
    this.#usesOf = usesOf;
  }

  get op(): string {
    return this.operator.op;
  }

  /** An operand that is always there. */
  input(name = 'input'): Tensor {
    return this.#tensorOf(this.#id(name));
  }

  /** An operand that an option names, if it was given. */
  optional(name: string): Tensor | undefined {
    return this.operator.operands[name] === undefined ? undefined : this.input(name);
  }

  /** A list of operands. */
  list(name: string): Tensor[] {
    const ids = this.operator.operands[name];
    if (!Array.isArray(ids)) throw new TypeError(`${this.op} has no list of operands called ${name}`);
    return (ids as readonly number[]).map((id) => this.#tensorOf(id));
  }

  /** The data type as WebNN has it; a tensor's own type is what holds it. */
  dataType(name = 'input'): HandledDataType {
    return this.#dataTypeOf(this.#id(name));
  }

  outputDataType(index = 0): HandledDataType {
    return this.#dataTypeOf(this.#outputId(index));
  }

  outputShape(index = 0): readonly number[] {
    return this.#operand(this.#outputId(index)).shape;
  }

  /** An argument that is no operand. The API layer has checked it, so its type is known. */
  attribute<T>(name: string): T {
    return this.operator.attributes[name] as T;
  }

  /** Whether this operator is all that an operand is for. */
  isOnlyUse(name = 'input'): boolean {
    return this.#usesOf(this.#id(name)) === 1;
  }

  #id(name: string): number {
    const id = this.operator.operands[name];
    if (typeof id !== 'number') throw new TypeError(`${this.op} has no operand called ${name}`);
    return id;
  }

  #outputId(index: number): number {
    const id = this.operator.outputs[index];
    if (id === undefined) throw new RangeError(`${this.op} has no output ${index}`);
    return id;
  }

  #dataTypeOf(id: number): HandledDataType {
    return this.#operand(id).dataType as HandledDataType;
  }

  #operand(id: number) {
    const operand = this.#graph.operands[id];
    if (operand === undefined) throw new RangeError(`${this.op} names operand ${id}, which is not there`);
    return operand;
  }
}
