/** A model with a total that its caller keeps: total' = total + x, y = total' * x, on four floats. */

import type { WebnnGraph } from 'tflite-webnn/explain';
import type { ModelDescription } from '../../src/description.js';
import type { FakeRunner } from './fake_wasm.js';
import { DIRECT, floatTensor, ON_CPU } from './sin_model.js';
import { port } from './state_model.js';

// t0 = x, t1 = total, t2 = y, t3 = total'
const PORTS = {
  inputs: [floatTensor(0, 'x'), floatTensor(1, 'total_in')],
  outputs: [floatTensor(2, 'y'), floatTensor(3, 'total_out')],
  signatures: [
    {
      key: 'step',
      subgraph: 0,
      inputs: [
        { name: 'x', tensor: 0 },
        { name: 'total', tensor: 1 },
      ],
      outputs: [
        { name: 'y', tensor: 2 },
        { name: 'total', tensor: 3 },
      ],
    },
  ],
  nodes: [],
  partitions: [],
};

const ADD = { op: 'add', label: '0:ADD', args: [{ operand: 0 }, { operand: 1 }, {}], outputs: [3] };
const MUL = { op: 'mul', label: '1:MUL', args: [{ operand: 3 }, { operand: 0 }, {}], outputs: [2] };

const FULL: WebnnGraph = {
  inputs: [port(0, 0), port(1, 1)],
  constants: [],
  operators: [ADD, MUL],
  outputs: [port(2, 2), port(3, 3)],
};

/** All of it on WebNN. */
export const TOTAL_DIRECT: ModelDescription = {
  ...DIRECT,
  ...PORTS,
  plan: [{ kind: 'webnn', graph: 0, inputs: [0, 1], outputs: [2, 3] }],
  graphs: [FULL],
};

/** The addition on WebNN, the product on the CPU, which reads the new total. */
export const TOTAL_STEPPED: ModelDescription = {
  ...TOTAL_DIRECT,
  plan: [
    { kind: 'webnn', graph: 0, inputs: [0, 1], outputs: [3] },
    { kind: 'cpu', first: 1, count: 1, inputs: [0, 3], outputs: [2] },
  ],
  graphs: [{ ...FULL, operators: [ADD], outputs: [port(3, 3)] }],
};

/** The addition on the CPU, the product on WebNN. */
export const TOTAL_STEPPED_BACK: ModelDescription = {
  ...TOTAL_DIRECT,
  plan: [
    { kind: 'cpu', first: 0, count: 1, inputs: [0, 1], outputs: [3] },
    { kind: 'webnn', graph: 0, inputs: [3, 0], outputs: [2] },
  ],
  graphs: [{ inputs: [port(3, 3), port(0, 0)], constants: [], operators: [MUL], outputs: [port(2, 2)] }],
};

/** All of it on the CPU. */
export const TOTAL_ON_CPU: ModelDescription = {
  ...ON_CPU,
  ...PORTS,
  plan: [{ kind: 'cpu', first: 0, count: 2, inputs: [0, 1], outputs: [2, 3] }],
};

/** What computes it in wasm; a first of -1 is the entire model. */
export function totalRunner(description: ModelDescription, more: Partial<FakeRunner> = {}): FakeRunner {
  return {
    describe: (options) => (options.enable_webnn_delegate === '1' ? description : TOTAL_ON_CPU),
    invoke(first, _, tensor) {
      const [x, total, y, next] = [tensor(0), tensor(1), tensor(2), tensor(3)];
      for (let i = 0; i < 4; i++) {
        if (first <= 0) next[i] = (total[i] as number) + (x[i] as number);
        if (first !== 0) y[i] = (next[i] as number) * (x[i] as number);
      }
    },
    ...more,
  };
}
