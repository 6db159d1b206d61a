/** One recorded operator during compilation, and the rows of the operator table. */

import type { OperatorCalls } from '../generated/operator_calls.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperandDescriptor, RecordedGraph, RecordedOperator } from '../graph.js';
import type { OperatorName } from '../operators/rule.js';
import type { Tensor } from './tf.js';

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
  readonly dataTypes: readonly MLOperandDataType[] | Readonly<Record<string, readonly MLOperandDataType[]>>;
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
