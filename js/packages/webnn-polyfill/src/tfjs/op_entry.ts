/** Entries of the operator table: their building blocks, and the recorded operator that they compile. */

import type { OperandDescriptor, RecordedGraph, RecordedOperator } from '../engine.js';
import type { OperatorCalls } from '../generated/operator_calls.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperatorName } from '../operators/rule.js';
import * as tf from './tf.js';

type DataTypes = readonly MLOperandDataType[];
type Tensor = tf.Tensor;

/** The tensors of a running graph, by the ids of their operands. */
export type Frame = readonly (Tensor | undefined)[];

/** Returns a tensor of a running graph. */
export type Source = (frame: Frame) => Tensor;

/** Computes an operator of a running graph. It runs in a tidy(), so it need not dispose of anything. */
export type Step = (frame: Frame) => Tensor | readonly Tensor[];

/** How one operator of WebNN is computed. */
export interface OpEntry {
  readonly op: OperatorName;
  /** Data types of all operands and results, or of some by the names of opSupportLimits(); others are float32. */
  readonly dataTypes: DataTypes | Readonly<Record<string, DataTypes>>;
  readonly maxRank: number;
  /** Called once per operator of a graph: does everything that does not depend on inputs. */
  compile(call: Call): Step;
}

/** Work on constants while a graph is built. */
export interface Constants {
  isConstant(operand: number): boolean;
  /** Creates a tensor with the graph's lifetime. */
  create(compute: () => Tensor): Tensor;
  /** A constant, for this call only. */
  borrow(operand: number): Tensor;
  /** Receives each operand that the running graph reads unchanged. */
  keep(operand: number): void;
}

/** A compiler's view of an operator. */
export class Call<Op extends OperatorName = OperatorName> {
  readonly attributes: Required<OperatorCalls[Op]['attributes']>;

  constructor(
    readonly operator: RecordedOperator,
    readonly graph: RecordedGraph,
    readonly constants: Constants,
  ) {
    this.attributes = operator.attributes as Required<OperatorCalls[Op]['attributes']>;
  }

  /** The operand of that name, unchanged. */
  operand(name: string): Source {
    return this.#read(this.#id(name));
  }

  /** All operands of a list. */
  list(name: string): Source[] {
    return (this.operator.operands[name] as readonly number[]).map((id) => this.#read(id));
  }

  has(name: string): boolean {
    return this.operator.operands[name] !== undefined;
  }

  /** The operand in another form; that of a constant is computed only once. */
  prepared(name: string, prepare: (operand: Tensor) => Tensor): Source {
    const id = this.#id(name);
    if (!this.constants.isConstant(id)) {
      const read = this.#read(id);
      return (frame) => prepare(read(frame));
    }
    const tensor = this.constants.create(() => prepare(this.constants.borrow(id)));
    return () => tensor;
  }

  /** A tensor that depends on no operand. */
  constant(compute: () => Tensor): Source {
    const tensor = this.constants.create(compute);
    return () => tensor;
  }

  describe(name: string): OperandDescriptor {
    return this.graph.operands[this.#id(name)] as OperandDescriptor;
  }

  shape(name: string): readonly number[] {
    return this.describe(name).shape;
  }

  output(index = 0): OperandDescriptor {
    return this.graph.operands[this.operator.outputs[index] as number] as OperandDescriptor;
  }

  #id(name: string): number {
    const id = this.operator.operands[name];
    if (typeof id !== 'number') throw new TypeError(`${this.operator.op} has no operand ${name}.`);
    return id;
  }

  #read(id: number): Source {
    this.constants.keep(id);
    return (frame) => frame[id] as Tensor;
  }
}

export const FLOAT: DataTypes = ['float32'];
/** int32 is exact only up to 2^24, because the kernels compute in float32; narrower integers always are. */
export const NARROW: DataTypes = ['float32', 'int8', 'uint8'];
export const INDICES: DataTypes = ['int32'];
export const BOOLEANS: DataTypes = ['uint8'];

/** Few kernels accept coordinates of more dimensions. */
export const MAX_RANK = 4;
/** The largest rank of any kernel. */
export const LARGEST_RANK = 6;

interface EntryOptions {
  readonly dataTypes?: OpEntry['dataTypes'];
  readonly maxRank?: number;
}

export function entry<Op extends OperatorName>(
  op: Op,
  compile: (call: Call<Op>) => Step,
  { dataTypes = FLOAT, maxRank = MAX_RANK }: EntryOptions = {},
): OpEntry {
  // The table calls each entry with its own operator.
  return { op, dataTypes, maxRank, compile: (call) => compile(call as unknown as Call<Op>) };
}

/** An entry with one operand. */
export function single<Op extends OperatorName>(
  op: Op,
  compute: (input: Tensor, attributes: Required<OperatorCalls[Op]['attributes']>) => Tensor,
  options?: EntryOptions,
): OpEntry {
  const compile = (call: Call<Op>): Step => {
    const input = call.operand('input');
    const { attributes } = call;
    return (frame) => compute(input(frame), attributes);
  };
  return entry(op, compile, options);
}

/** An entry with two operands, broadcast to each other. */
export function pair(op: OperatorName, compute: (a: Tensor, b: Tensor) => Tensor, options?: EntryOptions): OpEntry {
  const compile = (call: Call): Step => {
    const [a, b] = [call.operand('a'), call.operand('b')];
    return (frame) => compute(a(frame), b(frame));
  };
  return entry(op, compile, options);
}

/** A predicate's result in WebNN's type. */
export function toUint8(bool: Tensor): Tensor {
  return tf.cast(bool, 'float32');
}

/** A uint8 as a condition. */
export function toBool(uint8: Tensor): Tensor {
  return tf.cast(uint8, 'bool');
}

/** The shape that broadcasts a vector along an axis. */
export function alongAxis(vector: Tensor, axis: number, rank: number): Tensor {
  return tf.reshape(
    vector,
    Array.from({ length: rank }, (_, index) => (index === axis ? -1 : 1)),
  );
}
