/** Entries of the operator table: their building blocks, and the recorded operator that they lower. */

import type { RecordedGraph, RecordedOperator } from '../engine.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { Net } from './net.js';
import type { Tensor } from './tensor.js';

/** Supported data types and ranks of an operand. */
export interface OperandLimits {
  readonly dataTypes: readonly MLOperandDataType[];
  readonly ranks: readonly [min: number, max: number];
}

/** The lowering of one WebNN operator to TensorFlow Lite nodes. */
export interface OpEntry {
  readonly op: string;
  /** Limits of operands, by the names of opSupportLimits(), and of results. */
  readonly limits: Readonly<Record<string, OperandLimits>>;
  /** For the documentation: its builtins. */
  readonly builtins: string;
  lower(call: Call): Tensor | readonly Tensor[];
}

/** A lowering's view of an operator. */
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

  /** A required operand. */
  input(name = 'input'): Tensor {
    return this.#tensorOf(this.#id(name));
  }

  /** The operand of an option, if provided. */
  optional(name: string): Tensor | undefined {
    return this.operator.operands[name] === undefined ? undefined : this.input(name);
  }

  /** A list of operands. */
  list(name: string): Tensor[] {
    const ids = this.operator.operands[name];
    if (!Array.isArray(ids)) throw new TypeError(`${this.op} has no list of operands called ${name}`);
    return (ids as readonly number[]).map((id) => this.#tensorOf(id));
  }

  /** WebNN's data type; a tensor's own type is the stored one. */
  dataType(name = 'input'): MLOperandDataType {
    return this.#dataTypeOf(this.#id(name));
  }

  outputDataType(index = 0): MLOperandDataType {
    return this.#dataTypeOf(this.#outputId(index));
  }

  outputShape(index = 0): readonly number[] {
    return this.#operand(this.#outputId(index)).shape;
  }

  /** An argument that is not an operand. The API layer has checked its type. */
  attribute<T>(name: string): T {
    return this.operator.attributes[name] as T;
  }

  /** Whether this operator is an operand's only use. */
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

  #dataTypeOf(id: number): MLOperandDataType {
    return this.#operand(id).dataType;
  }

  #operand(id: number) {
    const operand = this.#graph.operands[id];
    if (operand === undefined) throw new RangeError(`${this.op} names operand ${id}, which is not there`);
    return operand;
  }
}

export const FLOATS: readonly MLOperandDataType[] = ['float32', 'float16'];
export const NARROW_INTEGERS: readonly MLOperandDataType[] = ['int8', 'uint8'];
/** Four-bit integers, which are only quantized numbers. */
export const NIBBLES: readonly MLOperandDataType[] = ['int4', 'uint4'];
export const SIGNED: readonly MLOperandDataType[] = [...FLOATS, 'int32', 'int64', 'int8'];
export const ALL: readonly MLOperandDataType[] = [...FLOATS, 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];
export const INDICES: readonly MLOperandDataType[] = ['int32', 'uint32', 'int64'];

/** The highest rank of an operand. */
const MAX_RANK = 8;

type Ranks = readonly [min: number, max: number];
const ANY_RANK: Ranks = [0, MAX_RANK];
export const NO_SCALAR: Ranks = [1, MAX_RANK];

export function limits(dataTypes: readonly MLOperandDataType[], ranks: Ranks = ANY_RANK): OperandLimits {
  return { dataTypes, ranks };
}

export function exactly(dataTypes: readonly MLOperandDataType[], rank: number): OperandLimits {
  return { dataTypes, ranks: [rank, rank] };
}

type Lower = (call: Call) => Tensor | readonly Tensor[];

/** An entry with one operand; the output has its type and shape. */
export function single(
  op: string,
  dataTypes: readonly MLOperandDataType[],
  builtins: string,
  lower: Lower,
  ranks: Ranks = ANY_RANK,
): OpEntry {
  return { op, limits: { input: limits(dataTypes, ranks), output: limits(dataTypes, ranks) }, builtins, lower };
}

/** An entry with two operands that broadcast. */
export function pair(
  op: string,
  dataTypes: readonly MLOperandDataType[],
  builtins: string,
  lower: Lower,
  outputTypes = dataTypes,
): OpEntry {
  const operand = limits(dataTypes);
  return { op, limits: { a: operand, b: operand, output: limits(outputTypes) }, builtins, lower };
}
