/** The rules of all operators. An operator that the IDL has and this has not does not compile. */

import { CONVOLUTIONS } from './convolution.js';
import { ACTIVATIONS, BINARY, LOGICAL, UNARY } from './elementwise.js';
import { INDEXING } from './indexing.js';
import { MATRICES } from './matrices.js';
import { MOVEMENT } from './movement.js';
import { NORMALIZATIONS } from './normalization.js';
import { IMAGES } from './pooling.js';
import { RECURRENT } from './recurrent.js';
import { REDUCTIONS } from './reduction.js';
import type { OperatorName, Rules } from './rule.js';

export const RULES: Rules<OperatorName> = {
  ...ACTIVATIONS,
  ...BINARY,
  ...CONVOLUTIONS,
  ...IMAGES,
  ...INDEXING,
  ...LOGICAL,
  ...MATRICES,
  ...MOVEMENT,
  ...NORMALIZATIONS,
  ...RECURRENT,
  ...REDUCTIONS,
  ...UNARY,
};
