/** The engine's operators: one row each. */

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

export const OP_TABLE: ReadonlyMap<string, OpEntry> = new Map(
  [
    ...ACTIVATION,
    ...ARITHMETIC,
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
  ].map((row) => [row.op, row]),
);
