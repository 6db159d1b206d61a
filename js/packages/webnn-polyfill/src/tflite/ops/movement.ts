/** Operators that only move elements. */

import { broadcastTo, reshaped } from '../broadcast.js';
import type { Call, OpEntry } from '../call.js';
import { concatenated, gatherAxis, range, select, sliced, splitAxis, transposed } from '../calls.js';
import { ALL, limits, NO_SCALAR, single } from '../row.js';
import { spaceOfDepth } from '../space_of_depth.js';
import { dimension, type Tensor } from '../tensor.js';
import { lowerPad } from './padding.js';

function lowerConcat(call: Call): Tensor {
  return concatenated(call.net, call.list('inputs'), call.attribute<number>('axis'));
}

function lowerReshape(call: Call): Tensor {
  const { net } = call;
  const [input, shape] = [call.input(), call.outputShape()];
  return spaceOfDepth(net, input, shape) ?? reshaped(net, input, shape);
}

function lowerExpand(call: Call): Tensor {
  const { net } = call;
  const shape = call.outputShape();
  const input = call.input();
  return shape.length === 0 ? reshaped(net, input, shape) : broadcastTo(net, input, shape);
}

/** One node per axis: the kernel only reverses neighbouring axes. */
function lowerReverse(call: Call): Tensor {
  const { net } = call;
  return call.attribute<readonly number[]>('axes').reduce((input, axis) => {
    const { type, shape, quantization } = input;
    return net.node('REVERSE_V2', [input, net.list([axis])], { type, shape, quantization });
  }, call.input());
}

const STRIDED_SLICE_RANK = 5;
const NO_MASKS = { begin_mask: 0, end_mask: 0, ellipsis_mask: 0, new_axis_mask: 0, shrink_axis_mask: 0 };

function lowerSlice(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const starts = call.attribute<readonly number[]>('starts');
  const sizes = call.attribute<readonly number[]>('sizes');
  const strides = call.attribute<readonly number[]>('strides');
  if (strides.every((stride) => stride === 1)) return sliced(net, input, starts, sizes);
  const shape = call.outputShape();
  if (shape.length <= STRIDED_SLICE_RANK) {
    const ends = starts.map((start, axis) => start + dimension(sizes, axis));
    const lists = [net.list(starts), net.list(ends), net.list(strides)];
    const { type, quantization } = input;
    return net.node('STRIDED_SLICE', [input, ...lists], { type, shape, quantization }, NO_MASKS);
  }
  return shape.reduce((tensor, size, axis) => {
    return gatherAxis(net, tensor, axis, range(dimension(starts, axis), size, dimension(strides, axis)));
  }, input);
}

function lowerSplit(call: Call): Tensor[] {
  const axis = call.attribute<number>('axis');
  const sizes = call.operator.outputs.map((_, index) => dimension(call.outputShape(index), axis));
  return splitAxis(call.net, call.input(), axis, sizes);
}

function lowerTile(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const repetitions = call.attribute<readonly number[]>('repetitions');
  if (repetitions.length === 0) return input;
  const { type, quantization } = input;
  return net.node('TILE', [input, net.list(repetitions)], { type, shape: call.outputShape(), quantization });
}

/** Elements on one side of a diagonal; the others become 0, whatever their values. */
function lowerTriangular(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const [height, width] = input.shape.slice(-2) as [number, number];
  const diagonal = call.attribute<number>('diagonal');
  const isUpper = call.attribute<boolean>('upper');
  const mask = new Uint8Array(height * width);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const distance = column - row;
      mask[row * width + column] = Number(isUpper ? distance >= diagonal : distance <= diagonal);
    }
  }
  const kept = net.constantOf('BOOL', [height, width], mask);
  return select(net, kept, input, net.scalar(input.type, 0));
}

const CONCAT: OpEntry = {
  op: 'concat',
  limits: { inputs: limits(ALL, NO_SCALAR), output: limits(ALL, NO_SCALAR) },
  builtins: 'CONCATENATION',
  lower: lowerConcat,
};

const SPLIT: OpEntry = {
  op: 'split',
  limits: { input: limits(ALL, NO_SCALAR), outputs: limits(ALL, NO_SCALAR) },
  builtins: 'SPLIT, SPLIT_V',
  lower: lowerSplit,
};

export const MOVEMENT: readonly OpEntry[] = [
  CONCAT,
  single('expand', ALL, 'BROADCAST_TO', lowerExpand),
  single('pad', ALL, 'PAD, PADV2; GATHER for the modes edge and reflection', lowerPad),
  single('reshape', ALL, 'RESHAPE; DEPTH_TO_SPACE, with the nodes before', lowerReshape),
  single('reverse', ALL, 'REVERSE_V2 for each axis', lowerReverse),
  single('slice', ALL, 'SLICE, STRIDED_SLICE; GATHER for ranks above 5', lowerSlice),
  SPLIT,
  single('tile', ALL, 'TILE', lowerTile),
  single('transpose', ALL, 'TRANSPOSE', (call) =>
    transposed(call.net, call.input(), call.attribute<readonly number[]>('permutation')),
  ),
  single('triangular', ALL, 'SELECT_V2', lowerTriangular, [2, 8]),
];
