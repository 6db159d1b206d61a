/** opSupportLimits(): the data types and ranks in the rows of the operator table. */

import type { MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';
import type { OperandLimits } from './call.js';
import { OP_TABLE } from './op_table.js';
import { ALL, limits, NIBBLES } from './row.js';

/** Memory has 32-bit addresses, and must hold several tensors. */
const MAX_TENSOR_BYTES = 2 ** 30;

function tensorLimits({ dataTypes, ranks: [min, max] }: OperandLimits): MLTensorLimits {
  return { dataTypes: [...dataTypes], rankRange: { min, max } };
}

/** Limits of this engine, the same on every machine. */
export function opSupportLimits(): MLOpSupportLimits {
  const anything = tensorLimits(limits([...ALL, ...NIBBLES]));
  const rows = [...OP_TABLE.values()].map(({ op, limits: operands }) => {
    return [op, Object.fromEntries(Object.entries(operands).map(([name, limit]) => [name, tensorLimits(limit)]))];
  });
  return {
    preferredInputLayout: 'nhwc',
    maxTensorByteLength: MAX_TENSOR_BYTES,
    input: anything,
    constant: anything,
    output: anything,
    ...Object.fromEntries(rows),
  };
}
