/** Elementwise operators of one operand, and cast. */

import type { Call, OpEntry } from '../call.js';
import { add, binary, cast, compare, div, mul, sub, unary, widened } from '../calls.js';
import type { Net } from '../net.js';
import { ALL, FLOATS, SIGNED, single } from '../row.js';
import type { BuiltinName } from '../schema.js';
import type { Tensor } from '../tensor.js';
import { lowerCastToNew } from './cast.js';

function lowerBuiltin(builtin: BuiltinName) {
  return (call: Call): Tensor => unary(call.net, builtin, call.input());
}

function lowerAbs(call: Call): Tensor {
  const { net } = call;
  const input = widened(net, call.input());
  const result =
    input.type === 'INT64' ? binary(net, 'MAXIMUM', input, unary(net, 'NEG', input)) : unary(net, 'ABS', input);
  return cast(net, result, call.input().type);
}

function lowerSign(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  if (input.type !== 'INT64') return cast(net, unary(net, 'SIGN', widened(net, input)), input.type);
  const isPositive = cast(net, compare(net, 'GREATER', input, 0), 'INT64');
  return sub(net, isPositive, cast(net, compare(net, 'LESS', input, 0), 'INT64'));
}

/**
 * Eigen's rational approximation of erf for float32: x * P(x^2) / Q(x^2), with x clamped to [-4, 4].
 * Coefficients of the highest power come first.
 */
const ERF_NUMERATOR = [
  -2.72614225801306e-10, 2.77068142495902e-8, -2.10102402082508e-6, -5.69250639462346e-5, -7.34990630326855e-4,
  -2.9545998085403e-3, -1.60960333262415e-2,
];
const ERF_DENOMINATOR = [
  -1.45660718464996e-5, -2.13374055278905e-4, -1.68282697438203e-3, -7.37332916720468e-3, -1.42647390514189e-2,
];
const ERF_BOUND = 4;

function erf(net: Net, input: Tensor): Tensor {
  const x = binary(net, 'MINIMUM', binary(net, 'MAXIMUM', input, -ERF_BOUND), ERF_BOUND);
  const square = mul(net, x, x);
  const numerator = polynomial(net, square, ERF_NUMERATOR);
  return div(net, mul(net, x, numerator), polynomial(net, square, ERF_DENOMINATOR));
}

function polynomial(net: Net, x: Tensor, [highest, ...others]: readonly number[]): Tensor {
  const [first, ...rest] = others as [number, ...number[]];
  const start = add(net, mul(net, x, highest ?? 0), first);
  return rest.reduce<Tensor>((sum, coefficient) => add(net, mul(net, sum, x), coefficient), start);
}

function float(op: string, builtin: BuiltinName): OpEntry {
  return single(op, FLOATS, builtin, lowerBuiltin(builtin));
}

/** A copy. RESHAPE has a kernel for every type, which computes nothing. */
function lowerIdentity(call: Call): Tensor {
  const { type, shape, quantization } = call.input();
  return call.net.node('RESHAPE', [call.input(), call.net.list(shape)], { type, shape, quantization });
}

export const ELEMENTWISE: readonly OpEntry[] = [
  single('abs', SIGNED, 'ABS; NEG, MAXIMUM for int64', lowerAbs),
  single('cast', ALL, 'CAST; BITCAST for uint32', lowerCastToNew),
  float('ceil', 'CEIL'),
  float('cos', 'COS'),
  single('erf', FLOATS, 'MUL, ADD, DIV', (call) => erf(call.net, call.input())),
  float('exp', 'EXP'),
  float('floor', 'FLOOR'),
  single('identity', ALL, 'RESHAPE', lowerIdentity),
  float('log', 'LOG'),
  single('neg', SIGNED, 'NEG', lowerBuiltin('NEG')),
  single('reciprocal', FLOATS, 'DIV', (call) => div(call.net, 1, call.input())),
  float('roundEven', 'ROUND'),
  single('sign', SIGNED, 'SIGN; GREATER, LESS, SUB for int64', lowerSign),
  float('sin', 'SIN'),
  float('sqrt', 'SQRT'),
  single('tan', FLOATS, 'SIN, COS, DIV', (call) =>
    div(call.net, unary(call.net, 'SIN', call.input()), unary(call.net, 'COS', call.input())),
  ),
];
