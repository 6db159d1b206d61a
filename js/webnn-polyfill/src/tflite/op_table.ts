/** All operators of the WebNN API: one row each. */

import type { OpRow } from './call.js';
import { ACTIVATIONS } from './ops/activation.js';
import { ARITHMETIC } from './ops/arithmetic.js';
import { CAST } from './ops/cast.js';
import { CONVOLUTION } from './ops/convolution.js';
import { ELEMENTWISE } from './ops/elementwise.js';
import { GRU } from './ops/gru.js';
import { INDEXING } from './ops/indexing.js';
import { LOGIC } from './ops/logic.js';
import { LSTM } from './ops/lstm.js';
import { MATRIX } from './ops/matrix.js';
import { NORMALIZATION } from './ops/normalization.js';
import { PADDING } from './ops/padding.js';
import { POOLING } from './ops/pooling.js';
import { QUANTIZATION } from './ops/quantization.js';
import { REDUCING } from './ops/reduction.js';
import { RESAMPLING } from './ops/resampling.js';
import { SHAPES } from './ops/shape.js';
import { TRANSPOSED_CONVOLUTION } from './ops/transposed_convolution.js';

const FAMILIES = [
  ACTIVATIONS,
  ARITHMETIC,
  CAST,
  CONVOLUTION,
  ELEMENTWISE,
  GRU,
  INDEXING,
  LOGIC,
  LSTM,
  MATRIX,
  NORMALIZATION,
  PADDING,
  POOLING,
  QUANTIZATION,
  REDUCING,
  RESAMPLING,
  SHAPES,
  TRANSPOSED_CONVOLUTION,
];

/** The rows by name, in the order of the alphabet. */
export const OP_TABLE: ReadonlyMap<string, OpRow> = new Map(
  FAMILIES.flat()
    .sort((a, b) => (a.op < b.op ? -1 : 1))
    .map((row) => [row.op, row]),
);

/** The row of an operator. */
export function rowOf(op: string): OpRow {
  const row = OP_TABLE.get(op);
  if (row === undefined) throw new TypeError(`the tflite engine has no operator ${op}`);
  return row;
}
