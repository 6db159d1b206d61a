import type { Case, Cases } from './case.js';
import { type Operands, WRONG } from './case.js';

const scaled = (o: Operands, options: object) => [o.f(1, 2, 3, 4), options];

function perChannel(call: (o: Operands, options: object) => unknown[], channels: number, outcome: string): Case[] {
  return ['scale', 'bias'].flatMap((name): Case[] => [
    [name, (o) => call(o, { [name]: o.f(channels) }), outcome],
    [`${name} of another size`, (o) => call(o, { [name]: o.f(channels + 1) }), WRONG],
    [`${name} of another rank`, (o) => call(o, { [name]: o.f(channels, 1) }), WRONG],
    [`${name} of another type`, (o) => call(o, { [name]: o.i(channels) }), WRONG],
  ]);
}

const batch = (o: Operands, options: object) => [o.f(1, 2, 3, 4), o.f(2), o.f(2), options];

/** gru with 2 steps, 3 batches, inputs of 4 and hidden states of 5. */
const gru = (o: Operands, options: object = {}) => [o.f(2, 3, 4), o.f(1, 15, 4), o.f(1, 15, 5), 2, 5, options];
const gruCell = (o: Operands, options: object = {}) => [o.f(3, 4), o.f(15, 4), o.f(15, 5), o.f(3, 5), 5, options];
const lstm = (o: Operands, options: object = {}) => [o.f(2, 3, 4), o.f(1, 20, 4), o.f(1, 20, 5), 2, 5, options];
const lstmCell = (o: Operands, options: object = {}) => {
  return [o.f(3, 4), o.f(20, 4), o.f(20, 5), o.f(3, 5), o.f(3, 5), 5, options];
};

/** Each optional operand of a recurrent network: given, and given wrongly. */
function optional(
  call: (o: Operands, options?: object) => unknown[],
  outcome: string,
  shapes: Readonly<Record<string, number[]>>,
): Case[] {
  return Object.entries(shapes).flatMap(([name, shape]): Case[] => [
    [name, (o) => call(o, { [name]: o.f(...shape) }), outcome],
    [`${name} of another shape`, (o) => call(o, { [name]: o.f(...shape.with(-1, 9)) }), WRONG],
    [`${name} of another type`, (o) => call(o, { [name]: o.i(...shape) }), WRONG],
  ]);
}

function activations(call: (o: Operands, options?: object) => unknown[], outcome: string, count: number): Case[] {
  return [
    ['activations', (o) => call(o, { activations: Array(count).fill('relu') }), outcome],
    ['too many activations', (o) => call(o, { activations: Array(count + 1).fill('relu') }), WRONG],
    ['unknown activations', (o) => call(o, { activations: Array(count).fill('gelu') }), WRONG],
  ];
}

const GRU = 'float32 [1,3,5]';
const LSTM = 'float32 [1,3,5] float32 [1,3,5]';
const CELL = 'float32 [3,5]';

export const NETWORKS: Cases = {
  batchNormalization: [
    ['defaults', (o) => [o.f(1, 2, 3, 4), o.f(2), o.f(2)], 'float32 [1,2,3,4]'],
    ['an axis', (o) => [o.f(1, 2, 3, 4), o.f(4), o.f(4), { axis: 3 }], 'float32 [1,2,3,4]'],
    ['an axis out of range', (o) => batch(o, { axis: 4 }), WRONG],
    ['a mean of another size', (o) => [o.f(1, 2, 3, 4), o.f(3), o.f(2)], WRONG],
    ['a mean of another rank', (o) => [o.f(1, 2, 3, 4), o.f(2, 1), o.f(2)], WRONG],
    ['a variance of another type', (o) => [o.f(1, 2, 3, 4), o.f(2), o.i(2)], WRONG],
    ['an epsilon that is NaN', (o) => batch(o, { epsilon: Number.NaN }), WRONG],
    ['integers', (o) => [o.i(1, 2, 3, 4), o.i(2), o.i(2)], WRONG],
    ...perChannel(batch, 2, 'float32 [1,2,3,4]'),
  ],
  instanceNormalization: [
    ['defaults', (o) => [o.f(1, 2, 3, 4)], 'float32 [1,2,3,4]'],
    ['nhwc', (o) => scaled(o, { layout: 'nhwc', scale: o.f(4) }), 'float32 [1,2,3,4]'],
    ['an input of rank 3', (o) => [o.f(1, 2, 3)], WRONG],
    ['integers', (o) => [o.i(1, 2, 3, 4)], WRONG],
    ...perChannel(scaled, 2, 'float32 [1,2,3,4]'),
  ],
  layerNormalization: [
    ['defaults', (o) => [o.f(2, 3, 4)], 'float32 [2,3,4]'],
    ['a scalar', (o) => [o.f()], 'float32 []'],
    ['a scale for the default axes', (o) => [o.f(2, 3, 4), { scale: o.f(3, 4) }], 'float32 [2,3,4]'],
    ['a scale in the order of the axes', (o) => [o.f(2, 3, 4), { axes: [2, 0], scale: o.f(4, 2) }], 'float32 [2,3,4]'],
    ['a bias of another shape', (o) => [o.f(2, 3, 4), { axes: [2], bias: o.f(3) }], WRONG],
    ['a scale of another type', (o) => [o.f(2, 3, 4), { axes: [2], scale: o.i(4) }], WRONG],
    ['an axis out of range', (o) => [o.f(2, 3), { axes: [2] }], WRONG],
    ['an axis twice', (o) => [o.f(2, 3), { axes: [1, 1] }], WRONG],
    ['integers', (o) => [o.i(2, 3)], WRONG],
  ],
  softmax: [
    ['an axis', (o) => [o.f(2, 3, 4), 1], 'float32 [2,3,4]'],
    ['an axis out of range', (o) => [o.f(2, 3), 2], WRONG],
    ['no axis', (o) => [o.f(2, 3)], 'float32 [2,3]'],
    ['no axis, and a label', (o) => [o.f(2, 3), { label: 'x' }], 'float32 [2,3]'],
    ['no axis of three', (o) => [o.f(2, 3, 4), { label: 'x' }], WRONG],
    ['an axis that is no number', (o) => [o.f(2, 3), 'x'], WRONG],
    ['a scalar', (o) => [o.f(), 0], WRONG],
    ['integers', (o) => [o.i(2, 3), 0], WRONG],
  ],
  gemm: [
    ['two matrices', (o) => [o.f(2, 3), o.f(3, 4)], 'float32 [2,4]'],
    ['transposed ones', (o) => [o.f(3, 2), o.f(4, 3), { aTranspose: true, bTranspose: true }], 'float32 [2,4]'],
    ['c is a scalar', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f() }], 'float32 [2,4]'],
    ['c is a row', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(4) }], 'float32 [2,4]'],
    ['c is a column', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(2, 1) }], 'float32 [2,4]'],
    ['c does not broadcast', (o) => [o.f(2, 3), o.f(3, 4), { c: o.f(2) }], WRONG],
    ['c is too large', (o) => [o.f(1, 3), o.f(3, 4), { c: o.f(2, 4) }], WRONG],
    ['c of another type', (o) => [o.f(2, 3), o.f(3, 4), { c: o.i(4) }], WRONG],
    ['alpha and beta', (o) => [o.f(2, 3), o.f(3, 4), { alpha: 0.5, beta: -2 }], 'float32 [2,4]'],
    ['an alpha that is infinite', (o) => [o.f(2, 3), o.f(3, 4), { alpha: Number.NEGATIVE_INFINITY }], WRONG],
    ['sizes that do not fit', (o) => [o.f(2, 3), o.f(4, 3)], WRONG],
    ['three dimensions', (o) => [o.f(1, 2, 3), o.f(3, 4)], WRONG],
    ['other types', (o) => [o.f(2, 3), o.i(3, 4)], WRONG],
    ['integers', (o) => [o.i(2, 3), o.i(3, 4)], WRONG],
  ],
  matmul: [
    ['two matrices', (o) => [o.f(2, 3), o.f(3, 4)], 'float32 [2,4]'],
    ['batches', (o) => [o.f(5, 2, 3), o.f(5, 3, 4)], 'float32 [5,2,4]'],
    ['batches that are broadcast', (o) => [o.f(5, 1, 2, 3), o.f(6, 3, 4)], 'float32 [5,6,2,4]'],
    ['one matrix for all batches', (o) => [o.f(2, 3), o.f(5, 3, 4)], 'float32 [5,2,4]'],
    ['batches that do not broadcast', (o) => [o.f(5, 2, 3), o.f(4, 3, 4)], WRONG],
    ['sizes that do not fit', (o) => [o.f(2, 3), o.f(2, 3)], WRONG],
    ['a vector', (o) => [o.f(3), o.f(3, 4)], WRONG],
    ['other types', (o) => [o.f(2, 3), o.i(3, 4)], WRONG],
  ],
  dequantizeLinear: [
    ['one scale', (o) => [o.u(2, 6), o.f(1, 1), o.u(1, 1)], 'float32 [2,6]'],
    ['blocks', (o) => [o.u(2, 6), o.f(2, 3), o.u(2, 3)], 'float32 [2,6]'],
    ['a scalar', (o) => [o.u(), o.f(), o.u()], 'float32 []'],
    ['a scalar for all', (o) => [o.u(2, 6), o.f(), o.u()], 'float32 [2,6]'],
    ['fewer axes', (o) => [o.u(2, 6), o.f(3), o.u(3)], 'float32 [2,6]'],
    ['more axes', (o) => [o.u(6), o.f(1, 6), o.u(1, 6)], WRONG],
    ['fewer axes that are no blocks', (o) => [o.u(2, 6), o.f(4), o.u(4)], WRONG],
    ['four bits', (o) => [o.of('int4', 2, 6), o.f(2, 3), o.of('int4', 2, 3)], 'float32 [2,6]'],
    ['what are no blocks', (o) => [o.u(2, 6), o.f(1, 4), o.u(1, 4)], WRONG],
    ['other shapes', (o) => [o.u(2, 6), o.f(1, 1), o.u(1, 6)], WRONG],
    ['a zero point of another type', (o) => [o.u(2, 6), o.f(1, 1), o.of('int8', 1, 1)], WRONG],
    ['a scale of integers', (o) => [o.u(2, 6), o.i(1, 1), o.u(1, 1)], WRONG],
    ['floats', (o) => [o.f(2, 6), o.f(1, 1), o.f(1, 1)], WRONG],
  ],
  quantizeLinear: [
    ['one scale', (o) => [o.f(2, 6), o.f(1, 1), o.u(1, 1)], 'uint8 [2,6]'],
    ['int8', (o) => [o.f(2, 6), o.f(2, 1), o.of('int8', 2, 1)], 'int8 [2,6]'],
    ['fewer axes', (o) => [o.f(2, 6), o.f(1), o.u(1)], 'uint8 [2,6]'],
    ['more axes', (o) => [o.f(6), o.f(1, 1), o.u(1, 1)], WRONG],
    ['four bits', (o) => [o.f(2, 6), o.f(1, 1), o.of('int4', 1, 1)], 'int4 [2,6]'],
    ['what are no blocks', (o) => [o.f(2, 6), o.f(1, 4), o.u(1, 4)], WRONG],
    ['other shapes', (o) => [o.f(2, 6), o.f(1, 1), o.u(1, 6)], WRONG],
    ['a scale of another type', (o) => [o.f(2, 6), o.of('float16', 1, 1), o.u(1, 1)], WRONG],
    ['a zero point of floats', (o) => [o.f(2, 6), o.f(1, 1), o.f(1, 1)], WRONG],
  ],
  gru: [
    ['defaults', (o) => gru(o), GRU],
    ['the sequence', (o) => gru(o, { returnSequence: true }), `${GRU} float32 [2,1,3,5]`],
    [
      'both directions',
      (o) => [o.f(2, 3, 4), o.f(2, 15, 4), o.f(2, 15, 5), 2, 5, { direction: 'both' }],
      'float32 [2,3,5]',
    ],
    ['too few directions', (o) => gru(o, { direction: 'both' }), WRONG],
    ['an unknown layout', (o) => gru(o, { layout: 'znr' }), WRONG],
    ['other steps', (o) => gru(o).with(3, 3), WRONG],
    ['no steps', (o) => gru(o).with(3, 0), WRONG],
    ['another hidden size', (o) => gru(o).with(4, 6), WRONG],
    ['no hidden size', (o) => gru(o).with(4, 0), WRONG],
    ['a hidden size that is too large', (o) => gru(o).with(4, 2 ** 32 - 1), WRONG],
    ['a weight of another shape', (o) => gru(o).with(1, o.f(1, 15, 3)), WRONG],
    ['a recurrent weight of another type', (o) => gru(o).with(2, o.i(1, 15, 5)), WRONG],
    ['an input of rank 2', (o) => gru(o).with(0, o.f(3, 4)), WRONG],
    ...optional(gru, GRU, { bias: [1, 15], recurrentBias: [1, 15], initialHiddenState: [1, 3, 5] }),
    ...activations(gru, GRU, 2),
  ],
  gruCell: [
    ['defaults', (o) => gruCell(o), CELL],
    ['another hidden size', (o) => gruCell(o).with(4, 6), WRONG],
    ['no hidden size', (o) => gruCell(o).with(4, 0), WRONG],
    ['a hidden state of another shape', (o) => gruCell(o).with(3, o.f(3, 4)), WRONG],
    ['an input of rank 3', (o) => gruCell(o).with(0, o.f(1, 3, 4)), WRONG],
    ...optional(gruCell, CELL, { bias: [15], recurrentBias: [15] }),
    ...activations(gruCell, CELL, 2),
  ],
  lstm: [
    ['defaults', (o) => lstm(o), LSTM],
    ['the sequence', (o) => lstm(o, { returnSequence: true }), `${LSTM} float32 [2,1,3,5]`],
    ['an unknown layout', (o) => lstm(o, { layout: 'zrn' }), WRONG],
    ['other steps', (o) => lstm(o).with(3, 3), WRONG],
    ['another hidden size', (o) => lstm(o).with(4, 6), WRONG],
    ['a weight of another shape', (o) => lstm(o).with(1, o.f(1, 20, 3)), WRONG],
    ...optional(lstm, LSTM, {
      bias: [1, 20],
      recurrentBias: [1, 20],
      peepholeWeight: [1, 15],
      initialHiddenState: [1, 3, 5],
      initialCellState: [1, 3, 5],
    }),
    ...activations(lstm, LSTM, 3),
  ],
  lstmCell: [
    ['defaults', (o) => lstmCell(o), `${CELL} ${CELL}`],
    ['another hidden size', (o) => lstmCell(o).with(5, 6), WRONG],
    ['a cell state of another shape', (o) => lstmCell(o).with(4, o.f(3, 4)), WRONG],
    ...optional(lstmCell, `${CELL} ${CELL}`, { bias: [20], recurrentBias: [20], peepholeWeight: [15] }),
    ...activations(lstmCell, `${CELL} ${CELL}`, 3),
  ],
};
