/** Input of the fusion rules: an operator between dequantizeLinear and quantizeLinear. */

import type { RecordedOperator } from '../../graph.js';
import type { Quantization } from '../model.js';
import type { HandledDataType } from '../tensor.js';
import type { Assignment } from './assignment.js';
import { type GraphIndex, inputOf, operandOf } from './graph_index.js';

/** The integer operand behind a float one. */
export interface QuantizedOperand {
  readonly operand: number;
  readonly dataType: HandledDataType;
  readonly parameters: Quantization;
  readonly isConstant: boolean;
}

/** An operator whose operands may be quantized. */
export class OperatorInfo {
  readonly operator: RecordedOperator;
  readonly index: GraphIndex;
  /** Its quantized results; empty if none is quantized. */
  readonly results: readonly QuantizedOperand[];
  readonly #assignment: Assignment;

  constructor(
    index: GraphIndex,
    assignment: Assignment,
    operator: RecordedOperator,
    results: readonly QuantizedOperand[],
  ) {
    this.index = index;
    this.#assignment = assignment;
    this.operator = operator;
    this.results = results;
  }

  /** The integers behind a dequantized operand. */
  quantized(operand: number | undefined): QuantizedOperand | undefined {
    const producer = this.index.producer(operand) as RecordedOperator;
    const parameters = this.#assignment.native.get(producer);
    if (parameters === undefined) return undefined;
    const input = inputOf(producer);
    const isConstant = this.index.isConstant(input);
    return { operand: input, dataType: this.index.dataType(input), parameters, isConstant };
  }

  /** The integers behind the operand of that name. */
  operand(name: string): QuantizedOperand | undefined {
    return this.quantized(operandOf(this.operator, name));
  }

  has(name: string): boolean {
    return this.operator.operands[name] !== undefined;
  }

  attribute<T>(name: string): T {
    return this.operator.attributes[name] as T;
  }
}
