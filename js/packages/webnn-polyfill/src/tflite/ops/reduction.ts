/** Reductions, argMin, argMax and cumulativeSum. */

import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { mergeDimensions, reshaped } from '../broadcast.js';
import { add, binary, cast, compare, mul, sub, unary, widened, XNNPACK_RANK } from '../calls.js';
import type { BuiltinName } from '../model.js';
import type { Net } from '../net.js';
import { ALL, type Call, FLOATS, limits, NO_SCALAR, type OpEntry, single } from '../op_entry.js';
import type { Tensor } from '../tensor.js';
import { absolute, inSignedOrder } from './elementwise.js';

type Reduce = (input: Tensor) => Tensor;

/** A builtin reduction over the operator's axes that keeps them; without axes, the identity. */
export function reducer(net: Net, builtin: BuiltinName, axes: readonly number[]): Reduce {
  return (input) => {
    if (axes.length === 0) return input;
    const shape = input.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const isHigh = input.shape.length > XNNPACK_RANK;
    const merged = isHigh ? mergeDimensions([shape], input.shape) : { shape: input.shape, shapes: [shape] };
    const to = merged.shapes[0] ?? shape;
    const isReduced = (size: number, axis: number) => (isHigh ? size !== to[axis] : axes.includes(axis));
    const over = merged.shape.flatMap((size, axis) => (isReduced(size, axis) ? [axis] : []));
    if (over.length === 0) return input;
    const operands = [reshaped(net, input, merged.shape), net.list(over)];
    return reshaped(net, net.node(builtin, operands, { type: input.type, shape: to }, { keep_dims: true }), shape);
  };
}

/** An entry: `lower` reduces axes to size 1, which are then kept or dropped. */
function reduction(
  op: string,
  dataTypes: readonly MLOperandDataType[],
  builtins: string,
  lower: (call: Call, input: Tensor, by: (builtin: BuiltinName) => Reduce) => Tensor,
): OpEntry {
  return single(op, dataTypes, builtins, (call) => {
    const { net } = call;
    const axes = call.attribute<readonly number[]>('axes');
    const result = lower(call, widened(net, call.input()), (builtin) => reducer(net, builtin, axes));
    return reshaped(net, cast(net, result, call.input().type), call.outputShape());
  });
}

function extremum(builtin: BuiltinName) {
  return (call: Call, input: Tensor, by: (builtin: BuiltinName) => Reduce): Tensor => {
    const dataType = call.dataType();
    return inSignedOrder(call.net, by(builtin)(inSignedOrder(call.net, input, dataType)), dataType);
  };
}

/** log(sum(exp(x - m))) + m with the largest finite x as m, which avoids overflow. */
function logSumExp({ net }: Call, input: Tensor, by: (builtin: BuiltinName) => Reduce): Tensor {
  const limit = 3.4028234663852886e38;
  const greatest = by('REDUCE_MAX')(input);
  const finite = binary(net, 'MINIMUM', binary(net, 'MAXIMUM', greatest, -limit), limit);
  const sum = by('SUM')(unary(net, 'EXP', sub(net, input, finite)));
  return add(net, unary(net, 'LOG', sum), finite);
}

const REDUCTIONS: readonly OpEntry[] = [
  reduction('reduceL1', ALL, 'ABS, SUM', (call, input, by) => {
    const isUnsigned = call.dataType().startsWith('uint');
    return by('SUM')(isUnsigned ? input : absolute(call.net, input));
  }),
  reduction('reduceL2', FLOATS, 'MUL, SUM, SQRT', ({ net }, input, by) =>
    unary(net, 'SQRT', by('SUM')(mul(net, input, input))),
  ),
  reduction('reduceLogSum', FLOATS, 'SUM, LOG', ({ net }, input, by) => unary(net, 'LOG', by('SUM')(input))),
  reduction('reduceLogSumExp', FLOATS, 'REDUCE_MAX, MAXIMUM, MINIMUM, SUB, EXP, SUM, LOG, ADD', logSumExp),
  reduction('reduceMax', ALL, 'REDUCE_MAX', extremum('REDUCE_MAX')),
  reduction('reduceMean', FLOATS, 'MEAN', (_, input, by) => by('MEAN')(input)),
  reduction('reduceMin', ALL, 'REDUCE_MIN', extremum('REDUCE_MIN')),
  reduction('reduceProduct', ALL, 'REDUCE_PROD', (_, input, by) => by('REDUCE_PROD')(input)),
  reduction('reduceSum', ALL, 'SUM', (_, input, by) => by('SUM')(input)),
  reduction('reduceSumSquare', ALL, 'MUL, SUM', ({ net }, input, by) => by('SUM')(mul(net, input, input))),
];

function lowerArg(builtin: 'ARG_MIN' | 'ARG_MAX') {
  return (call: Call): Tensor => {
    const { net } = call;
    const axis = call.attribute<number>('axis');
    const input = comparable(call, axis, builtin);
    const type = call.outputDataType() === 'int64' ? 'INT64' : 'INT32';
    const shape = input.shape.toSpliced(axis, 1);
    const options = { output_type: type };
    const result = net.node(
      isMask(call) ? 'ARG_MAX' : builtin,
      [input, net.scalar('INT32', axis)],
      { type, shape },
      options,
    );
    return reshaped(net, result, call.outputShape());
  };
}

/** 64-bit integers have no kernel: search a mask of their extremum instead. */
function isMask(call: Call): boolean {
  return call.input().type === 'INT64';
}

function comparable(call: Call, axis: number, builtin: 'ARG_MIN' | 'ARG_MAX'): Tensor {
  const { net } = call;
  const input = inSignedOrder(net, widened(net, call.input()), call.dataType());
  if (!isMask(call)) return input;
  const extremum = reducer(net, builtin === 'ARG_MAX' ? 'REDUCE_MAX' : 'REDUCE_MIN', [axis])(input);
  return cast(net, compare(net, 'EQUAL', input, extremum), 'INT32');
}

function arg(op: string, builtin: 'ARG_MIN' | 'ARG_MAX'): OpEntry {
  const limited = { input: limits(ALL, NO_SCALAR), output: limits(['int32', 'int64']) };
  return { op, limits: limited, builtins: builtin, lower: lowerArg(builtin) };
}

function lowerCumulativeSum(call: Call): Tensor {
  const { net } = call;
  const input = widened(net, call.input());
  const options = { exclusive: call.attribute<boolean>('exclusive'), reverse: call.attribute<boolean>('reversed') };
  const axis = net.scalar('INT32', call.attribute<number>('axis'));
  const sum = net.node('CUMSUM', [input, axis], { type: input.type, shape: input.shape }, options);
  return cast(net, sum, call.input().type);
}

export const REDUCTION: readonly OpEntry[] = [
  ...REDUCTIONS,
  arg('argMin', 'ARG_MIN'),
  arg('argMax', 'ARG_MAX'),
  single('cumulativeSum', ALL, 'CUMSUM', lowerCumulativeSum, NO_SCALAR),
];
