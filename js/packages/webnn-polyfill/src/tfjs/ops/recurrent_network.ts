/** Shared by gru and lstm: directions and steps. */

import type { MLRecurrentNetworkActivation, MLRecurrentNetworkDirection } from '../../generated/webnn_types.js';
import { range } from '../../operators/rule.js';
import type { Call, Frame, Source, Step } from '../call.js';
import * as tf from '../tf.js';

type Tensor = tf.Tensor;

const FUNCTIONS: Readonly<Record<MLRecurrentNetworkActivation, (x: Tensor) => Tensor>> = {
  relu: (x) => tf.relu(x),
  sigmoid: (x) => tf.sigmoid(x),
  tanh: (x) => tf.tanh(x),
};

/** Parameters of one direction. Weights are [gates * hiddenSize, ...], biases [gates * hiddenSize]. */
export interface Parameters {
  readonly weight: Tensor;
  readonly recurrentWeight: Tensor;
  readonly bias: Tensor | null;
  readonly recurrentBias: Tensor | null;
  /** [3 * hiddenSize], for lstm. */
  readonly peepholeWeight: Tensor | null;
}

/** Passed from step to step: the hidden state and lstm's cell state, each [batch, hiddenSize]. */
export type States = readonly [hidden: Tensor, ...cell: Tensor[]];

/** One step, from the product of its input and the weights: [batch, gates * hiddenSize]. */
export type Cell = (projected: Tensor, states: States, parameters: Parameters) => States;

export function activate(x: Tensor, activation: MLRecurrentNetworkActivation | undefined): Tensor {
  return FUNCTIONS[activation ?? 'tanh'](x);
}

/** x * weight^T + bias */
export function layer(x: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  return tf.fused.matMul({ a: x, b: weight, transposeB: true, ...(bias ? { bias } : {}) });
}

/** The parts of [batch, count * hiddenSize]. */
export function gates(x: Tensor, count: number): Tensor[] {
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
export function compileCell(call: Call, stateNames: readonly string[], cell: Cell): Step {
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
export function compileNetwork(call: Call, stateNames: readonly string[], cell: Cell): Step {
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
