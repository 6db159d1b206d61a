/** gru and lstm, and their cells. */

import type { OperatorCalls } from '../../generated/operator_calls.js';
import type { Call } from '../call.js';
import { row } from '../row.js';
import * as tf from '../tf.js';
import {
  activate,
  type Cell,
  compileCell,
  compileNetwork,
  gates,
  layer,
  type Parameters,
} from './recurrent_network.js';

type GruAttributes = Pick<OperatorCalls['gruCell']['attributes'], 'layout' | 'resetAfter' | 'activations'>;

/** The hidden state's part of some of the three gates. */
function recurrent(hidden: tf.Tensor, parameters: Parameters, first: number, count: number): tf.Tensor {
  const { recurrentWeight, recurrentBias } = parameters;
  const size = (recurrentWeight.shape[0] as number) / 3;
  const part = (tensor: tf.Tensor) => tf.slice(tensor, first * size, count * size);
  return layer(hidden, part(recurrentWeight), recurrentBias && part(recurrentBias));
}

/** https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell */
function gruCell({ layout, resetAfter, activations = [] }: GruAttributes): Cell {
  return (projected, [hidden], parameters) => {
    const [first, second, candidate] = gates(projected, 3) as [tf.Tensor, tf.Tensor, tf.Tensor];
    const [h1, h2] = gates(recurrent(hidden, parameters, 0, 2), 2) as [tf.Tensor, tf.Tensor];
    const [g1, g2] = [activate(tf.add(first, h1), activations[0]), activate(tf.add(second, h2), activations[0])];
    const [update, reset] = layout === 'zrn' ? [g1, g2] : [g2, g1];
    const remembered = resetAfter
      ? tf.mul(reset, recurrent(hidden, parameters, 2, 1))
      : recurrent(tf.mul(reset, hidden), parameters, 2, 1);
    const fresh = activate(tf.add(candidate, remembered), activations[1]);
    return [tf.add(tf.mul(update, hidden), tf.mul(tf.sub(1, update), fresh))];
  };
}

type LstmAttributes = Pick<OperatorCalls['lstmCell']['attributes'], 'layout' | 'activations'>;
type Four = [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];

/** Indices of the input, output, forget and cell gate. */
const GATE_INDICES = { iofg: [0, 1, 2, 3], ifgo: [0, 3, 1, 2] } as const;

/** Peepholes are in the order input, output, forget, whatever the layout. */
function withPeephole(sum: tf.Tensor, state: tf.Tensor, { peepholeWeight }: Parameters, index: number): tf.Tensor {
  if (!peepholeWeight) return sum;
  const size = (peepholeWeight.shape[0] as number) / 3;
  return tf.add(sum, tf.mul(state, tf.slice(peepholeWeight, index * size, size)));
}

/** https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell */
function lstmCell({ layout, activations = [] }: LstmAttributes): Cell {
  return (projected, [hidden, cell], parameters) => {
    const memory = cell as tf.Tensor;
    const sums = gates(tf.add(projected, layer(hidden, parameters.recurrentWeight, parameters.recurrentBias)), 4);
    const [input, output, forget, fresh] = GATE_INDICES[layout].map((index) => sums[index]) as Four;
    const gate = (sum: tf.Tensor, index: number) =>
      activate(withPeephole(sum, memory, parameters, index), activations[0]);
    const kept = tf.mul(gate(forget, 2), memory);
    const next = tf.add(kept, tf.mul(gate(input, 0), activate(fresh, activations[1])));
    return [tf.mul(gate(output, 1), activate(next, activations[2])), next];
  };
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gru and the others */
export const RECURRENT = [
  row('gru', (call) => compileNetwork(call as unknown as Call, ['initialHiddenState'], gruCell(call.attributes))),
  row('gruCell', (call) => compileCell(call as unknown as Call, ['hiddenState'], gruCell(call.attributes))),
  row('lstm', (call) =>
    compileNetwork(call as unknown as Call, ['initialHiddenState', 'initialCellState'], lstmCell(call.attributes)),
  ),
  row('lstmCell', (call) =>
    compileCell(call as unknown as Call, ['hiddenState', 'cellState'], lstmCell(call.attributes)),
  ),
];
