/** All operators of the WebNN API: one entry each. opSupportLimits() has the data types and ranks of the entries. */

import type { MLOpSupportLimits, MLTensorLimits } from '../generated/webnn_types.js';
import { ALL, limits, NIBBLES, type OpEntry, type OperandLimits } from './op_entry.js';
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

/** The entries by family: the same families as in the rules, in the other engines and in the tests' cases. */
export const FAMILIES = {
  activation: ACTIVATION,
  convolution: CONVOLUTION,
  elementwise: ELEMENTWISE,
  indexing: INDEXING,
  logic: LOGIC,
  matrix: MATRIX,
  movement: MOVEMENT,
  normalization: NORMALIZATION,
  pooling: POOLING,
  quantization: QUANTIZATION,
  recurrent: RECURRENT,
  reduction: REDUCTION,
  resampling: RESAMPLING,
} as const satisfies Record<string, readonly OpEntry[]>;

/** The entries by name, in alphabetical order. */
export const OP_TABLE: ReadonlyMap<string, OpEntry> = new Map(
  Object.values<readonly OpEntry[]>(FAMILIES)
    .flat()
    .sort((a, b) => (a.op < b.op ? -1 : 1))
    .map((entry) => [entry.op, entry]),
);

export function entryOf(op: string): OpEntry {
  const entry = OP_TABLE.get(op);
  if (entry === undefined) throw new TypeError(`the tflite engine has no operator ${op}`);
  return entry;
}

/** Memory has 32-bit addresses, and must hold several tensors. */
const MAX_TENSOR_BYTES = 2 ** 30;

function tensorLimits({ dataTypes, ranks: [min, max] }: OperandLimits): MLTensorLimits {
  return { dataTypes: [...dataTypes], rankRange: { min, max } };
}

/** Limits of this engine, the same on every machine. */
export function opSupportLimits(): MLOpSupportLimits {
  const anything = tensorLimits(limits([...ALL, ...NIBBLES]));
  const operators = [...OP_TABLE.values()].map(({ op, limits: operands }) => {
    return [op, Object.fromEntries(Object.entries(operands).map(([name, limit]) => [name, tensorLimits(limit)]))];
  });
  return {
    preferredInputLayout: 'nhwc',
    maxTensorByteLength: MAX_TENSOR_BYTES,
    input: anything,
    constant: anything,
    output: anything,
    ...Object.fromEntries(operators),
  };
}
