/** Building blocks for rows of the operator table. */

import type { Call, OpEntry, OperandLimits } from './call.js';
import type { HandledDataType, Tensor } from './tensor.js';

export const FLOATS: readonly HandledDataType[] = ['float32', 'float16'];
export const NARROW_INTEGERS: readonly HandledDataType[] = ['int8', 'uint8'];
/** Four-bit integers, which are only quantized numbers. */
export const NIBBLES: readonly HandledDataType[] = ['int4', 'uint4'];
export const SIGNED: readonly HandledDataType[] = [...FLOATS, 'int32', 'int64', 'int8'];
export const ALL: readonly HandledDataType[] = [...FLOATS, 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];
export const INDICES: readonly HandledDataType[] = ['int32', 'uint32', 'int64'];

/** The highest rank of an operand. */
export const MAX_RANK = 8;

type Ranks = readonly [min: number, max: number];
const ANY_RANK: Ranks = [0, MAX_RANK];
export const NO_SCALAR: Ranks = [1, MAX_RANK];

export function limits(dataTypes: readonly HandledDataType[], ranks: Ranks = ANY_RANK): OperandLimits {
  return { dataTypes, ranks };
}

export function exactly(dataTypes: readonly HandledDataType[], rank: number): OperandLimits {
  return { dataTypes, ranks: [rank, rank] };
}

type Lower = (call: Call) => Tensor | readonly Tensor[];

/** A row with one operand; the output has its type and shape. */
export function single(
  op: string,
  dataTypes: readonly HandledDataType[],
  builtins: string,
  lower: Lower,
  ranks: Ranks = ANY_RANK,
): OpEntry {
  return { op, limits: { input: limits(dataTypes, ranks), output: limits(dataTypes, ranks) }, builtins, lower };
}

/** A row with two operands that broadcast. */
export function pair(
  op: string,
  dataTypes: readonly HandledDataType[],
  builtins: string,
  lower: Lower,
  outputTypes = dataTypes,
): OpEntry {
  const operand = limits(dataTypes);
  return { op, limits: { a: operand, b: operand, output: limits(outputTypes) }, builtins, lower };
}
