/** Activation functions. */

import { entry, NARROW, single } from '../op_entry.js';
import * as tf from '../tf.js';
import { erf } from './elementwise.js';

function clamp(x: tf.Tensor, min: number, max: number): tf.Tensor {
  if (Number.isFinite(min) && Number.isFinite(max)) return tf.clipByValue(x, min, max);
  const atLeast = min === Number.NEGATIVE_INFINITY ? x : tf.maximum(x, min);
  return max === Number.POSITIVE_INFINITY ? atLeast : tf.minimum(atLeast, max);
}

function elu(x: tf.Tensor, alpha: number): tf.Tensor {
  if (alpha === 1) return tf.elu(x);
  return tf.add(tf.relu(x), tf.mul(tf.expm1(tf.minimum(x, 0)), alpha));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-clamp and the others */
export const ACTIVATION = [
  single('clamp', (x, { minValue, maxValue }) => clamp(x, Number(minValue), Number(maxValue)), { dataTypes: NARROW }),
  single('elu', (x, { alpha }) => elu(x, alpha)),
  single('gelu', (x) => tf.mul(tf.mul(x, 0.5), tf.add(erf(tf.mul(x, Math.SQRT1_2)), 1))),
  single('hardSigmoid', (x, { alpha, beta }) => tf.clipByValue(tf.add(tf.mul(x, alpha), beta), 0, 1)),
  single('hardSwish', (x) => tf.div(tf.mul(x, tf.clipByValue(tf.add(x, 3), 0, 6)), 6)),
  single('leakyRelu', (x, { alpha }) => tf.leakyRelu(x, alpha)),
  single('linear', (x, { alpha, beta }) => tf.add(tf.mul(x, alpha), beta)),
  single('relu', (x) => tf.relu(x), { dataTypes: NARROW }),
  single('sigmoid', (x) => tf.sigmoid(x)),
  single('softplus', (x) => tf.softplus(x)),
  single('softsign', (x) => tf.div(x, tf.add(tf.abs(x), 1))),
  single('tanh', (x) => tf.tanh(x)),
  entry('prelu', (call) => {
    const [input, slope] = [call.operand('input'), call.operand('slope')];
    return (frame) => tf.prelu(input(frame), slope(frame));
  }),
];
