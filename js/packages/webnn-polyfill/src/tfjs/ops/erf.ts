/** The error function. TensorFlow.js's own has an error of 1e-7, which is large for small results. */

import * as tf from '../tf.js';

// Eigen's rational approximation, x * P(x^2) / Q(x^2), accurate to a few units in the last place.
const LARGEST_INPUT = 4;
const NUMERATOR = [
  -2.72614225801306e-10, 2.77068142495902e-8, -2.10102402082508e-6, -5.69250639462346e-5, -7.34990630326855e-4,
  -2.95459980854025e-3, -1.60960333262415e-2,
];
const DENOMINATOR = [
  -1.45660718464996e-5, -2.13374055278905e-4, -1.68282697438203e-3, -7.37332916720468e-3, -1.42647390514189e-2,
];

function polynomial(x: tf.Tensor, [first = 0, second = 0, ...others]: readonly number[]): tf.Tensor {
  const start = tf.add(tf.mul(x, first), second);
  return others.reduce((sum: tf.Tensor, coefficient) => tf.add(tf.mul(sum, x), coefficient), start);
}

/** https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf */
export function erf(input: tf.Tensor): tf.Tensor {
  const x = tf.clipByValue(input, -LARGEST_INPUT, LARGEST_INPUT);
  const square = tf.square(x);
  return tf.div(tf.mul(x, polynomial(square, NUMERATOR)), polynomial(square, DENOMINATOR));
}
