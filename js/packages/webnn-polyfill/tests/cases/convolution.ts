import type { Case, Cases, Operands } from './case.js';
import { WRONG } from './case.js';
import { windowMoves } from './shared.js';

const image = (o: Operands) => o.f(1, 1, 5, 5);

const filter = (o: Operands) => o.f(1, 1, 3, 3);

const conv = (o: Operands, options: unknown) => [image(o), filter(o), options];

const CONV2D: readonly Case[] = [
  ['defaults', (o) => [image(o), filter(o)], 'float32 [1,1,3,3]'],
  ...windowMoves(conv, ['float32 [1,1,5,5]', 'float32 [1,1,2,2]']).filter(([title]) => !title.includes('set')),
  ['dilations', (o) => conv(o, { dilations: [2, 2] }), 'float32 [1,1,1,1]'],
  [
    'nhwc and ohwi',
    (o) => [o.f(1, 5, 6, 2), o.f(4, 3, 3, 2), { inputLayout: 'nhwc', filterLayout: 'ohwi' }],
    'float32 [1,3,4,4]',
  ],
  ['hwio', (o) => [o.f(1, 2, 5, 6), o.f(3, 3, 2, 4), { filterLayout: 'hwio' }], 'float32 [1,4,3,4]'],
  ['ihwo', (o) => [o.f(1, 2, 5, 6), o.f(2, 3, 3, 4), { filterLayout: 'ihwo' }], 'float32 [1,4,3,4]'],
  ['an unknown layout', (o) => conv(o, { filterLayout: 'iohw' }), WRONG],
  ['depthwise', (o) => [o.f(1, 4, 5, 5), o.f(4, 1, 3, 3), { groups: 4 }], 'float32 [1,4,3,3]'],
  ['groups', (o) => [o.f(1, 4, 5, 5), o.f(6, 2, 3, 3), { groups: 2 }], 'float32 [1,6,3,3]'],
  ['no groups', (o) => conv(o, { groups: 0 }), WRONG],
  ['groups that do not divide the channels', (o) => [o.f(1, 4, 5, 5), o.f(3, 1, 3, 3), { groups: 3 }], WRONG],
  ['groups that do not divide the output', (o) => [o.f(1, 4, 5, 5), o.f(3, 2, 3, 3), { groups: 2 }], WRONG],
  ['a filter of other channels', (o) => [o.f(1, 4, 5, 5), o.f(3, 3, 3, 3)], WRONG],
  ['a bias', (o) => [o.f(1, 1, 5, 5), o.f(2, 1, 3, 3), { bias: o.f(2) }], 'float32 [1,2,3,3]'],
  ['a bias of another size', (o) => conv(o, { bias: o.f(2) }), WRONG],
  ['a bias of rank 2', (o) => conv(o, { bias: o.f(1, 1) }), WRONG],
  ['a bias of another type', (o) => conv(o, { bias: o.i(1) }), WRONG],
  ['a bias that is null', (o) => conv(o, { bias: null }), WRONG],
  ['an input of rank 3', (o) => [o.f(1, 5, 5), filter(o)], WRONG],
  ['a filter of rank 3', (o) => [image(o), o.f(1, 3, 3)], WRONG],
  ['integers', (o) => [o.i(1, 1, 5, 5), o.i(1, 1, 3, 3)], WRONG],
  ['a filter of another type', (o) => [image(o), o.of('float16', 1, 1, 3, 3)], WRONG],
  ['a filter that is larger than the input', (o) => [o.f(1, 1, 2, 2), filter(o)], WRONG],
];

const transposed = (o: Operands, options: unknown) => [o.f(1, 1, 3, 3), filter(o), options];

const CONV_TRANSPOSE2D: readonly Case[] = [
  ['defaults', (o) => [o.f(1, 1, 3, 3), filter(o)], 'float32 [1,1,5,5]'],
  ['strides', (o) => transposed(o, { strides: [2, 3] }), 'float32 [1,1,7,9]'],
  ['padding', (o) => transposed(o, { padding: [1, 1, 1, 1] }), 'float32 [1,1,3,3]'],
  ['dilations', (o) => transposed(o, { dilations: [2, 2] }), 'float32 [1,1,7,7]'],
  ['outputPadding', (o) => transposed(o, { strides: [2, 2], outputPadding: [1, 0] }), 'float32 [1,1,8,7]'],
  ['outputPadding of the stride', (o) => transposed(o, { strides: [2, 2], outputPadding: [2, 0] }), WRONG],
  ['one outputPadding', (o) => transposed(o, { outputPadding: [0] }), WRONG],
  ['outputSizes', (o) => transposed(o, { strides: [2, 2], outputSizes: [8, 7] }), 'float32 [1,1,8,7]'],
  ['outputSizes that are too small', (o) => transposed(o, { strides: [2, 2], outputSizes: [6, 7] }), WRONG],
  ['outputSizes that are too large', (o) => transposed(o, { strides: [2, 2], outputSizes: [9, 7] }), WRONG],
  ['one output size', (o) => transposed(o, { outputSizes: [5] }), WRONG],
  ['padding that leaves nothing', (o) => transposed(o, { padding: [3, 3, 3, 3] }), WRONG],
  ['groups', (o) => [o.f(1, 4, 3, 3), o.f(4, 2, 3, 3), { groups: 2 }], 'float32 [1,4,5,5]'],
  ['no groups', (o) => transposed(o, { groups: 0 }), WRONG],
  [
    'nhwc and ohwi',
    (o) => [o.f(1, 3, 3, 2), o.f(4, 3, 3, 2), { inputLayout: 'nhwc', filterLayout: 'ohwi' }],
    'float32 [1,5,5,4]',
  ],
  ['hwoi', (o) => [o.f(1, 2, 3, 3), o.f(3, 3, 4, 2), { filterLayout: 'hwoi' }], 'float32 [1,4,5,5]'],
  ['a filter of other channels', (o) => [o.f(1, 2, 3, 3), o.f(3, 1, 3, 3)], WRONG],
  ['a bias', (o) => [o.f(1, 1, 3, 3), o.f(1, 2, 3, 3), { bias: o.f(2) }], 'float32 [1,2,5,5]'],
  ['a bias of another size', (o) => transposed(o, { bias: o.f(2) }), WRONG],
  ['an input of rank 3', (o) => [o.f(1, 5, 5), filter(o)], WRONG],
  ['integers', (o) => [o.i(1, 1, 3, 3), o.i(1, 1, 3, 3)], WRONG],
];

export const CONVOLUTION: Cases = {
  conv2d: CONV2D,
  convTranspose2d: CONV_TRANSPOSE2D,
};
