/** Elementwise operators of one or two operands, and cast. Integers wrap around, as in browsers' engines. */

import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { ERF } from '../../operators/formulas.js';
import { elementwise } from '../broadcast.js';
import { add, binary, bitcast, cast, compare, div, mul, select, sub, unary, widened } from '../calls.js';
import { HELD_TYPES } from '../held_types.js';
import type { BuiltinName } from '../model.js';
import type { Net } from '../net.js';
import { ALL, type Call, FLOATS, type OpEntry, pair, SIGNED, single } from '../op_entry.js';
import { isConstant, numbersOf, type Tensor } from '../tensor.js';

function lowerBuiltin(builtin: BuiltinName) {
  return (call: Call): Tensor => unary(call.net, builtin, call.input());
}

/** The kernel has no 64-bit integers. */
export function absolute(net: Net, input: Tensor): Tensor {
  return input.type === 'INT64' ? binary(net, 'MAXIMUM', input, unary(net, 'NEG', input)) : unary(net, 'ABS', input);
}

function lowerAbs(call: Call): Tensor {
  return cast(call.net, absolute(call.net, widened(call.net, call.input())), call.input().type);
}

function lowerSign(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  if (input.type !== 'INT64') return cast(net, unary(net, 'SIGN', widened(net, input)), input.type);
  const isPositive = cast(net, compare(net, 'GREATER', input, 0), 'INT64');
  return sub(net, isPositive, cast(net, compare(net, 'LESS', input, 0), 'INT64'));
}

function erf(net: Net, input: Tensor): Tensor {
  const x = binary(net, 'MINIMUM', binary(net, 'MAXIMUM', input, -ERF.bound), ERF.bound);
  const square = mul(net, x, x);
  const numerator = polynomial(net, square, ERF.numerator);
  return div(net, mul(net, x, numerator), polynomial(net, square, ERF.denominator));
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

const TWO_TO_63 = 2 ** 63;
const LOWEST_INT64 = -(2n ** 63n);

function converted(call: Call): Tensor {
  const { net } = call;
  const from = call.dataType();
  const to = call.outputDataType();
  const wide = from === 'uint32' ? cast(net, bitcast(net, call.input(), 'UINT32'), 'INT64') : call.input();
  if (to === 'float16' && from !== 'float16') return rounded(net, toFloat(net, wide, from));
  if (to === 'float16' || to === 'float32') return toFloat(net, wide, from);
  if (wide.type === 'FLOAT32') return fromFloat(net, wide, to);
  return cast(net, wide, HELD_TYPES[to]);
}

/** Numbers rounded to half precision, in float32. */
function rounded(net: Net, input: Tensor): Tensor {
  return cast(net, cast(net, input, 'FLOAT16'), 'FLOAT32');
}

function toFloat(net: Net, input: Tensor, from: MLOperandDataType): Tensor {
  const float = cast(net, input, 'FLOAT32');
  if (from !== 'uint64') return float;
  // Stored as a signed integer, a number from 2^63 on appears as less by 2^64.
  return select(net, compare(net, 'LESS', input, 0), add(net, float, 2 * TWO_TO_63), float);
}

function fromFloat(net: Net, input: Tensor, to: MLOperandDataType): Tensor {
  if (to === 'uint32') return cast(net, cast(net, input, 'INT64'), 'INT32');
  if (to !== 'uint64') return cast(net, input, HELD_TYPES[to]);
  const isLarge = compare(net, 'GREATER_EQUAL', input, TWO_TO_63);
  const low = cast(net, select(net, isLarge, add(net, input, -TWO_TO_63), input), 'INT64');
  const high = binary(net, 'ADD', low, net.scalar('INT64', LOWEST_INT64));
  return select(net, isLarge, high, low);
}

/** Always creates a new tensor, even if there is nothing to convert. */
function lowerCast(call: Call): Tensor {
  const result = converted(call);
  if (result !== call.input()) return result;
  const { type, shape } = result;
  return call.net.node('RESHAPE', [result, call.net.list(shape)], { type, shape });
}

const LOWEST = { INT32: -(2n ** 31n), INT64: -(2n ** 63n) } as const;

/** Shifts unsigned numbers, stored as signed ones, to signed order; a second call shifts them back. */
export function inSignedOrder(net: Net, input: Tensor, dataType: MLOperandDataType): Tensor {
  if (dataType !== 'uint32' && dataType !== 'uint64') return input;
  const lowest = dataType === 'uint32' ? LOWEST.INT32 : LOWEST.INT64;
  return binary(net, 'ADD', input, net.scalar(input.type, lowest));
}

/** An operand for comparisons: widened, and in signed order. */
export function ordered(call: Call, name: 'a' | 'b'): Tensor {
  return inSignedOrder(call.net, widened(call.net, call.input(name)), call.dataType('a'));
}

function lowerWrapping(builtin: BuiltinName) {
  return (call: Call): Tensor => {
    const { net } = call;
    const a = call.input('a');
    return cast(net, binary(net, builtin, widened(net, a), widened(net, call.input('b'))), a.type);
  };
}

function lowerExtremum(builtin: BuiltinName) {
  return (call: Call): Tensor => {
    const { net } = call;
    const result = binary(net, builtin, ordered(call, 'a'), ordered(call, 'b'));
    return cast(net, inSignedOrder(net, result, call.dataType('a')), call.input('a').type);
  };
}

function lowerDiv(call: Call): Tensor {
  const { net } = call;
  const a = call.input('a');
  const b = call.input('b');
  if (a.type === 'FLOAT32') return binary(net, 'DIV', a, b);
  return cast(net, dividedIntegers(net, widened(net, a), widened(net, b)), a.type);
}

/**
 * WebAssembly traps if a divisor is 0, and if the lowest integer is divided by -1. Divisors
 * of 0 become 1; those of -1 negate, which wraps around.
 */
function dividedIntegers(net: Net, a: Tensor, b: Tensor): Tensor {
  if (isConstant(b) && numbersOf(b).every((divisor) => divisor !== 0 && divisor !== -1))
    return binary(net, 'DIV', a, b);
  const isMinusOne = compare(net, 'EQUAL', b, -1);
  const one = net.scalar(b.type, 1);
  const sign = select(net, isMinusOne, net.scalar(b.type, -1), one);
  const nonZero = select(net, compare(net, 'EQUAL', b, 0), one, b);
  return mul(net, binary(net, 'DIV', a, select(net, isMinusOne, one, nonZero)), sign);
}

function lowerPow(call: Call): Tensor {
  const { net } = call;
  const a = call.input('a');
  const b = call.input('b');
  // XNNPACK multiplies, but has no powers.
  if (isConstant(b) && b.shape.length === 0 && numbersOf(b)[0] === 2) return binary(net, 'MUL', a, a);
  return a.type === 'FLOAT32' ? binary(net, 'POW', a, b) : integerPower(net, a, b);
}

/** The kernel rejects negative exponents. Their result is 0 except for 1 and -1, whose powers depend on the parity. */
function integerPower(net: Net, a: Tensor, b: Tensor): Tensor {
  if (isConstant(b) && numbersOf(b).every((exponent) => exponent >= 0)) return binary(net, 'POW', a, b);
  const isNatural = compare(net, 'GREATER_EQUAL', b, 0);
  const power = binary(net, 'POW', a, select(net, isNatural, b, binary(net, 'FLOOR_MOD', b, 2)));
  const isUnit = compare(net, 'EQUAL', unary(net, 'ABS', a), 1);
  const isFull = elementwise(net, 'LOGICAL_OR', [isNatural, isUnit], 'BOOL');
  return select(net, isFull, power, net.scalar(a.type, 0));
}

const DIVISIBLE = [...FLOATS, 'int32', 'int8', 'uint8'] as const;

export const ELEMENTWISE: readonly OpEntry[] = [
  single('abs', SIGNED, 'ABS; NEG, MAXIMUM for int64', lowerAbs),
  single('cast', ALL, 'CAST; BITCAST for uint32', lowerCast),
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
  pair('add', ALL, 'ADD', lowerWrapping('ADD')),
  pair('sub', ALL, 'SUB', lowerWrapping('SUB')),
  pair('mul', ALL, 'MUL', lowerWrapping('MUL')),
  pair('div', DIVISIBLE, 'DIV', lowerDiv),
  pair('max', ALL, 'MAXIMUM', lowerExtremum('MAXIMUM')),
  pair('min', ALL, 'MINIMUM', lowerExtremum('MINIMUM')),
  pair('pow', [...FLOATS, 'int32'], 'POW; MUL for squares', lowerPow),
];
