/** Elementwise operators of one operand, and cast. */

import { BOOLEANS, INDICES, NARROW, single } from '../row.js';
import * as tf from '../tf.js';
import { erf } from './erf.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary and -cast */
export const ELEMENTWISE = [
  single('abs', (x) => tf.abs(x)),
  single('ceil', (x) => tf.ceil(x)),
  single('cos', (x) => tf.cos(x)),
  single('erf', erf),
  single('exp', (x) => tf.exp(x)),
  single('floor', (x) => tf.floor(x)),
  single('identity', (x) => x, { dataTypes: NARROW }),
  single('log', (x) => tf.log(x)),
  single('neg', (x) => tf.neg(x)),
  single('reciprocal', (x) => tf.reciprocal(x)),
  single('roundEven', (x) => tf.round(x)),
  single('sign', (x) => tf.sign(x)),
  single('sin', (x) => tf.sin(x)),
  single('sqrt', (x) => tf.sqrt(x)),
  single('tan', (x) => tf.tan(x)),
  single(
    'cast',
    (x, { dataType }) => {
      if (dataType === 'float32') return tf.cast(x, 'float32');
      const full = tf.cast(x, 'int32');
      if (dataType === 'int32') return full;
      // Out of range, integers wrap: the lowest bits remain.
      const values = tf.cast(full, 'float32');
      const lowest = dataType === 'int8' ? -128 : 0;
      const offset = tf.floor(tf.div(tf.sub(values, lowest), 256));
      return tf.sub(values, tf.mul(offset, 256));
    },
    { dataTypes: [...new Set([...NARROW, ...INDICES, ...BOOLEANS])] },
  ),
];
