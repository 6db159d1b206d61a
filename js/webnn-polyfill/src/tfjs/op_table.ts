/** The operators that the engine has: one row each. */

import type { OpRow } from './call.js';
import { ACTIVATIONS } from './ops/activation.js';
import { CONVOLUTIONS } from './ops/convolution.js';
import { ELEMENTWISE, LOGIC } from './ops/elementwise.js';
import { GRU } from './ops/gru.js';
import { INDEXING } from './ops/indexing.js';
import { LSTM } from './ops/lstm.js';
import { MATRICES } from './ops/matrix.js';
import { CAST, MOVEMENT } from './ops/movement.js';
import { NORMALIZATIONS } from './ops/normalization.js';
import { POOLING } from './ops/pooling.js';
import { QUANTIZATION } from './ops/quantization.js';
import { REDUCTIONS } from './ops/reduction.js';
import { RESAMPLING } from './ops/resampling.js';

const ROWS: readonly OpRow[] = [
  ...ACTIVATIONS,
  ...CAST,
  ...CONVOLUTIONS,
  ...ELEMENTWISE,
  ...GRU,
  ...INDEXING,
  ...LOGIC,
  ...LSTM,
  ...MATRICES,
  ...MOVEMENT,
  ...NORMALIZATIONS,
  ...POOLING,
  ...QUANTIZATION,
  ...REDUCTIONS,
  ...RESAMPLING,
];

/** The rows by the names of their operators. */
export const OP_TABLE: ReadonlyMap<string, OpRow> = new Map(ROWS.map((row) => [row.op, row]));
