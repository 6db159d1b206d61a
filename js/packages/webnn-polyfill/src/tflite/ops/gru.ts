/** gru and gruCell. */

import type { Call, OpEntry } from '../call.js';
import { add, mul, slicedAxis, sub } from '../calls.js';
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
  projected,
  type States,
  type Step,
} from './recurrent_network.js';

function stepOf(call: Call): Step {
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

function lowerGruCell(call: Call): readonly Tensor[] {
  const states: States = [call.input('hiddenState')];
  return lowerCell(call, states, stepOf(call), projected);
}

const MATRICES = exactly(FLOATS, 3);
const BIASES = exactly(FLOATS, 2);
const BUILTINS = 'FULLY_CONNECTED, SPLIT, ADD, MUL, SUB, LOGISTIC, TANH, RELU';

export const GRU: readonly OpEntry[] = [
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
    builtins: `${BUILTINS} for each step; SLICE, CONCATENATION`,
    lower: (call) => lowerNetwork(call, ['initialHiddenState'], stepOf(call), projected),
  },
  {
    op: 'gruCell',
    limits: {
      input: BIASES,
      weight: BIASES,
      recurrentWeight: BIASES,
      hiddenState: BIASES,
      bias: limits(FLOATS, [1, 1]),
      recurrentBias: limits(FLOATS, [1, 1]),
      output: BIASES,
    },
    builtins: BUILTINS,
    lower: lowerGruCell,
  },
];
