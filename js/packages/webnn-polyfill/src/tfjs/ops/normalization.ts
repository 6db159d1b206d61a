/** Normalizations and softmax. */

import { alongAxis, type Call, entry, type Source, type Step, single } from '../op_entry.js';
import * as tf from '../tf.js';
import { mean } from './reduction.js';

/** Reshapes an operand of the normalization to the input's shape. */
type Fit = (operand: tf.Tensor) => tf.Tensor;

/** Scale and bias, if provided. */
function scaledAndShifted(call: Call, fit: Fit): (frame: Parameters<Source>[0], x: tf.Tensor) => tf.Tensor {
  const scale = call.has('scale') ? call.prepared('scale', fit) : null;
  const bias = call.has('bias') ? call.prepared('bias', fit) : null;
  return (frame, x) => {
    const scaled = scale ? tf.mul(x, scale(frame)) : x;
    return bias ? tf.add(scaled, bias(frame)) : scaled;
  };
}

/** Normalizes by mean and variance along axes of the input itself. */
function normalize(
  call: Call<'instanceNormalization' | 'layerNormalization'>,
  axes: readonly number[],
  fit: Fit,
): Step {
  const input = call.operand('input');
  const { epsilon } = call.attributes;
  const finish = scaledAndShifted(call as unknown as Call, fit);
  return (frame) => {
    const x = input(frame);
    const centered = tf.sub(x, mean(x, [...axes], true));
    const variance = mean(tf.square(centered), [...axes], true);
    return finish(frame, tf.div(centered, tf.sqrt(tf.add(variance, epsilon))));
  };
}

function compileBatchNormalization(call: Call<'batchNormalization'>): Step {
  const { axis, epsilon } = call.attributes;
  const fit: Fit = (vector) => alongAxis(vector, axis, call.shape('input').length);
  const [input, average] = [call.operand('input'), call.prepared('mean', fit)];
  const deviation = call.prepared('variance', (variance) => tf.sqrt(tf.add(fit(variance), epsilon)));
  const finish = scaledAndShifted(call as unknown as Call, fit);
  return (frame) => finish(frame, tf.div(tf.sub(input(frame), average(frame)), deviation(frame)));
}

function compileLayerNormalization(call: Call<'layerNormalization'>): Step {
  const { axes } = call.attributes;
  const shape = call.shape('input').map((size, axis) => (axes.includes(axis) ? size : 1));
  // Scale and bias have the axes in the order of the option `axes`.
  const order = [...axes.keys()].sort((a, b) => (axes[a] as number) - (axes[b] as number));
  return normalize(call, axes, (operand) => tf.reshape(tf.transpose(operand, order), shape));
}

function softmax(x: tf.Tensor, axis: number): tf.Tensor {
  const powers = tf.exp(tf.sub(x, tf.max(x, axis, true)));
  return tf.div(powers, tf.sum(powers, axis, true));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-batchnorm and the others */
export const NORMALIZATION = [
  entry('batchNormalization', compileBatchNormalization),
  entry('instanceNormalization', (call) => {
    const { layout } = call.attributes;
    const fit: Fit = (vector) => alongAxis(vector, layout.indexOf('c'), 4);
    return normalize(call, [layout.indexOf('h'), layout.indexOf('w')], fit);
  }),
  entry('layerNormalization', compileLayerNormalization),
  single('softmax', (x, { axis }) => softmax(x, axis)),
];
