/** The model f(x) = sin(x) + x + sin(2x) on four floats, as the runner describes it, and what its nodes compute. */

import type { NodeInfo, PartitionInfo, TensorInfo, TFLiteModel } from 'tflite-webnn';
import type { GraphPort, WebnnGraph } from 'tflite-webnn/explain';
import { expect } from 'vitest';
import type { ModelDescription, PlanStep } from '../../src/description.js';
import type { FakeRunner } from './fake_wasm.js';

/** A float32[4] tensor. */
export function floatTensor(index: number, name: string): TensorInfo {
  return { index, name, dtype: 'float32', shape: [4], shapeSignature: [4], sizeBytes: 16, quantization: null };
}

// t0 = x, t1 = sin(x), t2 = t1 + x, t3 = 2x, t4 = sin(t3), t5 = t2 + t4
const NODES = [
  { op: 'SIN', inputs: [0], outputs: [1] },
  { op: 'ADD', inputs: [1, 0], outputs: [2] },
  { op: 'MUL', inputs: [0], outputs: [3] },
  { op: 'SIN', inputs: [3], outputs: [4] },
  { op: 'ADD', inputs: [2, 4], outputs: [5] },
] as const;

const BASE = {
  inputs: [floatTensor(0, 'x')],
  outputs: [floatTensor(5, 'y')],
  variables: [],
  subgraphs: [],
  sharesState: false,
  keepsState: false,
  threads: 1,
  signatures: [
    {
      key: 'serving_default',
      subgraph: 0,
      inputs: [{ name: 'angle', tensor: 0 }],
      outputs: [{ name: 'f', tensor: 5 }],
    },
  ],
};

function nodes(onWebnn: (node: number) => boolean): NodeInfo[] {
  return NODES.map(({ op }, index) => ({
    index,
    op,
    version: 1,
    name: `t${index + 1}`,
    placement: onWebnn(index) ? 'webnn' : 'cpu',
    partition: -1,
    reason: null,
    supported: onWebnn(index),
    composite: null,
    pattern: null,
    quantized: null,
    notFused: null,
    webnnOps: onWebnn(index) ? [op.toLowerCase()] : [],
  }));
}

const OPS = NODES.map(({ op }) => op);

/** A partition of these nodes; `graph` is null on the CPU. Tensors are named as the inputs and outputs of the graph. */
function partition(graph: number | null, nodes: number[], inputs: number[], outputs: number[]): PartitionInfo {
  return {
    placement: graph === null ? 'cpu' : 'webnn',
    graph,
    nodes,
    ops: nodes.map((node) => OPS[node] as string),
    inputs: inputs.map((tensor) => floatTensor(tensor, `t${tensor}`)),
    outputs: outputs.map((tensor) => floatTensor(tensor, `t${tensor}`)),
  };
}

function port(id: number, tensor: number): GraphPort {
  return { id, name: `t${tensor}`, tensor, dataType: 'float32', shape: [4] };
}

function sinGraph(node: number, input: number, output: number): WebnnGraph {
  return {
    inputs: [port(0, input)],
    constants: [],
    operators: [{ op: 'sin', label: `${node}:SIN`, args: [{ operand: 0 }, {}], outputs: [1] }],
    outputs: [port(1, output)],
  };
}

const TWICE = new Float32Array([2]);

/** All nodes in one graph; the constant 2 is at address 4096 of the heap. */
const FULL_GRAPH: WebnnGraph = {
  inputs: [port(0, 0)],
  constants: [{ id: 9, dataType: 'float32', shape: [1], address: 4096, byteLength: TWICE.byteLength }],
  operators: [
    { op: 'sin', label: '0:SIN', args: [{ operand: 0 }, {}], outputs: [1] },
    { op: 'add', label: '1:ADD', args: [{ operand: 1 }, { operand: 0 }, {}], outputs: [2] },
    { op: 'mul', label: '2:MUL', args: [{ operand: 0 }, { operand: 9 }, {}], outputs: [3] },
    { op: 'sin', label: '3:SIN', args: [{ operand: 3 }, {}], outputs: [4] },
    { op: 'add', label: '4:ADD', args: [{ operand: 2 }, { operand: 4 }, {}], outputs: [5] },
  ],
  outputs: [port(5, 5)],
};

/** Everything on the CPU. */
export const ON_CPU: ModelDescription = {
  ...BASE,
  nodes: nodes(() => false),
  partitions: [partition(null, [0, 1, 2, 3, 4], [0], [5])],
  plan: [{ kind: 'cpu', first: 0, count: 5, inputs: [0], outputs: [5] }],
  graphs: [],
  delegate: { enabled: false, error: null, isFasterOnCpu: false, workarounds: [] },
  xnnpack: { dotProduct: 'none', excludedNodes: [] },
};

/** Everything on WebNN. */
export const DIRECT: ModelDescription = {
  ...BASE,
  nodes: nodes(() => true),
  partitions: [partition(0, [0, 1, 2, 3, 4], [0], [5])],
  plan: [{ kind: 'webnn', graph: 0, inputs: [0], outputs: [5] }],
  graphs: [FULL_GRAPH],
  delegate: { enabled: true, error: null, isFasterOnCpu: false, workarounds: [] },
  xnnpack: { dotProduct: 'none', excludedNodes: [] },
};

const STEPPED_PLAN: readonly PlanStep[] = [
  { kind: 'webnn', graph: 0, inputs: [0], outputs: [1] },
  { kind: 'cpu', first: 1, count: 2, inputs: [1, 0], outputs: [2, 3] },
  { kind: 'webnn', graph: 1, inputs: [3], outputs: [4] },
  { kind: 'cpu', first: 4, count: 1, inputs: [2, 4], outputs: [5] },
];

/** Only the sines on WebNN. */
export const STEPPED: ModelDescription = {
  ...BASE,
  nodes: nodes((node) => node === 0 || node === 3),
  partitions: [
    partition(0, [0], [0], [1]),
    partition(null, [1, 2], [1, 0], [2, 3]),
    partition(1, [3], [3], [4]),
    partition(null, [4], [2, 4], [5]),
  ],
  plan: STEPPED_PLAN,
  graphs: [sinGraph(0, 0, 1), sinGraph(3, 3, 4)],
  delegate: { enabled: true, error: null, isFasterOnCpu: false, workarounds: [] },
  xnnpack: { dotProduct: 'none', excludedNodes: [] },
};

/** What the plan entries of STEPPED compute on the CPU, and (first = -1) the entire model. */
function computeSin(first: number, count: number, tensor: (index: number) => Float32Array): void {
  const last = first === -1 ? NODES.length : first + count;
  for (const { op, inputs, outputs } of NODES.slice(Math.max(first, 0), last)) {
    const [a, b] = inputs.map(tensor);
    tensor(outputs[0]).forEach((_, i, output) => {
      const x = a?.[i] ?? 0;
      output[i] = op === 'SIN' ? Math.sin(x) : op === 'MUL' ? 2 * x : x + (b?.[i] ?? 0);
    });
  }
}

/** A runner of the model that is described by `webnn` where WebNN is requested. */
export function sinRunner(webnn: ModelDescription, more: Partial<FakeRunner> = {}): FakeRunner {
  return {
    describe: (options, heap) => {
      heap.set(new Uint8Array(TWICE.buffer), 4096);
      return options.enable_webnn_delegate === '1' ? webnn : ON_CPU;
    },
    invoke: computeSin,
    ...more,
  };
}

/** f(x), for comparing. */
export function expected(x: readonly number[]): number[] {
  return x.map((value) => Math.sin(value) + value + Math.sin(2 * value));
}

/** An input. */
export const X = [0, 1, 2, -3];

/** Runs the model on X. */
export async function expectRight(model: Pick<TFLiteModel, 'run'>): Promise<void> {
  const [y] = await model.run(Float32Array.from(X));
  expect(Array.from(y?.data as Float32Array)).toEqual(expected(X).map((value) => expect.closeTo(value, 5)));
}
