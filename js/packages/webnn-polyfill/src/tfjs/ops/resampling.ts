/** resample2d. */

import { nearestIndex } from '../../operators/formulas.js';
import { range } from '../../operators/rule.js';
import { reordered } from '../layouts.js';
import { type Call, entry, type Step } from '../op_entry.js';
import * as tf from '../tf.js';
import { compileSelection } from './movement.js';

/** The kernel resizes the second and third axis. */
function linear(input: tf.Tensor, axes: readonly number[], sizes: readonly number[]): tf.Tensor {
  const letters = ['0', '1', '2', '3'];
  const [first, last] = letters.filter((letter) => !axes.includes(Number(letter)));
  const order = [first, ...axes, last].join('');
  const [height, width] = sizes as [number, number];
  const resized = tf.image.resizeBilinear(reordered(input, '0123', order), [height, width], false, true);
  return reordered(resized, order, '0123');
}

function compileResample2d(call: Call<'resample2d'>): Step {
  const { mode, axes, sizes } = call.attributes;
  if (mode === 'linear') {
    const input = call.operand('input');
    return (frame) => linear(input(frame), axes, sizes);
  }
  return compileSelection(call as unknown as Call, (axis) => {
    const [from, to] = [call.shape('input')[axis] as number, call.output().shape[axis] as number];
    return from === to ? null : range(0, to).map((index) => nearestIndex(index, from, to));
  });
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-resample2d-method */
export const RESAMPLING = [entry('resample2d', compileResample2d)];
