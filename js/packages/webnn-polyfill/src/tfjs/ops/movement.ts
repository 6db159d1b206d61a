/** Operators that only move values or change the shape. */

import type { MLPaddingMode } from '../../generated/webnn_types.js';
import { range } from '../../operators/rule.js';
import { type Call, entry, LARGEST_RANK, NARROW, type Step, single } from '../op_entry.js';
import * as tf from '../tf.js';

const MOVED = { dataTypes: NARROW };

/** Selects elements along axes of the input: those at the provided indices, or all if there are none. */
export function compileSelection(call: Call, indicesAlong: (axis: number) => readonly number[] | null): Step {
  const input = call.operand('input');
  const selections = call.shape('input').flatMap((_, axis) => {
    const indices = indicesAlong(axis);
    return indices === null ? [] : [{ axis, indices: call.constant(() => tf.tensor1d([...indices], 'int32')) }];
  });
  return (frame) =>
    selections.reduce((x, { axis, indices }) => tf.gather(x, indices(frame) as tf.Tensor1D, axis), input(frame));
}

/** The index along an axis whose element the padding repeats. */
function paddedIndex(index: number, size: number, mode: MLPaddingMode): number {
  const last = size - 1;
  if (mode === 'edge') return Math.min(Math.max(index, 0), last);
  const distance = Math.abs(index);
  return distance > last ? 2 * last - distance : distance;
}

function compilePad(call: Call<'pad'>): Step {
  const { beginningPadding, endingPadding, mode, value } = call.attributes;
  const paddings = beginningPadding.map((before, axis): [number, number] => [before, endingPadding[axis] as number]);
  if (mode === 'constant') {
    const input = call.operand('input');
    return (frame) => tf.pad(input(frame), paddings, Number(value));
  }
  return compileSelection(call as unknown as Call, (axis) => {
    const size = call.shape('input')[axis] as number;
    const [before, after] = paddings[axis] as [number, number];
    if (before + after === 0) return null;
    return range(-before, size + after).map((index) => paddedIndex(index, size, mode));
  });
}

function triangle([rows = 0, columns = 0]: readonly number[], upper: boolean, diagonal: number): tf.Tensor {
  const isKept = (row: number, column: number) => (upper ? column >= row + diagonal : column <= row + diagonal);
  const mask = range(0, rows).flatMap((row) => range(0, columns).map((column) => isKept(row, column)));
  return tf.tensor2d(mask, [rows, columns], 'bool');
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-concat and the others */
export const MOVEMENT = [
  entry(
    'concat',
    (call) => {
      const inputs = call.list('inputs');
      const { axis } = call.attributes;
      return (frame) =>
        tf.concat(
          inputs.map((input) => input(frame)),
          axis,
        );
    },
    MOVED,
  ),
  single('expand', (x, { newShape }) => (newShape.length ? tf.broadcastTo(x, [...newShape]) : x), MOVED),
  entry('pad', compilePad, MOVED),
  single('reshape', (x, { newShape }) => tf.reshape(x, [...newShape]), { ...MOVED, maxRank: LARGEST_RANK }),
  single('reverse', (x, { axes }) => (axes.length ? tf.reverse(x, [...axes]) : x), MOVED),
  single(
    'slice',
    (x, { starts, sizes, strides }) => {
      if (starts.length === 0) return x;
      if (strides.every((stride) => stride === 1)) return tf.slice(x, [...starts], [...sizes]);
      const ends = starts.map((start, axis) => start + (sizes[axis] as number));
      return tf.stridedSlice(x, [...starts], ends, [...strides]);
    },
    MOVED,
  ),
  entry(
    'split',
    (call) => {
      const input = call.operand('input');
      const { splits, axis } = call.attributes;
      return (frame) => tf.split(input(frame), [...(splits as readonly number[])], axis);
    },
    MOVED,
  ),
  single('tile', (x, { repetitions }) => (repetitions.length ? tf.tile(x, [...repetitions]) : x), MOVED),
  single('transpose', (x, { permutation }) => tf.transpose(x, [...permutation]), { ...MOVED, maxRank: LARGEST_RANK }),
  entry(
    'triangular',
    (call) => {
      const input = call.operand('input');
      const { upper, diagonal } = call.attributes;
      const shape = [...call.output().shape];
      const kept = call.constant(() => tf.broadcastTo(triangle(shape.slice(-2), upper, diagonal), shape));
      return (frame) => {
        const x = input(frame);
        return tf.where(kept(frame), x, tf.zerosLike(x));
      };
    },
    MOVED,
  ),
];
