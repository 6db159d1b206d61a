/** Operators that only move elements. */

import { sameShape } from '../../data_types.js';
import { broadcastTo, reshaped } from '../broadcast.js';
import {
  cast,
  concatenated,
  gatherAxis,
  padded,
  range,
  select,
  sliced,
  splitAxis,
  transposed,
  widened,
} from '../calls.js';
import type { Net } from '../net.js';
import { ALL, type Call, limits, NO_SCALAR, type OpEntry, single } from '../op_entry.js';
import { dimension, isConstant, numbersOf, type Tensor } from '../tensor.js';

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

type Mode = 'constant' | 'edge' | 'reflection';

function lowerPad(call: Call): Tensor {
  const before = call.attribute<readonly number[]>('beginningPadding');
  const after = call.attribute<readonly number[]>('endingPadding');
  const mode = call.attribute<Mode>('mode');
  if (mode === 'constant') return withConstant(call, before, after);
  return before.reduce((input, count, axis) => {
    const size = dimension(input.shape, axis);
    if (count === 0 && after[axis] === 0) return input;
    const positions = range(-count, count + size + dimension(after, axis));
    return gatherAxis(
      call.net,
      input,
      axis,
      positions.map((position) => within(position, size, mode)),
    );
  }, call.input());
}

/** Index of the input's element for a position in the padding. */
function within(position: number, size: number, mode: Mode): number {
  if (mode === 'edge') return Math.min(Math.max(position, 0), size - 1);
  const last = size - 1;
  return last - Math.abs(last - Math.abs(position));
}

function withConstant(call: Call, before: readonly number[], after: readonly number[]): Tensor {
  const { net } = call;
  const input = widened(net, call.input());
  const value = call.attribute<number | bigint>('value');
  const isReal = input.type === 'FLOAT32' || input.quantization !== undefined;
  const element = isReal ? Number(value) : BigInt(typeof value === 'bigint' ? value : Math.trunc(value));
  const isZero = typeof element === 'bigint' && element === 0n;
  return cast(net, padded(net, input, before, after, isZero ? 0 : element), call.input().type);
}

/** [h, w, block, block * c] to [h, block, w, block * c] */
const PERMUTATION = [0, 2, 1, 3];

/**
 * DEPTH_TO_SPACE, which WebNN expresses as reshape, transpose and reshape: the transposed tensor in the shape
 * [1, h * block, w * block, c], if it matches. As one node it is faster, and XNNPACK still skips products with zero in the
 * convolutions around it.
 */
function spaceOfDepth(net: Net, transposed: Tensor, shape: readonly number[]): Tensor | null {
  const image = imageOf(net, transposed);
  if (image === null || shape.length !== 4) return null;
  const [batch = 0, height = 0, width = 0, depth = 0] = image.shape;
  const block = (shape[1] ?? 0) / height;
  const isBlock = block > 1 && sameShape(transposed.shape, [height, block, width, depth / block]);
  const isSpace = batch === 1 && sameShape(shape, [1, height * block, width * block, depth / block ** 2]);
  if (!isBlock || !isSpace) return null;
  return net.node('DEPTH_TO_SPACE', [image], { type: image.type, shape }, { block_size: block });
}

/** The tensor before the reshape and transpose. */
function imageOf(net: Net, transposed: Tensor): Tensor | null {
  const transpose = net.producer(transposed);
  const [source, order] = transpose?.op === 'TRANSPOSE' ? transpose.inputs : [];
  if (source === undefined || order === undefined || !isConstant(order)) return null;
  const reshape = net.producer(source);
  const image = reshape?.op === 'RESHAPE' ? reshape.inputs[0] : undefined;
  const isFloat = image?.type === 'FLOAT32' && image.shape.length === 4;
  return isFloat && sameShape([...numbersOf(order)], PERMUTATION) ? image : null;
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
