/** Building blocks for rows of the operator table. */

import type { OperatorCalls } from '../generated/operator_calls.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperatorName } from '../operators/rule.js';
import type { Call, OpEntry, Step } from './call.js';
import * as tf from './tf.js';

type DataTypes = readonly MLOperandDataType[];
type Tensor = tf.Tensor;

export const FLOAT: DataTypes = ['float32'];
/** int32 is exact only up to 2^24, because the kernels compute in float32; narrower integers always are. */
export const NARROW: DataTypes = ['float32', 'int8', 'uint8'];
export const INDICES: DataTypes = ['int32'];
export const BOOLEANS: DataTypes = ['uint8'];

/** Few kernels accept coordinates of more dimensions. */
export const MAX_RANK = 4;
/** The largest rank of any kernel. */
export const LARGEST_RANK = 6;

interface RowOptions {
  readonly dataTypes?: OpEntry['dataTypes'];
  readonly maxRank?: number;
}

export function row<Op extends OperatorName>(
  op: Op,
  compile: (call: Call<Op>) => Step,
  { dataTypes = FLOAT, maxRank = MAX_RANK }: RowOptions = {},
): OpEntry {
  // The table calls each row with its own operator.
  return { op, dataTypes, maxRank, compile: (call) => compile(call as unknown as Call<Op>) };
}

/** A row with one operand. */
export function single<Op extends OperatorName>(
  op: Op,
  compute: (input: Tensor, attributes: Required<OperatorCalls[Op]['attributes']>) => Tensor,
  options?: RowOptions,
): OpEntry {
  const compile = (call: Call<Op>): Step => {
    const input = call.operand('input');
    const { attributes } = call;
    return (frame) => compute(input(frame), attributes);
  };
  return row(op, compile, options);
}

/** A row with two operands, broadcast to each other. */
export function pair(op: OperatorName, compute: (a: Tensor, b: Tensor) => Tensor, options?: RowOptions): OpEntry {
  const compile = (call: Call): Step => {
    const [a, b] = [call.operand('a'), call.operand('b')];
    return (frame) => compute(a(frame), b(frame));
  };
  return row(op, compile, options);
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
