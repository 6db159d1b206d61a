/** Elementwise operators of one or two operands, and cast. */

import { ERF } from '../../operators/formulas.js';
import { BOOLEANS, INDICES, NARROW, pair, single } from '../op_entry.js';
import * as tf from '../tf.js';

function polynomial(x: tf.Tensor, [first = 0, second = 0, ...others]: readonly number[]): tf.Tensor {
  const start = tf.add(tf.mul(x, first), second);
  return others.reduce((sum: tf.Tensor, coefficient) => tf.add(tf.mul(sum, x), coefficient), start);
}

/** TensorFlow.js's own error function has an error of 1e-7, which is large for small results. */
export function erf(input: tf.Tensor): tf.Tensor {
  const x = tf.clipByValue(input, -ERF.bound, ERF.bound);
  const square = tf.square(x);
  return tf.div(tf.mul(x, polynomial(square, ERF.numerator)), polynomial(square, ERF.denominator));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary, -binary and -cast */
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
  pair('add', (a, b) => tf.add(a, b)),
  pair('sub', (a, b) => tf.sub(a, b)),
  pair('mul', (a, b) => tf.mul(a, b)),
  pair('div', (a, b) => tf.div(a, b)),
  pair('max', (a, b) => tf.maximum(a, b), { dataTypes: NARROW }),
  pair('min', (a, b) => tf.minimum(a, b), { dataTypes: NARROW }),
  pair('pow', (a, b) => tf.pow(a, b)),
];
