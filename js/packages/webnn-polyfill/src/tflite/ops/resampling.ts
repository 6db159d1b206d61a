/** resample2d. */

import { nearestIndex } from '../../operators/formulas.js';
import { gatherAxis, inversePermutation, range, transposed } from '../calls.js';
import type { BuiltinName } from '../model.js';
import { type Call, exactly, FLOATS, type OpEntry } from '../op_entry.js';
import { dimension, type Tensor } from '../tensor.js';

function lowerResample2d(call: Call): Tensor {
  const mode = call.attribute<'nearest-neighbor' | 'linear'>('mode');
  return mode === 'linear' ? resized(call, 'RESIZE_BILINEAR') : nearest(call);
}

function nearest(call: Call): Tensor {
  const shape = call.outputShape();
  const axes = call.attribute<readonly number[]>('axes');
  const sizes = axes.map((axis) => [dimension(call.input().shape, axis), dimension(shape, axis)] as const);
  // If each element is repeated equally often, the kernel is right; else it chooses the second of two.
  if (sizes.every(([from, to]) => to % from === 0)) return resized(call, 'RESIZE_NEAREST_NEIGHBOR');
  return axes.reduce((input, axis, position) => {
    const [from, to] = sizes[position] as readonly [number, number];
    if (from === to) return input;
    return gatherAxis(
      call.net,
      input,
      axis,
      range(0, to).map((index) => nearestIndex(index, from, to)),
    );
  }, call.input());
}

/** The kernels resize the axes 1 and 2. */
function resized(call: Call, builtin: BuiltinName): Tensor {
  const { net } = call;
  const axes = call.attribute<readonly number[]>('axes');
  const others = range(0, 4).filter((axis) => !axes.includes(axis));
  const spatial = [...axes].sort((a, b) => a - b);
  const permutation = [others[0] as number, ...spatial, others[1] as number];
  const input = transposed(net, call.input(), permutation);
  const shape = permutation.map((axis) => dimension(call.outputShape(), axis));
  const size = net.list(shape.slice(1, 3));
  const options = { align_corners: false, half_pixel_centers: true };
  const result = net.node(builtin, [input, size], { type: input.type, shape }, options);
  return transposed(net, result, inversePermutation(permutation));
}

export const RESAMPLING: readonly OpEntry[] = [
  {
    op: 'resample2d',
    limits: {
      input: exactly(FLOATS, 4),
      output: exactly(FLOATS, 4),
    },
    builtins: 'RESIZE_BILINEAR; RESIZE_NEAREST_NEIGHBOR, GATHER',
    lower: lowerResample2d,
  },
];
