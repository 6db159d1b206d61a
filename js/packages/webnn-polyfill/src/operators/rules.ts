/** The rules of all operators. A missing operator of the IDL is a compile error. */

import { ACTIVATION } from './activation.js';
import { CONVOLUTION } from './convolution.js';
import { ELEMENTWISE } from './elementwise.js';
import { INDEXING } from './indexing.js';
import { LOGIC } from './logic.js';
import { MATRIX } from './matrix.js';
import { MOVEMENT } from './movement.js';
import { NORMALIZATION } from './normalization.js';
import { POOLING } from './pooling.js';
import { QUANTIZATION } from './quantization.js';
import { RECURRENT } from './recurrent.js';
import { REDUCTION } from './reduction.js';
import { RESAMPLING } from './resampling.js';
import type { OperatorName, Rules } from './rule.js';

export const RULES: Rules<OperatorName> = {
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
};
