import type { Case, Cases, Operands } from './case.js';
import { WRONG } from './case.js';
import { windowMoves } from './shared.js';

const image = (o: Operands) => o.f(1, 1, 5, 5);

const pool = (o: Operands, options: object) => [image(o), { windowDimensions: [3, 3], ...options }];

const POOL: readonly Case[] = [
  ['the entire image', (o) => [o.f(1, 3, 4, 5)], 'float32 [1,3,1,1]'],
  ['a window', (o) => pool(o, {}), 'float32 [1,1,3,3]'],
  ...windowMoves((o, options) => pool(o, options as object), ['float32 [1,1,5,5]', 'float32 [1,1,2,2]']).filter(
    ([title]) => !title.includes('set'),
  ),
  ['nhwc', (o) => [o.f(1, 5, 6, 2), { windowDimensions: [2, 2], layout: 'nhwc' }], 'float32 [1,4,5,2]'],
  ['one window dimension', (o) => [image(o), { windowDimensions: [3] }], WRONG],
  ['a window dimension of zero', (o) => [image(o), { windowDimensions: [0, 3] }], WRONG],
  ['a window that does not fit', (o) => [image(o), { windowDimensions: [6, 3] }], WRONG],
  ['rounded down', (o) => pool(o, { strides: [3, 3] }), 'float32 [1,1,1,1]'],
  ['rounded up, by the former name', (o) => pool(o, { strides: [3, 3], roundingType: 'ceil' }), 'float32 [1,1,2,2]'],
  ['an unknown rounding, by the former name', (o) => pool(o, { roundingType: 'round' }), WRONG],
  ['output sizes rounded up', (o) => pool(o, { strides: [3, 3], outputSizes: [2, 2] }), 'float32 [1,1,2,2]'],
  [
    'output sizes and padding',
    (o) => pool(o, { strides: [2, 2], padding: [1, 1, 1, 1], outputSizes: [3, 3] }),
    'float32 [1,1,3,3]',
  ],
  ['output sizes of neither rounding', (o) => pool(o, { strides: [3, 3], outputSizes: [1, 2] }), WRONG],
  ['one output size', (o) => pool(o, { outputSizes: [3] }), WRONG],
  ['an unknown layout', (o) => pool(o, { layout: 'chwn' }), WRONG],
  ['an input of rank 3', (o) => [o.f(1, 5, 5)], WRONG],
];

const FLOAT_POOL: readonly Case[] = [...POOL, ['integers', (o) => [o.i(1, 1, 5, 5)], WRONG]];

export const POOLING: Cases = {
  averagePool2d: FLOAT_POOL,
  l2Pool2d: FLOAT_POOL,
  maxPool2d: POOL,
};
