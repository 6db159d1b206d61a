/** Arithmetic of two operands. */

import { NARROW, pair } from '../row.js';
import * as tf from '../tf.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-binary */
export const ARITHMETIC = [
  pair('add', (a, b) => tf.add(a, b)),
  pair('sub', (a, b) => tf.sub(a, b)),
  pair('mul', (a, b) => tf.mul(a, b)),
  pair('div', (a, b) => tf.div(a, b)),
  pair('max', (a, b) => tf.maximum(a, b), { dataTypes: NARROW }),
  pair('min', (a, b) => tf.minimum(a, b), { dataTypes: NARROW }),
  pair('pow', (a, b) => tf.pow(a, b)),
];
