/** gru and lstm, and their cells. */

import type { OperatorCalls } from '../../generated/operator_calls.js';
import type { MLRecurrentNetworkActivation, MLRecurrentNetworkDirection } from '../../generated/webnn_types.js';
import { range } from '../../operators/rule.js';
import { type Call, entry, type Frame, type Source, type Step } from '../op_entry.js';
import * as tf from '../tf.js';

type Tensor = tf.Tensor;

const FUNCTIONS: Readonly<Record<MLRecurrentNetworkActivation, (x: Tensor) => Tensor>> = {
  relu: (x) => tf.relu(x),
  sigmoid: (x) => tf.sigmoid(x),
  tanh: (x) => tf.tanh(x),
};

/** Parameters of one direction. Weights are [gates * hiddenSize, ...], biases [gates * hiddenSize]. */
interface Parameters {
  readonly weight: Tensor;
  readonly recurrentWeight: Tensor;
  readonly bias: Tensor | null;
  readonly recurrentBias: Tensor | null;
  /** [3 * hiddenSize], for lstm. */
  readonly peepholeWeight: Tensor | null;
}

/** Passed from step to step: the hidden state and lstm's cell state, each [batch, hiddenSize]. */
type States = readonly [hidden: Tensor, ...cell: Tensor[]];

/** One step, from the product of its input and the weights: [batch, gates * hiddenSize]. */
type Cell = (projected: Tensor, states: States, parameters: Parameters) => States;

function activate(x: Tensor, activation: MLRecurrentNetworkActivation | undefined): Tensor {
  return FUNCTIONS[activation ?? 'tanh'](x);
}

/** x * weight^T + bias */
function layer(x: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  return tf.fused.matMul({ a: x, b: weight, transposeB: true, ...(bias ? { bias } : {}) });
}

/** The parts of [batch, count * hiddenSize]. */
function gates(x: Tensor, count: number): Tensor[] {
  return tf.split(x, count, 1);
}

type Sources = { readonly [Name in keyof Parameters]: Source | null };

function sources(call: Call): Sources {
  const find = (name: string) => (call.has(name) ? call.operand(name) : null);
  return {
    weight: find('weight'),
    recurrentWeight: find('recurrentWeight'),
    bias: find('bias'),
    recurrentBias: find('recurrentBias'),
    peepholeWeight: find('peepholeWeight'),
  };
}

/** Parameters of the running graph; `part` selects a direction's. */
function parametersOf(from: Sources, frame: Frame, part: (tensor: Tensor) => Tensor): Parameters {
  const entries = Object.entries(from).map(([name, source]) => [name, source && part(source(frame))]);
  return Object.fromEntries(entries) as Parameters;
}

/** A single step. */
function compileCell(call: Call, stateNames: readonly string[], cell: Cell): Step {
  const [input, from, initial] = [call.operand('input'), sources(call), stateNames.map((name) => call.operand(name))];
  return (frame) => {
    const parameters = parametersOf(from, frame, (tensor) => tensor);
    const states = initial.map((state) => state(frame)) as unknown as States;
    return cell(layer(input(frame), parameters.weight, parameters.bias), states, parameters);
  };
}

interface Run {
  readonly states: States;
  /** Hidden states in the order of time. */
  readonly sequence: readonly Tensor[];
}

function runDirection(x: Tensor, parameters: Parameters, initial: States, cell: Cell, isBackward: boolean): Run {
  const [steps, batches, size] = x.shape as [number, number, number];
  // The weights multiply the inputs of all steps in one product.
  const projected = layer(tf.reshape(x, [steps * batches, size]), parameters.weight, parameters.bias);
  const inputs = tf.split(projected, steps, 0);
  const sequence: Tensor[] = [];
  let states = initial;
  for (const step of range(0, steps)) {
    const time = isBackward ? steps - 1 - step : step;
    states = cell(inputs[time] as Tensor, states, parameters);
    sequence[time] = states[0];
  }
  return { states, sequence };
}

interface NetworkAttributes {
  readonly hiddenSize: number;
  readonly direction: MLRecurrentNetworkDirection;
  readonly returnSequence: boolean;
}

/** The entire network: final states, [directions, batch, hiddenSize] each, and the sequence if requested. */
function compileNetwork(call: Call, stateNames: readonly string[], cell: Cell): Step {
  const { hiddenSize, direction, returnSequence } = call.attributes as unknown as NetworkAttributes;
  const [input, from] = [call.operand('input'), sources(call)];
  const initial = stateNames.map((name) => (call.has(name) ? call.operand(name) : null));
  const directions = range(0, direction === 'both' ? 2 : 1);
  return (frame) => {
    const x = input(frame);
    const runs = directions.map((index) => {
      const part = (tensor: Tensor) => partOf(tensor, index);
      const zeros = () => tf.zeros([x.shape[1] as number, hiddenSize]);
      const states = initial.map((state) => (state ? part(state(frame)) : zeros())) as unknown as States;
      const isBackward = direction === 'backward' || index === 1;
      return runDirection(x, parametersOf(from, frame, part), states, cell, isBackward);
    });
    const finals = stateNames.map((_, index) =>
      tf.stack(
        runs.map(({ states }) => states[index] as Tensor),
        0,
      ),
    );
    if (!returnSequence) return finals;
    return [
      ...finals,
      tf.stack(
        runs.map(({ sequence }) => tf.stack([...sequence], 0)),
        1,
      ),
    ];
  };
}

/** One index of the first axis, without that axis. */
function partOf(tensor: Tensor, index: number): Tensor {
  const [, ...shape] = tensor.shape;
  return tf.reshape(tf.slice(tensor, index, 1), shape);
}

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
  entry('gru', (call) => compileNetwork(call as unknown as Call, ['initialHiddenState'], gruCell(call.attributes))),
  entry('gruCell', (call) => compileCell(call as unknown as Call, ['hiddenState'], gruCell(call.attributes))),
  entry('lstm', (call) =>
    compileNetwork(call as unknown as Call, ['initialHiddenState', 'initialCellState'], lstmCell(call.attributes)),
  ),
  entry('lstmCell', (call) =>
    compileCell(call as unknown as Call, ['hiddenState', 'cellState'], lstmCell(call.attributes)),
  ),
];
