/** One step of lstm. */

import type { OperatorCalls } from '../../generated/operator_calls.js';
import * as tf from '../tf.js';
import { activate, type Cell, gates, layer, type Parameters } from './recurrent_network.js';

type Attributes = Pick<OperatorCalls['lstmCell']['attributes'], 'layout' | 'activations'>;
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
export function lstmCell({ layout, activations = [] }: Attributes): Cell {
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
