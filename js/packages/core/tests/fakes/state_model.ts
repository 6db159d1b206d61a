/** A model with a state: y = state = state + x, as the runner describes a recurrent op that WebNN has. */

import type { GraphPort, WebnnGraph } from 'tflite-webnn/explain';
import type { ModelDescription } from '../../src/description.js';
import { DIRECT } from './sin_model.js';

/** A float32[4] port of a graph. */
export function port(id: number, tensor: number): GraphPort {
  return { id, name: `t${tensor}`, tensor, dataType: 'float32', shape: [4] };
}

/** Reads x from t0, and reads and writes the state, t7. */
export const STATE_GRAPH: WebnnGraph = {
  inputs: [port(0, 0), port(1, 7)],
  constants: [],
  operators: [
    { op: 'add', label: '0:UNIDIRECTIONAL_SEQUENCE_LSTM', args: [{ operand: 0 }, { operand: 1 }, {}], outputs: [2] },
  ],
  outputs: [port(2, 5), port(2, 7)],
};

/** All of it on WebNN; the state is in the heap between two runs. */
export const STATEFUL: ModelDescription = {
  ...DIRECT,
  plan: [{ kind: 'webnn', graph: 0, inputs: [0, 7], outputs: [5, 7] }],
  graphs: [STATE_GRAPH],
};
