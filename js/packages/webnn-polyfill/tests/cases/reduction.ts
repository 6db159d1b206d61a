import type { Case, Cases } from './case.js';
import { WRONG } from './case.js';
import { AXES } from './shared.js';

function reduce(acceptsIntegers: boolean): readonly Case[] {
  return [
    ['all axes', (o) => [o.f(2, 3, 4)], 'float32 []'],
    ['one axis', (o) => [o.f(2, 3, 4), { axes: [1] }], 'float32 [2,4]'],
    ['dimensions that stay', (o) => [o.f(2, 3, 4), { axes: [0, 2], keepDimensions: true }], 'float32 [1,3,1]'],
    ['no axes', (o) => [o.f(2, 3), { axes: [] }], 'float32 [2,3]'],
    ['a scalar', (o) => [o.f()], 'float32 []'],
    ['integers', (o) => [o.i(2, 3)], acceptsIntegers ? 'int32 []' : WRONG],
    ...AXES,
  ];
}

const ARG_MIN_MAX: readonly Case[] = [
  ['an axis', (o) => [o.f(2, 3, 4), 1], 'int32 [2,4]'],
  ['dimensions that stay', (o) => [o.f(2, 3, 4), 2, { keepDimensions: true }], 'int32 [2,3,1]'],
  ['int64', (o) => [o.f(2, 3), 0, { outputDataType: 'int64' }], 'int64 [3]'],
  ['an output of floats', (o) => [o.f(2, 3), 0, { outputDataType: 'float32' }], WRONG],
  ['an axis out of range', (o) => [o.f(2, 3), 2], WRONG],
  ['a scalar', (o) => [o.f(), 0], WRONG],
  ['an axis that is no number', (o) => [o.f(2), 'x'], WRONG],
  ['no axis', (o) => [o.f(2)], WRONG],
];

export const REDUCTION: Cases = {
  reduceL1: reduce(true),
  reduceL2: reduce(false),
  reduceLogSum: reduce(false),
  reduceLogSumExp: reduce(false),
  reduceMax: reduce(true),
  reduceMean: reduce(false),
  reduceMin: reduce(true),
  reduceProduct: reduce(true),
  reduceSum: reduce(true),
  reduceSumSquare: reduce(true),
  argMin: ARG_MIN_MAX,
  argMax: ARG_MIN_MAX,
  cumulativeSum: [
    ['an axis', (o) => [o.f(2, 3), 1], 'float32 [2,3]'],
    ['options', (o) => [o.f(2, 3), 0, { exclusive: true, reversed: true }], 'float32 [2,3]'],
    ['an axis out of range', (o) => [o.f(2, 3), 2], WRONG],
    ['a negative axis', (o) => [o.f(2, 3), -1], WRONG],
    ['a scalar', (o) => [o.f(), 0], WRONG],
    ['booleans', (o) => [o.u(2, 3), 0], WRONG],
  ],
};
