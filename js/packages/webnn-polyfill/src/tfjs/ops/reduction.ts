/** Operators that reduce axes, and cumulativeSum. */

import { range } from '../../operators/rule.js';
import { entry, FLOAT, INDICES, NARROW, single } from '../op_entry.js';
import * as tf from '../tf.js';

type Reduce = (x: tf.Tensor, axes: number[], keepDimensions: boolean) => tf.Tensor;

type Reduction =
  | ('reduceL1' | 'reduceL2' | 'reduceLogSum' | 'reduceLogSumExp' | 'reduceMax' | 'reduceMean' | 'reduceMin')
  | ('reduceProduct' | 'reduceSum' | 'reduceSumSquare');

/** Without axes, each element is its own sum. */
const sum: Reduce = (x, axes, keep) => (axes.length ? tf.sum(x, axes, keep) : x);
export const mean: Reduce = (x, axes, keep) => (axes.length ? tf.mean(x, axes, keep) : x);
const max: Reduce = (x, axes, keep) => (axes.length ? tf.max(x, axes, keep) : x);
const min: Reduce = (x, axes, keep) => (axes.length ? tf.min(x, axes, keep) : x);
const product: Reduce = (x, axes, keep) => (axes.length ? tf.prod(x, axes, keep) : x);

/** Subtracts the largest element before summing, so that no power overflows. */
const logSumExp: Reduce = (x, axes, keep) => {
  const largest = max(x, axes, true);
  const finite = tf.where(tf.isFinite(largest), largest, tf.zerosLike(largest));
  const logarithm = tf.log(sum(tf.exp(tf.sub(x, finite)), axes, true));
  const result = tf.add(logarithm, finite);
  return keep ? result : tf.squeeze(result, axes);
};

function reduction(op: Reduction, reduce: Reduce, dataTypes = FLOAT) {
  return single(op, (x, { axes, keepDimensions }) => reduce(x, [...axes], keepDimensions), { dataTypes });
}

/** The first index of the smallest or largest element; GPU kernels return any of them. */
function argMinMax(op: 'argMin' | 'argMax', reduce: Reduce) {
  return entry(
    op,
    (call) => {
      const input = call.operand('input');
      const { axis, keepDimensions } = call.attributes;
      const { shape } = call.describe('input');
      const size = shape[axis] as number;
      const along = shape.map((_, other) => (other === axis ? size : 1));
      const indices = call.constant(() => tf.tensor(range(0, size), along, 'float32'));
      const last = call.constant(() => tf.scalar(size - 1));
      return (frame) => {
        const x = input(frame);
        const found = tf.cast(tf.equal(x, reduce(x, [axis], true)), 'float32');
        // Other elements get a number above the last index.
        const candidates = tf.add(tf.mul(found, tf.sub(indices(frame), size)), size);
        return tf.cast(tf.minimum(tf.min(candidates, [axis], keepDimensions), last(frame)), 'int32');
      };
    },
    { dataTypes: { input: NARROW, output: INDICES } },
  );
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-reduce and -argminmax */
export const REDUCTION = [
  argMinMax('argMin', min),
  argMinMax('argMax', max),
  reduction('reduceL1', (x, axes, keep) => sum(tf.abs(x), axes, keep)),
  reduction('reduceL2', (x, axes, keep) => tf.sqrt(sum(tf.square(x), axes, keep))),
  reduction('reduceLogSum', (x, axes, keep) => tf.log(sum(x, axes, keep))),
  reduction('reduceLogSumExp', logSumExp),
  reduction('reduceMax', max, NARROW),
  reduction('reduceMean', mean),
  reduction('reduceMin', min, NARROW),
  reduction('reduceProduct', product),
  reduction('reduceSum', sum),
  reduction('reduceSumSquare', (x, axes, keep) => sum(tf.square(x), axes, keep)),
  single('cumulativeSum', (x, { axis, exclusive, reversed }) => tf.cumsum(x, axis, exclusive, reversed)),
];
