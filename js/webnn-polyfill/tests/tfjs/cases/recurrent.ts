/** gru and lstm, and their cells. */

import type { MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { at, filled, noise, tensor, type Values } from '../values.js';

type Direction = 'forward' | 'backward' | 'both';

const [STEPS, BATCHES, INPUTS, HIDDEN] = [3, 2, 3, 2] as const;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Parameters of one direction, as the operators have them. */
interface Parameters {
  readonly weight: Values;
  readonly recurrentWeight: Values;
  readonly bias: Values;
  readonly recurrentBias: Values;
  readonly peepholeWeight: Values;
}

function parameters(gates: number, directions: number): Parameters {
  const rows = gates * HIDDEN;
  return {
    weight: noise([directions, rows, INPUTS], 41),
    recurrentWeight: noise([directions, rows, HIDDEN], 42),
    bias: noise([directions, rows], 43),
    recurrentBias: noise([directions, rows], 44),
    peepholeWeight: noise([directions, 3 * HIDDEN], 45),
  };
}

function part(values: Values, index: number): Values {
  return filled(values.shape.slice(1), (...place) => at(values, [index, ...place]));
}

function partOf(all: Parameters, index: number): Parameters {
  return Object.fromEntries(
    Object.entries(all).map(([name, values]) => [name, part(values, index)]),
  ) as unknown as Parameters;
}

/** What a row of weights makes of a vector. */
function weighed(weights: Values, bias: Values, row: number, x: (place: number) => number): number {
  const [, size] = weights.shape as [number, number];
  let sum = at(bias, [row]);
  for (let place = 0; place < size; place++) sum += at(weights, [row, place]) * x(place);
  return sum;
}

type State = readonly [hidden: Values, cell: Values];
type Cell = (input: Values, state: State, parameters: Parameters) => State;

/** Gates in the order update, reset, new; reset is applied after the multiplication. */
const gruCell: Cell = (input, [hidden], { weight, recurrentWeight, bias, recurrentBias }) => {
  const next = filled([BATCHES, HIDDEN], (batch = 0, unit = 0) => {
    const own = (gate: number) => weighed(weight, bias, gate * HIDDEN + unit, (i) => at(input, [batch, i]));
    const recurrent = (gate: number) =>
      weighed(recurrentWeight, recurrentBias, gate * HIDDEN + unit, (i) => at(hidden, [batch, i]));
    const update = sigmoid(own(0) + recurrent(0));
    const reset = sigmoid(own(1) + recurrent(1));
    const fresh = Math.tanh(own(2) + reset * recurrent(2));
    return update * at(hidden, [batch, unit]) + (1 - update) * fresh;
  });
  return [next, next];
};

/** The same with reset applied to the hidden state. */
const gruCellResetBefore: Cell = (input, [hidden], { weight, recurrentWeight, bias, recurrentBias }) => {
  const gate = (place: number, batch: number, unit: number) => {
    const row = place * HIDDEN + unit;
    const own = weighed(weight, bias, row, (i) => at(input, [batch, i]));
    return sigmoid(own + weighed(recurrentWeight, recurrentBias, row, (i) => at(hidden, [batch, i])));
  };
  const next = filled([BATCHES, HIDDEN], (batch = 0, unit = 0) => {
    const row = 2 * HIDDEN + unit;
    const own = weighed(weight, bias, row, (i) => at(input, [batch, i]));
    const remembered = (i: number) => gate(1, batch, i) * at(hidden, [batch, i]);
    const fresh = Math.tanh(own + weighed(recurrentWeight, recurrentBias, row, remembered));
    const update = gate(0, batch, unit);
    return update * at(hidden, [batch, unit]) + (1 - update) * fresh;
  });
  return [next, next];
};

/** Gates in the order input, output, forget, cell. */
const lstmCell: Cell = (input, [hidden, cell], { weight, recurrentWeight, bias, recurrentBias, peepholeWeight }) => {
  const sumOf = (gate: number, batch: number, unit: number) => {
    const row = gate * HIDDEN + unit;
    const own = weighed(weight, bias, row, (i) => at(input, [batch, i]));
    return own + weighed(recurrentWeight, recurrentBias, row, (i) => at(hidden, [batch, i]));
  };
  const peeped = (gate: number, batch: number, unit: number, state: Values) =>
    sigmoid(sumOf(gate, batch, unit) + at(peepholeWeight, [gate * HIDDEN + unit]) * at(state, [batch, unit]));
  const next = filled([BATCHES, HIDDEN], (batch = 0, unit = 0) => {
    const kept = peeped(2, batch, unit, cell) * at(cell, [batch, unit]);
    return kept + peeped(0, batch, unit, cell) * Math.tanh(sumOf(3, batch, unit));
  });
  const output = filled([BATCHES, HIDDEN], (batch = 0, unit = 0) => {
    return peeped(1, batch, unit, cell) * Math.tanh(at(next, [batch, unit]));
  });
  return [output, next];
};

function stacked(parts: readonly Values[]): Values {
  const [first] = parts as [Values];
  return tensor(
    [parts.length, ...first.shape],
    parts.flatMap(({ data }) => data),
  );
}

const INPUT = noise([STEPS, BATCHES, INPUTS], 46);
const [HIDDEN_STATE, CELL_STATE] = [noise([BATCHES, HIDDEN], 47), noise([BATCHES, HIDDEN], 48)];

/** Final states of all directions, and the sequence of hidden states. */
function network(cell: Cell, all: Parameters, direction: Direction, initial: State): [Values, Values, Values] {
  const runs = (direction === 'both' ? [false, true] : [direction === 'backward']).map((isBackward, index) => {
    const sequence: Values[] = [];
    let state = initial;
    for (let place = 0; place < STEPS; place++) {
      const time = isBackward ? STEPS - 1 - place : place;
      state = cell(part(INPUT, time), state, partOf(all, index));
      sequence[time] = state[0];
    }
    return { state, sequence };
  });
  const sequence = Array.from({ length: STEPS }, (_, time) => stacked(runs.map((run) => run.sequence[time] as Values)));
  return [stacked(runs.map(({ state }) => state[0])), stacked(runs.map(({ state }) => state[1])), stacked(sequence)];
}

function gru(direction: Direction): Case {
  const directions = direction === 'both' ? 2 : 1;
  const { peepholeWeight: _, ...all } = parameters(3, directions);
  const zeros = filled([BATCHES, HIDDEN], () => 0);
  const [last, , sequence] = network(gruCell, { ...all, peepholeWeight: all.bias }, direction, [zeros, zeros]);
  return check(
    'gru',
    { input: INPUT, ...all },
    (builder, { input, weight, recurrentWeight, ...biases }) =>
      builder.gru(input as MLOperand, weight as MLOperand, recurrentWeight as MLOperand, STEPS, HIDDEN, {
        ...biases,
        direction,
        returnSequence: true,
      }),
    [last, sequence],
    { what: direction },
  );
}

function lstm(direction: Direction): Case {
  const all = parameters(4, direction === 'both' ? 2 : 1);
  const [last, cell, sequence] = network(lstmCell, all, direction, [HIDDEN_STATE, CELL_STATE]);
  const twice = (state: Values) => stacked(direction === 'both' ? [state, state] : [state]);
  const states = { initialHiddenState: twice(HIDDEN_STATE), initialCellState: twice(CELL_STATE) };
  return check(
    'lstm',
    { input: INPUT, ...all, ...states },
    (builder, { input, weight, recurrentWeight, ...others }) =>
      builder.lstm(input as MLOperand, weight as MLOperand, recurrentWeight as MLOperand, STEPS, HIDDEN, {
        ...others,
        direction,
        returnSequence: true,
      }),
    [last, cell, sequence],
    { what: direction },
  );
}

function gruCellCase(resetAfter: boolean): Case {
  const { peepholeWeight: _, ...all } = partOf(parameters(3, 1), 0);
  const cell = resetAfter ? gruCell : gruCellResetBefore;
  const [expected] = cell(part(INPUT, 0), [HIDDEN_STATE, HIDDEN_STATE], { ...all, peepholeWeight: all.bias });
  return check(
    'gruCell',
    { input: part(INPUT, 0), ...all, hiddenState: HIDDEN_STATE },
    (builder, { input, weight, recurrentWeight, hiddenState, ...biases }) =>
      builder.gruCell(
        input as MLOperand,
        weight as MLOperand,
        recurrentWeight as MLOperand,
        hiddenState as MLOperand,
        HIDDEN,
        { ...biases, resetAfter },
      ),
    expected,
    { what: resetAfter ? 'reset after' : 'reset before' },
  );
}

const LSTM_CELL: Case = check(
  'lstmCell',
  { input: part(INPUT, 0), ...partOf(parameters(4, 1), 0), hiddenState: HIDDEN_STATE, cellState: CELL_STATE },
  (builder, { input, weight, recurrentWeight, hiddenState, cellState, ...others }) =>
    builder.lstmCell(
      input as MLOperand,
      weight as MLOperand,
      recurrentWeight as MLOperand,
      hiddenState as MLOperand,
      cellState as MLOperand,
      HIDDEN,
      others,
    ),
  lstmCell(part(INPUT, 0), [HIDDEN_STATE, CELL_STATE], partOf(parameters(4, 1), 0)),
);

export const RECURRENT_CASES: readonly Case[] = [
  gru('forward'),
  gru('backward'),
  gru('both'),
  gruCellCase(true),
  gruCellCase(false),
  lstm('forward'),
  lstm('backward'),
  lstm('both'),
  LSTM_CELL,
];
