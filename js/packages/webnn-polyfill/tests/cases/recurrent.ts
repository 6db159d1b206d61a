import type { Case, Cases, Operands } from './case.js';
import { WRONG } from './case.js';

/** gru with 3 batches, inputs of 4 and hidden states of 5. */
const gru = (o: Operands, options: object = {}, steps = 1) => {
  return [o.f(steps, 3, 4), o.f(1, 15, 4), o.f(1, 15, 5), steps, 5, options];
};

const gruCell = (o: Operands, options: object = {}) => [o.f(3, 4), o.f(15, 4), o.f(15, 5), o.f(3, 5), 5, options];

const lstm = (o: Operands, options: object = {}, steps = 1) => {
  return [o.f(steps, 3, 4), o.f(1, 20, 4), o.f(1, 20, 5), steps, 5, options];
};

const lstmCell = (o: Operands, options: object = {}) => {
  return [o.f(3, 4), o.f(20, 4), o.f(20, 5), o.f(3, 5), o.f(3, 5), 5, options];
};

/** Each optional operand of a recurrent network: valid and invalid. */
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

export const RECURRENT: Cases = {
  gru: [
    ['defaults', (o) => gru(o, {}, 2), GRU],
    ['the sequence', (o) => gru(o, { returnSequence: true }, 2), `${GRU} float32 [2,1,3,5]`],
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
    ['defaults', (o) => lstm(o, {}, 2), LSTM],
    ['the sequence', (o) => lstm(o, { returnSequence: true }, 2), `${LSTM} float32 [2,1,3,5]`],
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
