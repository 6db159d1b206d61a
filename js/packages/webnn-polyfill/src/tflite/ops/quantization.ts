/** Unfused quantizeLinear and dequantizeLinear: arithmetic on the integers. */

import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { broadcastTo, reshaped } from '../broadcast.js';
import { add, binary, cast, div, mul, sub, unary } from '../calls.js';
import type { Net } from '../net.js';
import { type Call, FLOATS, limits, NARROW_INTEGERS, NIBBLES, type OpEntry } from '../op_entry.js';
import { ofRank } from '../quantization/parameters.js';
import { dimension, isConstant, numbersOf, type Tensor } from '../tensor.js';
import { INTEGER_RANGES } from './activation.js';

const QUANTIZED: readonly MLOperandDataType[] = [...NARROW_INTEGERS, ...NIBBLES, 'int32'];

/** Scales or zero points, perhaps of blocks, in a shape that broadcasts to the input's. */
function spread(net: Net, provided: Tensor, shape: readonly number[]): Tensor {
  const parameters = reshaped(net, provided, ofRank(provided.shape, shape.length));
  const isBlockwise = parameters.shape.some((size, axis) => size !== 1 && size !== dimension(shape, axis));
  if (!isBlockwise) return parameters;
  const sizes = parameters.shape.map((size, axis) => (size === 1 ? 1 : dimension(shape, axis)));
  return parameters.shape.reduce((tensor, size, axis) => {
    const expected = dimension(sizes, axis);
    if (size === expected) return tensor;
    const [before, after] = [tensor.shape.slice(0, axis), tensor.shape.slice(axis + 1)];
    const outer = before.reduce((product, count) => product * count, 1);
    const inner = after.reduce((product, count) => product * count, 1);
    const repeated = broadcastTo(net, reshaped(net, tensor, [outer * size, 1, inner]), [
      outer * size,
      expected / size,
      inner,
    ]);
    return reshaped(net, repeated, tensor.shape.with(axis, expected));
  }, parameters);
}

function lowerDequantize(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const [scale, zeroPoint] = ['scale', 'zeroPoint'].map((name) => spread(net, call.input(name), input.shape)) as [
    Tensor,
    Tensor,
  ];
  const centered =
    input.type === 'INT32'
      ? cast(net, wideDifference(net, input, zeroPoint), 'FLOAT32')
      : sub(net, cast(net, input, 'FLOAT32'), cast(net, zeroPoint, 'FLOAT32'));
  return mul(net, centered, scale);
}

/** The difference of two int32, for which neither int32 nor float32 has enough bits. */
function wideDifference(net: Net, input: Tensor, zeroPoint: Tensor): Tensor {
  if (isConstant(zeroPoint) && numbersOf(zeroPoint).every((value) => value === 0)) return input;
  return sub(net, cast(net, input, 'INT64'), cast(net, zeroPoint, 'INT64'));
}

function lowerQuantize(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const dataType = call.outputDataType();
  const [scale, zeroPoint] = ['scale', 'zeroPoint'].map((name) => spread(net, call.input(name), input.shape)) as [
    Tensor,
    Tensor,
  ];
  const [lowest, highest] = (INTEGER_RANGES[dataType] ?? [0n, 0n]).map(Number) as [number, number];
  const steps = unary(net, 'ROUND', div(net, input, scale));
  // float32 has neither the largest int32 nor all sums with zero points.
  const isWide = dataType === 'int32';
  const exact = isWide ? cast(net, clamped(net, steps, -BEYOND_INT32, BEYOND_INT32), 'INT64') : steps;
  const moved = add(net, exact, cast(net, zeroPoint, exact.type));
  return cast(net, clamped(net, moved, lowest, highest), zeroPoint.type);
}

/** A float32 that is outside of int32 plus any zero point. */
const BEYOND_INT32 = 2 ** 33;

function clamped(net: Net, input: Tensor, lowest: number, highest: number): Tensor {
  return binary(net, 'MINIMUM', binary(net, 'MAXIMUM', input, lowest), highest);
}

const PARAMETERS = { scale: limits(FLOATS), zeroPoint: limits(QUANTIZED) };

export const QUANTIZATION: readonly OpEntry[] = [
  {
    op: 'dequantizeLinear',
    limits: { input: limits(QUANTIZED), ...PARAMETERS, output: limits(FLOATS) },
    builtins: 'DEQUANTIZE; CAST, SUB, MUL where the parameters are not constant',
    lower: lowerDequantize,
  },
  {
    op: 'quantizeLinear',
    limits: { input: limits(FLOATS), ...PARAMETERS, output: limits(QUANTIZED) },
    builtins: 'QUANTIZE; DIV, ROUND, ADD, MAXIMUM, MINIMUM, CAST where the parameters are not constant',
    lower: lowerQuantize,
  },
];
