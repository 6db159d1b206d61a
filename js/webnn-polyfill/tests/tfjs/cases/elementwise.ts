/** Operators that compute each element by itself. */

import type { MLGraphBuilder, MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check, TIGHT } from '../case.js';
import { bytes, tensor, type Values, vector } from '../values.js';

type Unary = (builder: MLGraphBuilder, x: MLOperand) => MLOperand;

const NUMBERS = vector(-2.5, -1.5, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 1.5, 2.5, 3.5);
const POSITIVE = vector(0.125, 0.5, 1, 2, 3, 10);

function unary(op: string, build: Unary, f: (x: number) => number, input = NUMBERS, what = ''): Case {
  const expected = { ...input, data: input.data.map((x) => Math.fround(f(x))) };
  return check(op, { input }, (builder, { input: x }) => build(builder, x as MLOperand), expected, {
    what,
    tolerance: TIGHT,
  });
}

type Binary = (builder: MLGraphBuilder, a: MLOperand, b: MLOperand) => MLOperand;

const [A, B] = [tensor([2, 3], [1, -2, 3, -4, 5, 0.5]), tensor([3], [2, -2, 0.5])];

/** `b` is broadcast to `a`. */
function binary(op: string, build: Binary, f: (a: number, b: number) => number, a: Values = A, b: Values = B): Case {
  const data = a.data.map((value, index) => Number(f(value, b.data[index % b.data.length] as number)));
  return check(op, { a, b }, (builder, { a, b }) => build(builder, a as MLOperand, b as MLOperand), { ...a, data });
}

function comparison(op: string, build: Binary, f: (a: number, b: number) => boolean): Case {
  const { expected, ...rest } = binary(op, build, (a, b) => Number(f(a, b)));
  return { ...rest, expected: expected.map((values) => ({ ...values, dataType: 'uint8' })) };
}

function logical(op: string, build: Binary, f: (a: boolean, b: boolean) => boolean): Case {
  const [a, b] = [bytes(0, 0, 1, 2), bytes(0, 3, 0, 255)];
  return binary(op, build, (x, y) => Number(f(x !== 0, y !== 0)), a, b);
}

/** Half to even. */
function roundEven(x: number): number {
  const rounded = Math.round(x);
  return Math.abs(x % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** The series, which is exact for small arguments. */
function erf(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 100; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const clip = (x: number, min: number, max: number) => Math.min(Math.max(x, min), max);

export const ELEMENTWISE_CASES: readonly Case[] = [
  unary('abs', (b, x) => b.abs(x), Math.abs),
  unary('ceil', (b, x) => b.ceil(x), Math.ceil),
  unary('cos', (b, x) => b.cos(x), Math.cos),
  unary('erf', (b, x) => b.erf(x), erf),
  unary('erf', (b, x) => b.erf(x), erf, vector(1e-3, -1e-4, 1e-6, 2, -3), 'small and large'),
  unary('exp', (b, x) => b.exp(x), Math.exp),
  unary('floor', (b, x) => b.floor(x), Math.floor),
  unary(
    'identity',
    (b, x) => b.identity(x),
    (x) => x,
  ),
  unary('log', (b, x) => b.log(x), Math.log, POSITIVE),
  unary(
    'neg',
    (b, x) => b.neg(x),
    (x) => 0 - x,
  ),
  unary(
    'reciprocal',
    (b, x) => b.reciprocal(x),
    (x) => 1 / x,
    POSITIVE,
  ),
  unary('roundEven', (b, x) => b.roundEven(x), roundEven),
  unary('sign', (b, x) => b.sign(x), Math.sign),
  unary('sin', (b, x) => b.sin(x), Math.sin),
  unary('sqrt', (b, x) => b.sqrt(x), Math.sqrt, POSITIVE),
  unary('tan', (b, x) => b.tan(x), Math.tan, vector(-1, -0.5, 0, 0.5, 1)),
  unary(
    'clamp',
    (b, x) => b.clamp(x, { minValue: -1, maxValue: 2 }),
    (x) => clip(x, -1, 2),
  ),
  unary(
    'clamp',
    (b, x) => b.clamp(x, { minValue: 0.5 }),
    (x) => Math.max(x, 0.5),
    NUMBERS,
    'no maxValue',
  ),
  unary(
    'clamp',
    (b, x) => b.clamp(x, { maxValue: 0.5 }),
    (x) => Math.min(x, 0.5),
    NUMBERS,
    'no minValue',
  ),
  unary(
    'elu',
    (b, x) => b.elu(x),
    (x) => (x > 0 ? x : Math.expm1(x)),
  ),
  unary(
    'elu',
    (b, x) => b.elu(x, { alpha: 0.5 }),
    (x) => (x > 0 ? x : 0.5 * Math.expm1(x)),
    NUMBERS,
    'alpha',
  ),
  unary(
    'gelu',
    (b, x) => b.gelu(x),
    (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  ),
  unary(
    'hardSigmoid',
    (b, x) => b.hardSigmoid(x, { alpha: 0.25, beta: 0.5 }),
    (x) => clip(0.25 * x + 0.5, 0, 1),
  ),
  unary(
    'hardSwish',
    (b, x) => b.hardSwish(x),
    (x) => (x * clip(x + 3, 0, 6)) / 6,
  ),
  unary(
    'leakyRelu',
    (b, x) => b.leakyRelu(x, { alpha: 0.125 }),
    (x) => (x < 0 ? 0.125 * x : x),
  ),
  unary(
    'linear',
    (b, x) => b.linear(x, { alpha: 2, beta: -1 }),
    (x) => 2 * x - 1,
  ),
  unary(
    'relu',
    (b, x) => b.relu(x),
    (x) => Math.max(x, 0),
  ),
  check(
    'relu',
    { input: tensor([3], [-128, 127, 0], 'int8') },
    (b, { input }) => b.relu(input as MLOperand),
    tensor([3], [0, 127, 0], 'int8'),
    { what: 'int8' },
  ),
  check(
    'clamp',
    { input: bytes(0, 100, 255) },
    (b, { input }) => b.clamp(input as MLOperand, { minValue: 50, maxValue: 200 }),
    bytes(50, 100, 200),
    { what: 'uint8' },
  ),
  unary('sigmoid', (b, x) => b.sigmoid(x), sigmoid),
  unary(
    'softplus',
    (b, x) => b.softplus(x),
    (x) => Math.log1p(Math.exp(x)),
  ),
  unary(
    'softsign',
    (b, x) => b.softsign(x),
    (x) => x / (1 + Math.abs(x)),
  ),
  unary('tanh', (b, x) => b.tanh(x), Math.tanh),
  check(
    'prelu',
    { input: A, slope: B },
    (b, { input, slope }) => b.prelu(input as MLOperand, slope as MLOperand),
    tensor([2, 3], [1, 4, 3, -8, 5, 0.5]),
  ),
  binary(
    'add',
    (m, a, b) => m.add(a, b),
    (a, b) => a + b,
  ),
  binary(
    'sub',
    (m, a, b) => m.sub(a, b),
    (a, b) => a - b,
  ),
  binary(
    'mul',
    (m, a, b) => m.mul(a, b),
    (a, b) => a * b,
  ),
  binary(
    'div',
    (m, a, b) => m.div(a, b),
    (a, b) => a / b,
  ),
  binary('max', (m, a, b) => m.max(a, b), Math.max),
  binary('max', (m, a, b) => m.max(a, b), Math.max, bytes(0, 200, 255), bytes(1, 100, 255)),
  binary('min', (m, a, b) => m.min(a, b), Math.min),
  binary(
    'pow',
    (m, a, b) => m.pow(a, b),
    (a, b) => a ** b,
    A,
    tensor([3], [2, 3, 1]),
  ),
  comparison(
    'equal',
    (m, a, b) => m.equal(a, b),
    (a, b) => a === b,
  ),
  comparison(
    'notEqual',
    (m, a, b) => m.notEqual(a, b),
    (a, b) => a !== b,
  ),
  comparison(
    'greater',
    (m, a, b) => m.greater(a, b),
    (a, b) => a > b,
  ),
  comparison(
    'greaterOrEqual',
    (m, a, b) => m.greaterOrEqual(a, b),
    (a, b) => a >= b,
  ),
  comparison(
    'lesser',
    (m, a, b) => m.lesser(a, b),
    (a, b) => a < b,
  ),
  comparison(
    'lesserOrEqual',
    (m, a, b) => m.lesserOrEqual(a, b),
    (a, b) => a <= b,
  ),
  logical(
    'logicalAnd',
    (m, a, b) => m.logicalAnd(a, b),
    (a, b) => a && b,
  ),
  logical(
    'logicalOr',
    (m, a, b) => m.logicalOr(a, b),
    (a, b) => a || b,
  ),
  logical(
    'logicalXor',
    (m, a, b) => m.logicalXor(a, b),
    (a, b) => a !== b,
  ),
  check('logicalNot', { a: bytes(0, 1, 7) }, (b, { a }) => b.logicalNot(a as MLOperand), bytes(1, 0, 0)),
  check('isNaN', { a: vector(0, Number.NaN, 1e30) }, (b, { a }) => b.isNaN(a as MLOperand), bytes(0, 1, 0)),
  check(
    'isInfinite',
    { a: vector(0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1e30) },
    (b, { a }) => b.isInfinite(a as MLOperand),
    bytes(0, 1, 1, 0),
  ),
  check(
    'where',
    { condition: tensor([2, 1], [0, 5], 'uint8'), trueValue: A, falseValue: B },
    (b, { condition, trueValue, falseValue }) =>
      b.where(condition as MLOperand, trueValue as MLOperand, falseValue as MLOperand),
    tensor([2, 3], [2, -2, 0.5, -4, 5, 0.5]),
    { what: 'broadcast' },
  ),
  check(
    'where',
    { condition: tensor([], [1], 'uint8'), trueValue: tensor([], [3]), falseValue: tensor([], [4]) },
    (b, { condition, trueValue, falseValue }) =>
      b.where(condition as MLOperand, trueValue as MLOperand, falseValue as MLOperand),
    tensor([], [3]),
    { what: 'scalars' },
  ),
];
