/**
 * Gathering and scattering. Negative indices count from the end, and all are clamped to the range:
 * TensorFlow Lite's kernels fail on others.
 */

import { elementCount } from '../../data_types.js';
import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { elementwise, reshaped } from '../broadcast.js';
import { add, binary, cast, compare, mul, select } from '../calls.js';
import { stridesOf } from '../folding.js';
import type { Net } from '../net.js';
import { ALL, type Call, INDICES, limits, NO_SCALAR, type OpEntry } from '../op_entry.js';
import { type ConstantTensor, dimension, isConstant, numbersOf, type Tensor } from '../tensor.js';

/** Indices as int32 in [0, size); `sizes` is one for all, or one for each index of the last axis. */
function effectiveIndices(call: Call, sizes: readonly number[]): Tensor {
  const { net } = call;
  const indices = call.input('indices');
  const dataType = call.dataType('indices');
  if (isConstant(indices)) return constantIndices(net, indices, dataType, sizes);
  const { type } = indices;
  const limit = (map: (size: number) => number) =>
    sizes.length === 1 ? net.scalar(type, map(sizes[0] ?? 1)) : net.constant(type, [sizes.length], sizes.map(map));
  if (dataType === 'uint32') {
    // A value that looks negative is above any index.
    const last = limit((size) => size - 1);
    return binary(net, 'MINIMUM', select(net, compare(net, 'LESS', indices, 0), last, indices), last);
  }
  const atLeast = binary(
    net,
    'MAXIMUM',
    indices,
    limit((size) => -size),
  );
  const clamped = binary(
    net,
    'MINIMUM',
    atLeast,
    limit((size) => size - 1),
  );
  return cast(net, elementwise(net, 'FLOOR_MOD', [clamped, limit((size) => size)], type), 'INT32');
}

function constantIndices(
  net: Net,
  indices: ConstantTensor,
  dataType: MLOperandDataType,
  sizes: readonly number[],
): Tensor {
  const effective = numbersOf(indices).map((index, position) => {
    const size = sizes[position % sizes.length] ?? 1;
    const unsigned = dataType === 'uint32' && index < 0 ? size : index;
    return Math.min(Math.max(unsigned < 0 ? unsigned + size : unsigned, 0), size - 1);
  });
  return net.constant('INT32', indices.shape, effective);
}

function lowerGather(call: Call): Tensor {
  const axis = call.attribute<number>('axis');
  const input = call.input();
  const indices = effectiveIndices(call, [dimension(input.shape, axis)]);
  const { type, quantization } = input;
  return call.net.node('GATHER', [input, indices], { type, shape: call.outputShape(), quantization }, { axis });
}

/** Positions in the flattened input of `indices`, of any shape, along one axis. */
function flatIndices(call: Call, axis: number): Tensor {
  const { net } = call;
  const { shape } = call.input();
  const indexShape = call.input('indices').shape;
  const strides = stridesOf(shape);
  const along = mul(net, effectiveIndices(call, [dimension(shape, axis)]), dimension(strides, axis));
  return indexShape.reduce((sum, size, other) => {
    if (other === axis || size === 1) return sum;
    const offsets = Array.from({ length: size }, (_, index) => index * dimension(strides, other));
    const trailing = new Array<number>(indexShape.length - 1 - other).fill(1);
    return add(net, sum, net.constant('INT32', [size, ...trailing], offsets));
  }, along);
}

function lowerGatherElements(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const indices = flatIndices(call, call.attribute<number>('axis'));
  const flat = reshaped(net, input, [elementCount(input.shape)]);
  return net.node('GATHER', [flat, indices], { type: input.type, shape: call.outputShape() }, { axis: 0 });
}

/** Indices of gatherND and scatterND: each row of the last axis selects an element or a slice. */
function coordinates(call: Call): Tensor {
  const depth = call.input('indices').shape.at(-1) ?? 1;
  return effectiveIndices(call, call.input().shape.slice(0, depth));
}

function lowerGatherNd(call: Call): Tensor {
  const input = call.input();
  return call.net.node('GATHER_ND', [input, coordinates(call)], { type: input.type, shape: call.outputShape() });
}

/** Replaces the selected elements by updates. SCATTER_ND scatters into zeros, so a mask is scattered, too. */
function scattered(net: Net, input: Tensor, indices: Tensor, updates: Tensor): Tensor {
  const shape = net.list(input.shape);
  const output = { type: input.type, shape: input.shape };
  const values = net.node('SCATTER_ND', [indices, updates, shape], output);
  const ones = net.filled('INT32', updates.shape, 1);
  const counts = net.node('SCATTER_ND', [indices, ones, shape], { type: 'INT32', shape: input.shape });
  return select(net, compare(net, 'GREATER', counts, 0), values, input);
}

function lowerScatterNd(call: Call): Tensor {
  return scattered(call.net, call.input(), coordinates(call), call.input('updates'));
}

function lowerScatterElements(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const indices = flatIndices(call, call.attribute<number>('axis'));
  const count = elementCount(indices.shape);
  const flat = reshaped(net, input, [elementCount(input.shape)]);
  const updates = reshaped(net, call.input('updates'), [count]);
  return reshaped(net, scattered(net, flat, reshaped(net, indices, [count, 1]), updates), input.shape);
}

function gather(op: string, builtins: string, lower: OpEntry['lower']): OpEntry {
  const indices = limits(INDICES, op === 'gather' ? undefined : NO_SCALAR);
  return { op, limits: { input: limits(ALL, NO_SCALAR), indices, output: limits(ALL) }, builtins, lower };
}

function scatter(op: string, builtins: string, lower: OpEntry['lower']): OpEntry {
  const moved = limits(ALL, NO_SCALAR);
  const indices = limits(INDICES, NO_SCALAR);
  return { op, limits: { input: moved, indices, updates: limits(ALL), output: moved }, builtins, lower };
}

export const INDEXING: readonly OpEntry[] = [
  gather('gather', 'GATHER; MAXIMUM, MINIMUM, FLOOR_MOD where indices are not constant', lowerGather),
  gather('gatherElements', 'MUL, ADD, RESHAPE, GATHER', lowerGatherElements),
  gather('gatherND', 'GATHER_ND', lowerGatherNd),
  scatter('scatterElements', 'MUL, ADD, SCATTER_ND, GREATER, SELECT_V2', lowerScatterElements),
  scatter('scatterND', 'SCATTER_ND, GREATER, SELECT_V2', lowerScatterNd),
];
