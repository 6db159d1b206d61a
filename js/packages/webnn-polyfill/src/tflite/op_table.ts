/** All operators of the WebNN API: one row each. */

import type { OpEntry } from './call.js';
import { ACTIVATION } from './ops/activation.js';
import { ARITHMETIC } from './ops/arithmetic.js';
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

/** The rows by family: the same families as in the rules, in the other engines and in the tests' cases. */
export const FAMILIES = {
  activation: ACTIVATION,
  arithmetic: ARITHMETIC,
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

/** The rows by name, in alphabetical order. */
export const OP_TABLE: ReadonlyMap<string, OpEntry> = new Map(
  Object.values<readonly OpEntry[]>(FAMILIES)
    .flat()
    .sort((a, b) => (a.op < b.op ? -1 : 1))
    .map((row) => [row.op, row]),
);

export function rowOf(op: string): OpEntry {
  const row = OP_TABLE.get(op);
  if (row === undefined) throw new TypeError(`the tflite engine has no operator ${op}`);
  return row;
}
