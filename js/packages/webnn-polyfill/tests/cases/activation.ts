import type { Cases } from './case.js';
import { WRONG } from './case.js';
import { alpha, unary } from './shared.js';

export const ACTIVATION: Cases = {
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
  prelu: [
    ['a slope for each value', (o) => [o.f(2, 3), o.f(2, 3)], 'float32 [2,3]'],
    ['a slope that is broadcast', (o) => [o.f(2, 3), o.f(3)], 'float32 [2,3]'],
    ['an input that is broadcast', (o) => [o.f(3), o.f(2, 3)], 'float32 [2,3]'],
    ['a slope that does not broadcast', (o) => [o.f(2, 3), o.f(2)], WRONG],
    ['a slope of another type', (o) => [o.f(2), o.i(2)], WRONG],
  ],
  relu: unary('uint8'),
  sigmoid: unary(),
  softplus: unary(),
  softsign: unary(),
  tanh: unary(),
};
