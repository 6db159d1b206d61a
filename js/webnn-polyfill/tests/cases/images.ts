import type { Case, Cases } from './case.js';
import { type Operands, WRONG } from './case.js';

const image = (o: Operands) => o.f(1, 1, 5, 5);
const filter = (o: Operands) => o.f(1, 1, 3, 3);

/** Options that move a window, as conv2d and pooling have them. */
function moves(call: (o: Operands, options: unknown) => unknown[], outcomes: readonly [string, string]): Case[] {
  const [padded, strided] = outcomes;
  return [
    ['padding', (o) => call(o, { padding: [1, 1, 1, 1] }), padded],
    ['strides', (o) => call(o, { strides: [2, 2] }), strided],
    ['three paddings', (o) => call(o, { padding: [1, 1, 1] }), WRONG],
    ['a negative padding', (o) => call(o, { padding: [-1, 0, 0, 0] }), WRONG],
    ['a padding out of range', (o) => call(o, { padding: [2 ** 32, 0, 0, 0] }), WRONG],
    ['padding that is no sequence', (o) => call(o, { padding: 1 }), WRONG],
    ['padding that is a set', (o) => call(o, { padding: new Set([1, 2, 0, 3]) }), padded],
    ['one stride', (o) => call(o, { strides: [1] }), WRONG],
    ['a stride of zero', (o) => call(o, { strides: [0, 1] }), WRONG],
    ['three dilations', (o) => call(o, { dilations: [1, 1, 1] }), WRONG],
    ['a dilation of zero', (o) => call(o, { dilations: [1, 0] }), WRONG],
    ['a dilated window that does not fit', (o) => call(o, { dilations: [3, 3] }), WRONG],
  ];
}

const conv = (o: Operands, options: unknown) => [image(o), filter(o), options];

const CONV2D: readonly Case[] = [
  ['defaults', (o) => [image(o), filter(o)], 'float32 [1,1,3,3]'],
  ...moves(conv, ['float32 [1,1,5,5]', 'float32 [1,1,2,2]']).filter(([title]) => !title.includes('set')),
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

const pool = (o: Operands, options: object) => [image(o), { windowDimensions: [3, 3], ...options }];

const POOL: readonly Case[] = [
  ['the whole image', (o) => [o.f(1, 3, 4, 5)], 'float32 [1,3,1,1]'],
  ['a window', (o) => pool(o, {}), 'float32 [1,1,3,3]'],
  ...moves((o, options) => pool(o, options as object), ['float32 [1,1,5,5]', 'float32 [1,1,2,2]']).filter(
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

export const IMAGES: Cases = {
  conv2d: CONV2D,
  convTranspose2d: CONV_TRANSPOSE2D,
  averagePool2d: FLOAT_POOL,
  l2Pool2d: FLOAT_POOL,
  maxPool2d: POOL,
  resample2d: [
    ['defaults', (o) => [o.f(1, 1, 2, 4)], 'float32 [1,1,2,4]'],
    ['scales', (o) => [o.f(1, 1, 2, 4), { scales: [2, 1.5] }], 'float32 [1,1,4,6]'],
    ['scales are rounded down', (o) => [o.f(1, 1, 5, 5), { scales: [0.5, 0.5] }], 'float32 [1,1,2,2]'],
    ['sizes go before scales', (o) => [o.f(1, 1, 2, 4), { scales: [2, 2], sizes: [3, 6] }], 'float32 [1,1,3,6]'],
    ['axes', (o) => [o.f(1, 2, 4, 1), { scales: [2, 2], axes: [1, 2] }], 'float32 [1,4,8,1]'],
    ['linear', (o) => [o.f(1, 1, 2, 4), { mode: 'linear' }], 'float32 [1,1,2,4]'],
    ['an unknown mode', (o) => [o.f(1, 1, 2, 4), { mode: 'cubic' }], WRONG],
    ['one scale', (o) => [o.f(1, 1, 2, 4), { scales: [2] }], WRONG],
    ['a negative scale', (o) => [o.f(1, 1, 2, 4), { scales: [1, -1] }], WRONG],
    ['a scale of zero', (o) => [o.f(1, 1, 2, 4), { scales: [0, 1] }], WRONG],
    ['a scale that leaves nothing', (o) => [o.f(1, 1, 2, 4), { scales: [0.1, 1] }], WRONG],
    ['a scale that is infinite', (o) => [o.f(1, 1, 2, 4), { scales: [Number.POSITIVE_INFINITY, 1] }], WRONG],
    ['one size', (o) => [o.f(1, 1, 2, 4), { sizes: [2] }], WRONG],
    ['a size of zero', (o) => [o.f(1, 1, 2, 4), { sizes: [0, 2] }], WRONG],
    ['three axes', (o) => [o.f(1, 1, 2, 4), { axes: [1, 2, 3] }], WRONG],
    ['an axis twice', (o) => [o.f(1, 1, 2, 4), { axes: [2, 2] }], WRONG],
    ['an axis out of range', (o) => [o.f(1, 1, 2, 4), { axes: [3, 4] }], WRONG],
    ['an input of rank 5', (o) => [o.f(1, 1, 1, 2, 4)], WRONG],
    ['integers', (o) => [o.i(1, 1, 2, 4)], WRONG],
  ],
};
