/** Gathering and scattering by indices. */

import { elementCount } from '../../data_types.js';
import { range } from '../../operators/rule.js';
import { type Call, entry, INDICES, NARROW, type Source } from '../op_entry.js';
import * as tf from '../tf.js';

const GATHERED = { dataTypes: { input: NARROW, indices: INDICES, output: NARROW } };
const SCATTERED = { dataTypes: { input: NARROW, indices: INDICES, updates: NARROW, output: NARROW } };

/** Kernels calculate indices in float32. */
const MAX_ELEMENTS = 2 ** 24;

/** Effective indices: negative ones count from the end, and all are clamped. `sizes` are broadcast. */
function effectiveIndices(indices: tf.Tensor, sizes: number | tf.Tensor): tf.Tensor {
  const values = tf.cast(indices, 'float32');
  const fromEnd = tf.mul(tf.cast(tf.less(values, 0), 'float32'), sizes);
  const clamped = tf.minimum(tf.relu(tf.add(values, fromEnd)), tf.sub(sizes, 1));
  return tf.cast(clamped, 'int32');
}

function stridesOf(shape: readonly number[]): number[] {
  return shape.map((_, axis) => elementCount(shape.slice(axis + 1)));
}

/** Each index's position in the flattened input. */
function flatIndices(call: Call<'gatherElements' | 'scatterElements'>): Source {
  const { axis } = call.attributes;
  const { shape } = call.describe('input');
  if (elementCount(shape) > MAX_ELEMENTS) {
    throw new RangeError(`${call.operator.op} is limited to ${MAX_ELEMENTS} elements; [${shape}] are more.`);
  }
  const counts = call.shape('indices');
  const strides = stridesOf(shape);
  const alongOthers = () =>
    counts.reduce((sum: tf.Tensor, count, other) => {
      if (other === axis) return sum;
      const offsets = range(0, count).map((index) => index * (strides[other] as number));
      return tf.add(
        sum,
        tf.tensor(
          offsets,
          counts.map((_, index) => (index === other ? count : 1)),
          'float32',
        ),
      );
    }, tf.scalar(0));
  const base = call.constant(alongOthers);
  return call.prepared('indices', (indices) => {
    const effective = tf.cast(effectiveIndices(indices, shape[axis] as number), 'float32');
    const flat = tf.add(tf.mul(effective, strides[axis] as number), base([]));
    return tf.cast(tf.reshape(flat, [-1]), 'int32');
  });
}

/** The coordinates in the last axis of indices, clamped. */
function coordinates(call: Call<'gatherND' | 'scatterND'>): Source {
  const shape = call.shape('input').slice(0, call.shape('indices').at(-1));
  const sizes = call.constant(() => tf.tensor1d([...shape], 'float32'));
  return call.prepared('indices', (indices) => effectiveIndices(indices, sizes([])));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gather and the others */
export const INDEXING = [
  entry(
    'gather',
    (call) => {
      const { axis } = call.attributes;
      const shape = [...call.output().shape];
      const input = call.operand('input');
      const positions = call.prepared('indices', (indices) =>
        tf.reshape(effectiveIndices(indices, call.shape('input')[axis] as number), [-1]),
      );
      return (frame) => tf.reshape(tf.gather(input(frame), positions(frame) as tf.Tensor1D, axis), shape);
    },
    GATHERED,
  ),
  entry(
    'gatherElements',
    (call) => {
      const [input, positions] = [call.operand('input'), flatIndices(call)];
      const shape = [...call.output().shape];
      return (frame) => {
        const flat = tf.reshape(input(frame), [-1]);
        return tf.reshape(tf.gather(flat, positions(frame) as tf.Tensor1D), shape);
      };
    },
    GATHERED,
  ),
  entry(
    'gatherND',
    (call) => {
      const [input, positions] = [call.operand('input'), coordinates(call)];
      const shape = [...call.output().shape];
      return (frame) => tf.reshape(tf.gatherND(input(frame), positions(frame)), shape);
    },
    GATHERED,
  ),
  entry(
    'scatterElements',
    (call) => {
      const [input, updates, positions] = [call.operand('input'), call.operand('updates'), flatIndices(call)];
      const shape = [...call.output().shape];
      return (frame) => {
        const flat = tf.reshape(input(frame), [-1]);
        const rows = tf.reshape(positions(frame), [-1, 1]);
        return tf.reshape(tf.tensorScatterUpdate(flat, rows, tf.reshape(updates(frame), [-1])), shape);
      };
    },
    SCATTERED,
  ),
  entry(
    'scatterND',
    (call) => {
      const [input, updates, positions] = [call.operand('input'), call.operand('updates'), coordinates(call)];
      return (frame) => tf.tensorScatterUpdate(input(frame), positions(frame), updates(frame));
    },
    SCATTERED,
  ),
];
