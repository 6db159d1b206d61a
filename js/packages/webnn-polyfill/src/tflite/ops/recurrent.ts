/** gru and lstm, and their cells. Directions and steps are unrolled. */

import { reshaped } from '../broadcast.js';
import { add, concatenated, mul, range, sliced, slicedAxis, splitAxis, sub, unary } from '../calls.js';
import type { BuiltinName } from '../model.js';
import type { Net } from '../net.js';
import { type Call, exactly, FLOATS, type OpEntry } from '../op_entry.js';
import { dimension, type Tensor } from '../tensor.js';
import { layer } from './matrix.js';

type Activation = 'relu' | 'sigmoid' | 'tanh';

const ACTIVATIONS: Readonly<Record<Activation, BuiltinName>> = { relu: 'RELU', sigmoid: 'LOGISTIC', tanh: 'TANH' };

function activate(net: Net, input: Tensor, activation: Activation | undefined): Tensor {
  return unary(net, ACTIVATIONS[activation ?? 'tanh'], input);
}

/** Parameters of one direction. Weights are [gates * hiddenSize, ...], biases [gates * hiddenSize]. */
interface Parameters {
  readonly weight: Tensor;
  readonly recurrentWeight: Tensor;
  readonly bias: Tensor | undefined;
  readonly recurrentBias: Tensor | undefined;
  /** [3 * hiddenSize], for lstm. */
  readonly peepholeWeight: Tensor | undefined;
}

/** Passed from step to step: the hidden state and lstm's cell state, each [batch, hiddenSize]. */
type States = readonly [hidden: Tensor, ...cell: Tensor[]];

/** The projection of the inputs of all steps in one product: [steps * batch, gates * hiddenSize]. */
type Projection = (net: Net, rows: Tensor, parameters: Parameters) => Tensor;

/** The inputs times the weights, plus the bias. */
const projected: Projection = (net, rows, { weight, bias }) => layer(net, rows, weight, bias);

/** One step, from the projection of its input. */
type Step = (projection: Tensor, states: States, parameters: Parameters) => States;

/** The parts of [batch, count * hiddenSize]. */
function gates(net: Net, input: Tensor, count: number): Tensor[] {
  const width = dimension(input.shape, 1) / count;
  return splitAxis(net, input, 1, new Array<number>(count).fill(width));
}

function cellParameters(call: Call): Parameters {
  return {
    weight: call.input('weight'),
    recurrentWeight: call.input('recurrentWeight'),
    bias: call.optional('bias'),
    recurrentBias: call.optional('recurrentBias'),
    peepholeWeight: call.optional('peepholeWeight'),
  };
}

/** A single step. */
function lowerCell(call: Call, states: States, step: Step, project: Projection): States {
  const parameters = cellParameters(call);
  return step(project(call.net, call.input(), parameters), states, parameters);
}

/** Parameters of one direction of a network. */
function directionParameters(call: Call, direction: number): Parameters {
  const part = (tensor: Tensor | undefined) => tensor && partOf(call.net, tensor, direction);
  const { weight, recurrentWeight, ...others } = cellParameters(call);
  return {
    weight: partOf(call.net, weight, direction),
    recurrentWeight: partOf(call.net, recurrentWeight, direction),
    bias: part(others.bias),
    recurrentBias: part(others.recurrentBias),
    peepholeWeight: part(others.peepholeWeight),
  };
}

/** One index of the first axis, without that axis. */
function partOf(net: Net, tensor: Tensor, index: number): Tensor {
  return reshaped(net, slicedAxis(net, tensor, 0, index, 1), tensor.shape.slice(1));
}

interface Run {
  readonly states: States;
  /** Hidden states in the order of time. */
  readonly sequence: readonly Tensor[];
}

/** The entire network: final states, [directions, batch, hiddenSize] each, and the sequence if requested. */
function lowerNetwork(call: Call, initialStates: readonly string[], step: Step, project: Projection): Tensor[] {
  const { net } = call;
  const direction = call.attribute<'forward' | 'backward' | 'both'>('direction');
  const rows = rowsOfSteps(net, call.input());
  const runs = range(0, direction === 'both' ? 2 : 1).map((index) => {
    const states = initialStates.map((name) => initialState(call, name, index)) as unknown as States;
    const parameters = directionParameters(call, index);
    const projection = project(net, rows, parameters);
    return runDirection(call, projection, parameters, states, step, direction === 'backward' || index === 1);
  });
  const finals = initialStates.map((_, index) =>
    stacked(
      net,
      runs.map(({ states }) => states[index] as Tensor),
      0,
    ),
  );
  if (!call.attribute<boolean>('returnSequence')) return finals;
  const sequences = runs.map(({ sequence }) => stacked(net, sequence, 0));
  return [...finals, stacked(net, sequences, 1)];
}

function initialState(call: Call, name: string, direction: number): Tensor {
  const provided = call.optional(name);
  if (provided !== undefined) return partOf(call.net, provided, direction);
  const shape = [dimension(call.input().shape, 1), call.attribute<number>('hiddenSize')];
  return call.net.filled('FLOAT32', shape, 0);
}

function rowsOfSteps(net: Net, input: Tensor): Tensor {
  const [steps, batch, size] = input.shape as [number, number, number];
  return reshaped(net, input, [steps * batch, size]);
}

function runDirection(
  call: Call,
  projection: Tensor,
  parameters: Parameters,
  initial: States,
  step: Step,
  isBackward: boolean,
): Run {
  const { net } = call;
  const [steps, batch] = call.input().shape as [number, number, number];
  const width = dimension(projection.shape, 1);
  let states = initial;
  const sequence: Tensor[] = [];
  for (const time of isBackward ? range(steps - 1, steps, -1) : range(0, steps)) {
    states = step(sliced(net, projection, [time * batch, 0], [batch, width]), states, parameters);
    sequence[time] = states[0];
  }
  return { states, sequence };
}

/** Stacks tensors along a new axis. */
function stacked(net: Net, tensors: readonly Tensor[], axis: number): Tensor {
  return concatenated(
    net,
    tensors.map((tensor) => reshaped(net, tensor, tensor.shape.toSpliced(axis, 0, 1))),
    axis,
  );
}

function gruStep(call: Call): Step {
  const { net } = call;
  const activations = call.attribute<readonly Activation[]>('activations');
  const layout = call.attribute<'zrn' | 'rzn'>('layout');
  const isResetAfter = call.attribute<boolean>('resetAfter');
  return (projection, states, parameters) => {
    const hidden = states[0];
    const [first, second, candidate] = gates(net, projection, 3) as [Tensor, Tensor, Tensor];
    const [h1, h2, ...h3] = recurrentGates(net, hidden, parameters, isResetAfter) as [Tensor, Tensor, ...Tensor[]];
    const [g1, g2] = [add(net, first, h1), add(net, second, h2)].map((gate) => activate(net, gate, activations[0]));
    const [update, reset] = (layout === 'zrn' ? [g1, g2] : [g2, g1]) as [Tensor, Tensor];
    const recurrent = isResetAfter
      ? mul(net, reset, h3[0] as Tensor)
      : layer(net, mul(net, reset, hidden), ...rowsOf(net, parameters, 2, 1));
    const fresh = activate(net, add(net, candidate, recurrent), activations[1]);
    return [add(net, mul(net, update, hidden), mul(net, sub(net, 1, update), fresh))];
  };
}

/**
 * The product of the recurrent weights and the hidden state: of all gates, or of those that do not wait for the reset.
 */
function recurrentGates(net: Net, hidden: Tensor, parameters: Parameters, all: boolean): Tensor[] {
  const count = all ? 3 : 2;
  return gates(net, layer(net, hidden, ...rowsOf(net, parameters, 0, count)), count);
}

/** Recurrent weights and bias of some of the three gates. */
function rowsOf(net: Net, parameters: Parameters, first: number, count: number): [Tensor, Tensor | undefined] {
  const { recurrentWeight, recurrentBias } = parameters;
  const size = dimension(recurrentWeight.shape, 0) / 3;
  const part = (tensor: Tensor) => slicedAxis(net, tensor, 0, first * size, count * size);
  return [part(recurrentWeight), recurrentBias && part(recurrentBias)];
}

/** Indices of the input, output, forget and cell gate. */
const GATE_INDICES = { iofg: [0, 1, 2, 3], ifgo: [0, 3, 1, 2] } as const;

/**
 * Adds both biases before the first step. That is less work, and more exact: kernels would add the products to the
 * bias one by one.
 */
const biased: Projection = (net, rows, parameters) => {
  const projection = projected(net, rows, parameters);
  return parameters.recurrentBias === undefined ? projection : add(net, projection, parameters.recurrentBias);
};

function lstmStep(call: Call): Step {
  const { net } = call;
  const activations = call.attribute<readonly Activation[]>('activations');
  const gateIndices = GATE_INDICES[call.attribute<keyof typeof GATE_INDICES>('layout')];
  return (projection, [hidden, cell], parameters) => {
    const memory = cell as Tensor;
    const recurrent = layer(net, hidden, parameters.recurrentWeight);
    const sums = gates(net, add(net, projection, recurrent), 4);
    const [input, output, forget, fresh] = gateIndices.map((index) => sums[index]) as [Tensor, Tensor, Tensor, Tensor];
    const gate = (sum: Tensor, index: number) =>
      activate(net, withPeephole(net, sum, memory, parameters, index), activations[0]);
    const kept = mul(net, gate(forget, 2), memory);
    const next = add(net, kept, mul(net, gate(input, 0), activate(net, fresh, activations[1])));
    return [mul(net, gate(output, 1), activate(net, next, activations[2])), next];
  };
}

/** Peepholes use the state before the step. Their order is input, output, forget in every layout. */
function withPeephole(net: Net, sum: Tensor, state: Tensor, { peepholeWeight }: Parameters, index: number): Tensor {
  if (peepholeWeight === undefined) return sum;
  const size = dimension(peepholeWeight.shape, 0) / 3;
  return add(net, sum, mul(net, state, slicedAxis(net, peepholeWeight, 0, index * size, size)));
}

const MATRICES = exactly(FLOATS, 3);
const BIASES = exactly(FLOATS, 2);
const VECTOR = exactly(FLOATS, 1);
const GRU_BUILTINS = 'FULLY_CONNECTED, SPLIT, ADD, MUL, SUB, LOGISTIC, TANH, RELU';
const LSTM_BUILTINS = 'FULLY_CONNECTED, SPLIT, ADD, MUL, LOGISTIC, TANH, RELU';

export const RECURRENT: readonly OpEntry[] = [
  {
    op: 'gru',
    limits: {
      input: MATRICES,
      weight: MATRICES,
      recurrentWeight: MATRICES,
      bias: BIASES,
      recurrentBias: BIASES,
      initialHiddenState: MATRICES,
      output0: MATRICES,
      output1: exactly(FLOATS, 4),
    },
    builtins: `${GRU_BUILTINS} for each step; SLICE, CONCATENATION`,
    lower: (call) => lowerNetwork(call, ['initialHiddenState'], gruStep(call), projected),
  },
  {
    op: 'gruCell',
    limits: {
      input: BIASES,
      weight: BIASES,
      recurrentWeight: BIASES,
      hiddenState: BIASES,
      bias: VECTOR,
      recurrentBias: VECTOR,
      output: BIASES,
    },
    builtins: GRU_BUILTINS,
    lower: (call) => lowerCell(call, [call.input('hiddenState')], gruStep(call), projected),
  },
  {
    op: 'lstm',
    limits: {
      input: MATRICES,
      weight: MATRICES,
      recurrentWeight: MATRICES,
      bias: BIASES,
      recurrentBias: BIASES,
      peepholeWeight: BIASES,
      initialHiddenState: MATRICES,
      initialCellState: MATRICES,
      output0: MATRICES,
      output1: MATRICES,
      output2: exactly(FLOATS, 4),
    },
    builtins: `${LSTM_BUILTINS} for each step; SLICE, CONCATENATION`,
    lower: (call) => lowerNetwork(call, ['initialHiddenState', 'initialCellState'], lstmStep(call), biased),
  },
  {
    op: 'lstmCell',
    limits: {
      input: BIASES,
      weight: BIASES,
      recurrentWeight: BIASES,
      hiddenState: BIASES,
      cellState: BIASES,
      bias: VECTOR,
      recurrentBias: VECTOR,
      peepholeWeight: VECTOR,
      output0: BIASES,
      output1: BIASES,
    },
    builtins: LSTM_BUILTINS,
    lower: (call) => lowerCell(call, [call.input('hiddenState'), call.input('cellState')], lstmStep(call), biased),
  },
];
