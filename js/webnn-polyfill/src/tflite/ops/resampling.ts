/** resample2d. */

import type { Call, OpRow } from '../call.js';
import { gatherAxis, inversePermutation, range, transposed } from '../calls.js';
import { exactly, FLOATS } from '../row.js';
import { dimension, type Tensor } from '../tensor.js';

function lowerResample2d(call: Call): Tensor {
  const mode = call.attribute<'nearest-neighbor' | 'linear'>('mode');
  return mode === 'linear' ? linear(call) : nearest(call);
}

function nearest(call: Call): Tensor {
  const shape = call.outputShape();
  return call.attribute<readonly number[]>('axes').reduce((input, axis) => {
    const from = dimension(call.input().shape, axis);
    const to = dimension(shape, axis);
    if (from === to) return input;
    return gatherAxis(
      call.net,
      input,
      axis,
      range(0, to).map((place) => nearestPlace(place, from, to)),
    );
  }, call.input());
}

/** The input's element whose middle is nearest to that of an output's; the first of two. */
function nearestPlace(place: number, from: number, to: number): number {
  const middle = ((place + 0.5) * from) / to - 0.5;
  return Math.min(Math.max(Math.ceil(middle - 0.5), 0), from - 1);
}

/** RESIZE_BILINEAR resizes the axes 1 and 2. */
function linear(call: Call): Tensor {
  const { net } = call;
  const axes = call.attribute<readonly number[]>('axes');
  const others = range(0, 4).filter((axis) => !axes.includes(axis));
  const resized = [...axes].sort((a, b) => a - b);
  const permutation = [others[0] as number, ...resized, others[1] as number];
  const input = transposed(net, call.input(), permutation);
  const shape = permutation.map((axis) => dimension(call.outputShape(), axis));
  const size = net.list(shape.slice(1, 3));
  const options = { align_corners: false, half_pixel_centers: true };
  const result = net.node('RESIZE_BILINEAR', [input, size], { type: input.type, shape }, options);
  return transposed(net, result, inversePermutation(permutation));
}

export const RESAMPLING: readonly OpRow[] = [
  {
    op: 'resample2d',
    limits: {
      input: exactly(FLOATS, 4),
      output: exactly(FLOATS, 4),
    },
    builtins: 'RESIZE_BILINEAR; GATHER for nearest-neighbor',
    lower: lowerResample2d,
  },
];
