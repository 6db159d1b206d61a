import type { Case, Cases } from './case.js';
import { WRONG } from './case.js';

const LABEL = { label: 'x' };

function unary(wrongType: 'int32' | 'uint8' | null = 'int32'): readonly Case[] {
  const cases: Case[] = [
    ['an image', (o) => [o.f(1, 2, 3)], 'float32 [1,2,3]'],
    ['a scalar', (o) => [o.f()], 'float32 []'],
    ['a label', (o) => [o.f(2), LABEL], 'float32 [2]'],
    ['undefined options', (o) => [o.f(2), undefined], 'float32 [2]'],
    ['null options', (o) => [o.f(2), null], 'float32 [2]'],
  ];
  return wrongType === null ? cases : [...cases, [`${wrongType} values`, (o) => [o.of(wrongType, 2)], WRONG]];
}

function alpha(name = 'alpha'): readonly Case[] {
  return [
    ...unary(),
    [`a negative ${name}`, (o) => [o.f(2), { [name]: -1 }], 'float32 [2]'],
    [`${name} is a string of a number`, (o) => [o.f(2), { [name]: '0.5' }], 'float32 [2]'],
    [`${name} is NaN`, (o) => [o.f(2), { [name]: Number.NaN }], WRONG],
    [`${name} is infinite`, (o) => [o.f(2), { [name]: Number.POSITIVE_INFINITY }], WRONG],
    [`${name} is a bigint`, (o) => [o.f(2), { [name]: 1n }], WRONG],
    [`${name} is no number`, (o) => [o.f(2), { [name]: 'a' }], WRONG],
  ];
}

function binary(dataType = 'float32'): readonly Case[] {
  return [
    ['equal shapes', (o) => [o.f(2, 3), o.f(2, 3)], `${dataType} [2,3]`],
    ['a is broadcast', (o) => [o.f(3), o.f(2, 3)], `${dataType} [2,3]`],
    ['b is broadcast', (o) => [o.f(2, 3), o.f(2, 1)], `${dataType} [2,3]`],
    ['both are broadcast', (o) => [o.f(2, 1), o.f(4, 1, 3)], `${dataType} [4,2,3]`],
    ['a scalar', (o) => [o.f(2, 3), o.f()], `${dataType} [2,3]`],
    ['shapes that do not broadcast', (o) => [o.f(2, 3), o.f(2)], WRONG],
    ['two types', (o) => [o.f(2), o.i(2)], WRONG],
    ['a number for b', (o) => [o.f(2), 1], WRONG],
  ];
}

const LOGICAL: readonly Case[] = [
  ['equal shapes', (o) => [o.u(2, 3), o.u(2, 3)], 'uint8 [2,3]'],
  ['b is broadcast', (o) => [o.u(2, 3), o.u(3)], 'uint8 [2,3]'],
  ['floats', (o) => [o.f(2), o.f(2)], WRONG],
  ['shapes that do not broadcast', (o) => [o.u(2, 3), o.u(2)], WRONG],
];

const PREDICATE: readonly Case[] = [
  ['floats', (o) => [o.f(2, 3)], 'uint8 [2,3]'],
  ['integers', (o) => [o.i(2)], WRONG],
];

export const ELEMENTWISE: Cases = {
  abs: unary('uint8'),
  ceil: unary(),
  cos: unary(),
  erf: unary(),
  exp: unary(),
  floor: unary(),
  identity: unary(null),
  log: unary(),
  neg: unary('uint8'),
  reciprocal: unary(),
  roundEven: unary(),
  sign: unary('uint8'),
  sin: unary(),
  sqrt: unary(),
  tan: unary(),
  cast: [
    ['to int32', (o) => [o.f(2, 3), 'int32'], 'int32 [2,3]'],
    ['to a type that is none', (o) => [o.f(2), 'float'], WRONG],
    ['to nothing', (o) => [o.f(2)], WRONG],
  ],
  clamp: [
    ...unary(null),
    ['both bounds', (o) => [o.f(2), { minValue: 0, maxValue: 6 }], 'float32 [2]'],
    ['equal bounds', (o) => [o.f(2), { minValue: 1, maxValue: 1 }], 'float32 [2]'],
    ['bigint bounds', (o) => [o.f(2), { minValue: 0n }], WRONG],
    ['bigint bounds of small integers', (o) => [o.i(2), { minValue: 0n, maxValue: 6n }], WRONG],
    ['a bigint bound of bytes', (o) => [o.u(2), { maxValue: 6n }], WRONG],
    ['bigint bounds of int64', (o) => [o.of('int64', 2), { minValue: 0n, maxValue: 6n }], 'int64 [2]'],
    ['both sorts of bounds in the wrong order', (o) => [o.of('int64', 2), { minValue: 3, maxValue: 1n }], WRONG],
    ['infinite bounds', (o) => [o.f(2), { minValue: Number.NEGATIVE_INFINITY }], 'float32 [2]'],
    ['bounds in the wrong order', (o) => [o.f(2), { minValue: 2, maxValue: 1 }], WRONG],
    ['bigint bounds in the wrong order', (o) => [o.f(2), { minValue: 2n, maxValue: 1 }], WRONG],
    ['a bound that is a symbol', (o) => [o.f(2), { minValue: Symbol('1') }], WRONG],
  ],
  elu: alpha(),
  gelu: unary(),
  hardSigmoid: [...alpha(), ...alpha('beta').slice(5)],
  hardSwish: unary(),
  leakyRelu: alpha(),
  linear: [...alpha().filter(([title]) => title !== 'int32 values'), ...alpha('beta').slice(6)],
  relu: unary('uint8'),
  sigmoid: unary(),
  softplus: unary(),
  softsign: unary(),
  tanh: unary(),
  prelu: [
    ['a slope for each value', (o) => [o.f(2, 3), o.f(2, 3)], 'float32 [2,3]'],
    ['a slope that is broadcast', (o) => [o.f(2, 3), o.f(3)], 'float32 [2,3]'],
    ['an input that is broadcast', (o) => [o.f(3), o.f(2, 3)], 'float32 [2,3]'],
    ['a slope that does not broadcast', (o) => [o.f(2, 3), o.f(2)], WRONG],
    ['a slope of another type', (o) => [o.f(2), o.i(2)], WRONG],
  ],
  add: binary(),
  sub: binary(),
  mul: binary(),
  div: binary(),
  max: binary(),
  min: binary(),
  pow: binary(),
  equal: binary('uint8'),
  notEqual: binary('uint8'),
  greater: binary('uint8'),
  greaterOrEqual: binary('uint8'),
  lesser: binary('uint8'),
  lesserOrEqual: binary('uint8'),
  logicalNot: [
    ['booleans', (o) => [o.u(2, 3)], 'uint8 [2,3]'],
    ['floats', (o) => [o.f(2)], WRONG],
  ],
  logicalAnd: LOGICAL,
  logicalOr: LOGICAL,
  logicalXor: LOGICAL,
  isNaN: PREDICATE,
  isInfinite: PREDICATE,
  where: [
    ['equal shapes', (o) => [o.u(2, 3), o.f(2, 3), o.f(2, 3)], 'float32 [2,3]'],
    ['all are broadcast', (o) => [o.u(2, 1, 1), o.f(3, 1), o.f(4)], 'float32 [2,3,4]'],
    ['a condition of floats', (o) => [o.f(2), o.f(2), o.f(2)], WRONG],
    ['values of two types', (o) => [o.u(2), o.f(2), o.i(2)], WRONG],
    ['values that do not broadcast', (o) => [o.u(2), o.f(2), o.f(3)], WRONG],
    ['a condition that does not broadcast', (o) => [o.u(3), o.f(2), o.f(2)], WRONG],
  ],
};
