/** opSupportLimits(): the data types in the rows of the operator table. */

import type { MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';
import { RULES } from '../operators/rules.js';
import type { OpEntry } from './call.js';
import { OP_TABLE } from './op_table.js';
import { FLOAT, LARGEST_RANK, MAX_RANK } from './row.js';

function operandLimits(row: OpEntry | undefined, operand: string): MLTensorLimits {
  // An operator without data types is unsupported.
  if (row === undefined) return { dataTypes: [], rankRange: { min: 0, max: MAX_RANK } };
  const { dataTypes, maxRank } = row;
  const all = Array.isArray(dataTypes) ? dataTypes : undefined;
  const named = dataTypes as Readonly<Record<string, typeof FLOAT | undefined>>;
  return { dataTypes: all ?? named[operand] ?? FLOAT, rankRange: { min: 0, max: maxRank } };
}

export function opSupportLimits(maxTensorByteLength: number): MLOpSupportLimits {
  const held: MLTensorLimits = {
    dataTypes: ['float32', 'int32', 'int8', 'uint8'],
    rankRange: { min: 0, max: LARGEST_RANK },
  };
  const operators = Object.entries(RULES).map(([op, { limits }]) => {
    const operands = Object.keys(limits).map((name) => [name, operandLimits(OP_TABLE.get(op), name)]);
    return [op, Object.fromEntries(operands)];
  });
  return {
    preferredInputLayout: 'nhwc',
    maxTensorByteLength,
    input: held,
    constant: held,
    output: held,
    ...Object.fromEntries(operators),
  };
}
