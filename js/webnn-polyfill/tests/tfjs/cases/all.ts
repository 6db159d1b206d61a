/** All cases. */

import type { Case } from '../case.js';
import { CAST_CASES } from './cast.js';
import { CONVOLUTION_CASES } from './convolution.js';
import { ELEMENTWISE_CASES } from './elementwise.js';
import { IMAGE_CASES } from './images.js';
import { MOVEMENT_CASES } from './movement.js';
import { QUANTIZATION_CASES } from './quantization.js';
import { RECURRENT_CASES } from './recurrent.js';
import { REDUCTION_CASES } from './reduction.js';

export const ALL_CASES: readonly Case[] = [
  ...CAST_CASES,
  ...CONVOLUTION_CASES,
  ...ELEMENTWISE_CASES,
  ...IMAGE_CASES,
  ...MOVEMENT_CASES,
  ...QUANTIZATION_CASES,
  ...RECURRENT_CASES,
  ...REDUCTION_CASES,
];
