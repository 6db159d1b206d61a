/** MLOperand. */

import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperandDescriptor } from '../graph.js';

/** A value in a graph under construction. */
export class Operand implements OperandDescriptor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];

  /** `id` is its index among the operands of its builder. */
  constructor(
    readonly builder: object,
    readonly id: number,
    { dataType, shape }: OperandDescriptor,
  ) {
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
  }
}
