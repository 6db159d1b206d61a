/** One step of gru. */

import type { OperatorCalls } from '../../generated/operator_calls.js';
import * as tf from '../tf.js';
import { activate, type Cell, gates, layer, type Parameters } from './recurrent_network.js';

type Attributes = Pick<OperatorCalls['gruCell']['attributes'], 'layout' | 'resetAfter' | 'activations'>;

/** The hidden state's part of some of the three gates. */
function recurrent(hidden: tf.Tensor, parameters: Parameters, first: number, count: number): tf.Tensor {
  const { recurrentWeight, recurrentBias } = parameters;
  const size = (recurrentWeight.shape[0] as number) / 3;
  const part = (tensor: tf.Tensor) => tf.slice(tensor, first * size, count * size);
  return layer(hidden, part(recurrentWeight), recurrentBias && part(recurrentBias));
}

/** https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell */
export function gruCell({ layout, resetAfter, activations = [] }: Attributes): Cell {
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
