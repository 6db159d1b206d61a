/** The model sum = a + b on four floats, wholly on WebNN: two inputs of which one may be the last output. */

import type { ModelDescription } from '../../src/description.js';
import { DIRECT, floatTensor } from './sin_model.js';
import { port } from './state_model.js';

/** sum = a + b; the signature calls them left, right and total. */
export const ADD: ModelDescription = {
  ...DIRECT,
  inputs: [floatTensor(0, 'a'), floatTensor(1, 'b')],
  outputs: [floatTensor(2, 'sum')],
  signatures: [
    {
      key: 'serving_default',
      subgraph: 0,
      inputs: [
        { name: 'left', tensor: 0 },
        { name: 'right', tensor: 1 },
      ],
      outputs: [{ name: 'total', tensor: 2 }],
    },
  ],
  nodes: [],
  partitions: [],
  plan: [{ kind: 'webnn', graph: 0, inputs: [0, 1], outputs: [2] }],
  graphs: [
    {
      inputs: [port(0, 0), port(1, 1)],
      constants: [],
      operators: [{ op: 'add', label: '0:ADD', args: [{ operand: 0 }, { operand: 1 }, {}], outputs: [2] }],
      outputs: [port(2, 2)],
    },
  ],
};
