/** lstm and lstmCell. */

import type { Call, OpEntry } from '../call.js';
import { add, mul, slicedAxis } from '../calls.js';
import type { Net } from '../net.js';
import { exactly, FLOATS, limits } from '../row.js';
import { dimension, type Tensor } from '../tensor.js';
import { layer } from './matrix.js';
import {
  type Activation,
  activate,
  gates,
  lowerCell,
  lowerNetwork,
  type Parameters,
  type Projection,
  projected,
  type Step,
} from './recurrent_network.js';

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

function stepOf(call: Call): Step {
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
const VECTOR = limits(FLOATS, [1, 1]);
const BUILTINS = 'FULLY_CONNECTED, SPLIT, ADD, MUL, LOGISTIC, TANH, RELU';

export const LSTM: readonly OpEntry[] = [
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
    builtins: `${BUILTINS} for each step; SLICE, CONCATENATION`,
    lower: (call) => lowerNetwork(call, ['initialHiddenState', 'initialCellState'], stepOf(call), biased),
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
    builtins: BUILTINS,
    lower: (call) => lowerCell(call, [call.input('hiddenState'), call.input('cellState')], stepOf(call), biased),
  },
];
