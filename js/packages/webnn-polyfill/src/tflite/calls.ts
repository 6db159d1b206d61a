/** Building blocks of lowerings. Moving the elements of a constant adds no node. */

import { elementCount, sameShape } from '../data_types.js';
import { elementwise, reshaped } from './broadcast.js';
import { constantMap, constantSlice, constantTranspose } from './folding.js';
import type { BuiltinName, TensorType } from './model.js';
import type { Net } from './net.js';
import { bytesOf, dimension, isConstant, type Tensor } from './tensor.js';

/** TensorFlow Lite's maximum rank for TRANSPOSE. */
const TRANSPOSE_RANK = 6;

/** A node with one input; the output has its type and shape. */
export function unary(net: Net, op: BuiltinName, input: Tensor, options = {}): Tensor {
  return net.node(op, [input], { type: input.type, shape: input.shape }, options);
}

/** A node with two inputs of the same type, one of which may be a number. */
export function binary(net: Net, op: BuiltinName, a: Tensor | number, b: Tensor | number): Tensor {
  const type = typeof a !== 'number' ? a.type : typeof b !== 'number' ? b.type : 'FLOAT32';
  const operands = [a, b].map((operand) => (typeof operand === 'number' ? net.scalar(type, operand) : operand));
  return elementwise(net, op, operands, type);
}

export const add = (net: Net, a: Tensor | number, b: Tensor | number): Tensor => binary(net, 'ADD', a, b);
export const sub = (net: Net, a: Tensor | number, b: Tensor | number): Tensor => binary(net, 'SUB', a, b);
export const mul = (net: Net, a: Tensor | number, b: Tensor | number): Tensor => binary(net, 'MUL', a, b);
export const div = (net: Net, a: Tensor | number, b: Tensor | number): Tensor => binary(net, 'DIV', a, b);

/** A comparison: BOOL. */
export function compare(net: Net, op: BuiltinName, a: Tensor, b: Tensor | number | bigint): Tensor {
  const other = typeof b === 'object' ? b : net.scalar(a.type, b);
  return elementwise(net, op, [a, other], 'BOOL');
}

/** Elements of `yes` if the condition holds, else of `no`. */
export function select(net: Net, condition: Tensor, yes: Tensor, no: Tensor): Tensor {
  return elementwise(net, 'SELECT_V2', [condition, yes, no], yes.type);
}

/** Types whose constants are converted to floats while the model is created: doubles represent all their numbers. */
const FOLDED: readonly TensorType[] = ['INT8', 'UINT8', 'INT32'];

export function cast(net: Net, input: Tensor, type: TensorType): Tensor {
  if (input.type === type) return input;
  if (isConstant(input) && FOLDED.includes(input.type) && type === 'FLOAT32') {
    return constantMap(net, input, type, (value) => value);
  }
  const options = { in_data_type: input.type, out_data_type: type };
  return net.node('CAST', [input], { type, shape: input.shape }, options);
}

/** The same bits as another type of the same size. */
export function bitcast(net: Net, input: Tensor, type: TensorType): Tensor {
  if (input.type === type) return input;
  return net.node('BITCAST', [input], { type, shape: input.shape });
}

/** The input with its axes in another order. */
export function transposed(net: Net, input: Tensor, permutation: readonly number[]): Tensor {
  if (permutation.every((from, to) => from === to)) return input;
  if (isConstant(input)) return constantTranspose(net, input, permutation);
  const before = net.producer(input);
  const source = before?.inputs[0];
  if (before?.op === 'TRANSPOSE' && source !== undefined && isInverse(net, before.inputs[1], permutation))
    return source;
  const shape = permutation.map((axis) => dimension(input.shape, axis));
  const { type, quantization } = input;
  if (shape.length <= TRANSPOSE_RANK) {
    return net.node('TRANSPOSE', [input, net.list(permutation)], { type, shape, quantization });
  }
  const runs = runsOf(permutation, input.shape);
  const order = [...runs].sort((a, b) => a.first - b.first);
  const merged = reshaped(
    net,
    input,
    order.map((run) => run.size),
  );
  const moved = runs.map((run) => order.indexOf(run));
  const transpose = moved.length > TRANSPOSE_RANK ? transposedInSteps : transposed;
  return reshaped(net, transpose(net, merged, moved), shape);
}

/** Brings the first axis in front of its next one, where both are one run, and then transposes fewer runs. */
function transposedInSteps(net: Net, input: Tensor, permutation: readonly number[]): Tensor {
  const [first = 0, second = 0] = permutation;
  const others = range(0, permutation.length).filter((axis) => axis !== first);
  const order = others.toSpliced(others.indexOf(second), 0, first);
  return transposed(
    net,
    transposed(net, input, order),
    permutation.map((axis) => order.indexOf(axis)),
  );
}

function isInverse(net: Net, list: Tensor | undefined, permutation: readonly number[]): boolean {
  const inverse = inversePermutation(permutation);
  return list === net.list(inverse);
}

/** Merges axes that remain neighbours; drops those of size 1. */
function runsOf(permutation: readonly number[], shape: readonly number[]): { first: number; size: number }[] {
  const kept = shape.flatMap((size, axis) => (size === 1 ? [] : [axis]));
  const runs: { first: number; size: number }[] = [];
  let last = Number.NaN;
  for (const axis of permutation) {
    const index = kept.indexOf(axis);
    if (index < 0) continue;
    const run = runs.at(-1);
    if (run !== undefined && index === last + 1) run.size *= dimension(shape, axis);
    else runs.push({ first: axis, size: dimension(shape, axis) });
    last = index;
  }
  return runs;
}

export function inversePermutation(permutation: readonly number[]): number[] {
  return permutation.map((_, axis) => permutation.indexOf(axis));
}

/** Gathers constant indices along one axis of a tensor: any rank, any type. */
export function gatherAxis(net: Net, input: Tensor, axis: number, indices: readonly number[]): Tensor {
  const shape = input.shape.with(axis, indices.length);
  const { type, quantization } = input;
  return net.node('GATHER', [input, net.list(indices)], { type, shape, quantization }, { axis });
}

/** TensorFlow Lite's maximum rank for SLICE. */
const SLICE_RANK = 5;

/** A box of a tensor. */
export function sliced(net: Net, input: Tensor, starts: readonly number[], sizes: readonly number[]): Tensor {
  if (sameShape(input.shape, sizes)) return input;
  const { type, quantization } = input;
  if (isConstant(input) && sameShape(input.shape.slice(1), sizes.slice(1))) {
    return constantSlice(net, input, starts[0] ?? 0, sizes[0] ?? 0);
  }
  if (sizes.length <= SLICE_RANK) {
    return net.node('SLICE', [input, net.list(starts), net.list(sizes)], { type, shape: sizes, quantization });
  }
  return sizes.reduce((tensor, size, axis) => {
    const start = dimension(starts, axis);
    return size === dimension(tensor.shape, axis) ? tensor : gatherAxis(net, tensor, axis, range(start, size));
  }, input);
}

/** The slice [start, start + size) of one axis. */
export function slicedAxis(net: Net, input: Tensor, axis: number, start: number, size: number): Tensor {
  const starts = new Array<number>(input.shape.length).fill(0).with(axis, start);
  return sliced(net, input, starts, input.shape.with(axis, size));
}

/** `count` integers from `start` on. */
export function range(start: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, index) => start + index * step);
}

export function concatenated(net: Net, inputs: readonly Tensor[], axis: number): Tensor {
  const [first] = inputs as readonly [Tensor, ...Tensor[]];
  if (inputs.length === 1) return first;
  const size = inputs.reduce((sum, { shape }) => sum + dimension(shape, axis), 0);
  const shape = first.shape.with(axis, size);
  const parts = inputs.map((input) => aroundAxis(net, input, axis));
  const [flat, flatAxis] = flatAround(shape, axis);
  const result = net.node(
    'CONCATENATION',
    parts,
    { type: first.type, shape: flat, quantization: first.quantization },
    { axis: flatAxis },
  );
  return reshaped(net, result, shape);
}

/** Parts of those sizes along an axis. */
export function splitAxis(net: Net, input: Tensor, axis: number, sizes: readonly number[]): Tensor[] {
  const part = aroundAxis(net, input, axis);
  const [, flatAxis] = flatAround(input.shape, axis);
  const { type, quantization } = input;
  const specs = sizes.map((size) => ({ type, shape: part.shape.with(flatAxis, size), quantization }));
  const options = { num_splits: sizes.length };
  const isEven = sizes.every((size) => size === sizes[0]);
  const results = isEven
    ? net.nodeOf('SPLIT', [net.scalar('INT32', flatAxis), part], specs, options)
    : net.nodeOf('SPLIT_V', [part, net.list(sizes), net.scalar('INT32', flatAxis)], specs, options);
  return results.map((result, index) => reshaped(net, result, input.shape.with(axis, sizes[index] ?? 1)));
}

/** XNNPACK's maximum rank; it accepts nodes of higher ranks and then fails. */
export const XNNPACK_RANK = 6;

/** A shape with the index of one axis; if the rank is too high, the axes before and behind it are merged. */
function flatAround(shape: readonly number[], axis: number): [shape: number[], axis: number] {
  if (shape.length <= XNNPACK_RANK) return [[...shape], axis];
  return [[elementCount(shape.slice(0, axis)), dimension(shape, axis), elementCount(shape.slice(axis + 1))], 1];
}

function aroundAxis(net: Net, input: Tensor, axis: number): Tensor {
  return reshaped(net, input, flatAround(input.shape, axis)[0]);
}

/** Integers that kernels compute with: those for int8 and uint8 accept only quantized numbers. */
export function widened(net: Net, input: Tensor): Tensor {
  const isNarrow = input.type === 'INT8' || input.type === 'UINT8';
  return isNarrow && input.quantization === undefined ? cast(net, input, 'INT32') : input;
}

/** TensorFlow Lite's maximum rank for PAD. */
const PAD_RANK = 4;

/** The input padded with a value, a real number if the input is quantized. */
export function padded(
  net: Net,
  input: Tensor,
  before: readonly number[],
  after: readonly number[],
  value: number | bigint = 0,
): Tensor {
  const shape = input.shape.map((size, axis) => size + dimension(before, axis) + dimension(after, axis));
  if (sameShape(shape, input.shape)) return input;
  const runs = paddedRuns(input.shape, before, after);
  if (input.shape.length > PAD_RANK && runs.length <= PAD_RANK) {
    const merged = reshaped(
      net,
      input,
      runs.map((run) => run.size),
    );
    const [starts, ends] = [runs.map((run) => run.before), runs.map((run) => run.after)];
    return reshaped(net, padded(net, merged, starts, ends, value), shape);
  }
  if (input.shape.length > PAD_RANK) {
    return input.shape.reduce<Tensor>((tensor, _, axis) => {
      const only = (counts: readonly number[]) => counts.map((count, other) => (other === axis ? count : 0));
      return padded(net, tensor, only(before), only(after), value);
    }, input);
  }
  const counts = net.constant(
    'INT32',
    [shape.length, 2],
    before.flatMap((count, axis) => [count, dimension(after, axis)]),
  );
  const output = { type: input.type, shape, quantization: input.quantization };
  if (value === 0) return net.node('PAD', [input, counts], output);
  return net.node('PADV2', [input, counts, scalarLike(net, input, value)], output);
}

/** A number in a tensor's type; a real number in its quantization, if it has one. */
function scalarLike(net: Net, { type, quantization }: Tensor, value: number | bigint): Tensor {
  if (quantization === undefined) return net.scalar(type, value);
  const [[scale = 1], [zeroPoint = 0]] = [quantization.scales, quantization.zeroPoints];
  const [low, high] = type === 'INT8' ? [-128, 127] : [0, 255];
  const integer = Math.min(Math.max(Math.round(Number(value) / scale) + zeroPoint, low), high);
  return net.constantOf(type, [], bytesOf(type, [integer]), quantization);
}

/** Merges neighbouring axes of which only the first is padded: padding one index of it pads all behind it. */
function paddedRuns(shape: readonly number[], before: readonly number[], after: readonly number[]) {
  const runs: { size: number; before: number; after: number }[] = [];
  shape.forEach((size, axis) => {
    const [start, end] = [dimension(before, axis), dimension(after, axis)];
    const run = runs.at(-1);
    if (run !== undefined && start === 0 && end === 0) {
      run.size *= size;
      run.before *= size;
      run.after *= size;
    } else {
      runs.push({ size, before: start, after: end });
    }
  });
  return runs;
}
