/** The engine's operators: one entry each. opSupportLimits() has the data types and ranks of the entries. */

import type { MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';
import { RULES } from '../operators/rules.js';
import { FLOAT, LARGEST_RANK, MAX_RANK, type OpEntry } from './op_entry.js';
import { ACTIVATION } from './ops/activation.js';
import { CONVOLUTION } from './ops/convolution.js';
import { ELEMENTWISE } from './ops/elementwise.js';
import { INDEXING } from './ops/indexing.js';
import { LOGIC } from './ops/logic.js';
import { MATRIX } from './ops/matrix.js';
import { MOVEMENT } from './ops/movement.js';
import { NORMALIZATION } from './ops/normalization.js';
import { POOLING } from './ops/pooling.js';
import { QUANTIZATION } from './ops/quantization.js';
import { RECURRENT } from './ops/recurrent.js';
import { REDUCTION } from './ops/reduction.js';
import { RESAMPLING } from './ops/resampling.js';

export const OP_TABLE: ReadonlyMap<string, OpEntry> = new Map(
  [
    ...ACTIVATION,
    ...CONVOLUTION,
    ...ELEMENTWISE,
    ...INDEXING,
    ...LOGIC,
    ...MATRIX,
    ...MOVEMENT,
    ...NORMALIZATION,
    ...POOLING,
    ...QUANTIZATION,
    ...RECURRENT,
    ...REDUCTION,
    ...RESAMPLING,
  ].map((entry) => [entry.op, entry]),
);

function operandLimits(entry: OpEntry | undefined, operand: string): MLTensorLimits {
  // An operator without data types is unsupported.
  if (entry === undefined) return { dataTypes: [], rankRange: { min: 0, max: MAX_RANK } };
  const { dataTypes, maxRank } = entry;
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
