/** Binary arithmetic. Integers wrap around, as in browsers' engines. */

import { elementwise } from '../broadcast.js';
import type { Call, OpEntry } from '../call.js';
import { binary, cast, compare, mul, select, unary, widened } from '../calls.js';
import type { Net } from '../net.js';
import { ALL, FLOATS, pair } from '../row.js';
import type { BuiltinName } from '../schema.js';
import { type HandledDataType, isConstant, numbersOf, type Tensor } from '../tensor.js';

const LOWEST = { INT32: -(2n ** 31n), INT64: -(2n ** 63n) } as const;

/** Shifts unsigned numbers, stored as signed ones, to signed order; a second call shifts them back. */
export function inSignedOrder(net: Net, input: Tensor, dataType: HandledDataType): Tensor {
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

export const ARITHMETIC: readonly OpEntry[] = [
  pair('add', ALL, 'ADD', lowerWrapping('ADD')),
  pair('sub', ALL, 'SUB', lowerWrapping('SUB')),
  pair('mul', ALL, 'MUL', lowerWrapping('MUL')),
  pair('div', DIVISIBLE, 'DIV', lowerDiv),
  pair('max', ALL, 'MAXIMUM', lowerExtremum('MAXIMUM')),
  pair('min', ALL, 'MINIMUM', lowerExtremum('MINIMUM')),
  pair('pow', [...FLOATS, 'int32'], 'POW; MUL for squares', lowerPow),
];
