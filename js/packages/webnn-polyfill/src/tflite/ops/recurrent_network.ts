/** Shared by gru and lstm: directions and steps, unrolled. */

import { reshaped } from '../broadcast.js';
import type { Call } from '../call.js';
import { concatenated, range, sliced, slicedAxis, splitAxis, unary } from '../calls.js';
import type { Net } from '../net.js';
import type { BuiltinName } from '../schema.js';
import { dimension, type Tensor } from '../tensor.js';
import { layer } from './matrix.js';

export type Activation = 'relu' | 'sigmoid' | 'tanh';

const ACTIVATIONS: Readonly<Record<Activation, BuiltinName>> = { relu: 'RELU', sigmoid: 'LOGISTIC', tanh: 'TANH' };

export function activate(net: Net, input: Tensor, activation: Activation | undefined): Tensor {
  return unary(net, ACTIVATIONS[activation ?? 'tanh'], input);
}

/** Parameters of one direction. Weights are [gates * hiddenSize, ...], biases [gates * hiddenSize]. */
export interface Parameters {
  readonly weight: Tensor;
  readonly recurrentWeight: Tensor;
  readonly bias: Tensor | undefined;
  readonly recurrentBias: Tensor | undefined;
  /** [3 * hiddenSize], for lstm. */
  readonly peepholeWeight: Tensor | undefined;
}

/** Passed from step to step: the hidden state and lstm's cell state, each [batch, hiddenSize]. */
export type States = readonly [hidden: Tensor, ...cell: Tensor[]];

/** The projection of the inputs of all steps in one product: [steps * batch, gates * hiddenSize]. */
export type Projection = (net: Net, rows: Tensor, parameters: Parameters) => Tensor;

/** The inputs times the weights, plus the bias. */
export const projected: Projection = (net, rows, { weight, bias }) => layer(net, rows, weight, bias);

/** One step, from the projection of its input. */
export type Step = (projection: Tensor, states: States, parameters: Parameters) => States;

/** The parts of [batch, count * hiddenSize]. */
export function gates(net: Net, input: Tensor, count: number): Tensor[] {
  const width = dimension(input.shape, 1) / count;
  return splitAxis(net, input, 1, new Array<number>(count).fill(width));
}

function cellParameters(call: Call): Parameters {
  return {
    weight: call.input('weight'),
    recurrentWeight: call.input('recurrentWeight'),
    bias: call.optional('bias'),
    recurrentBias: call.optional('recurrentBias'),
    peepholeWeight: call.optional('peepholeWeight'),
  };
}

/** A single step. */
export function lowerCell(call: Call, states: States, step: Step, project: Projection): States {
  const parameters = cellParameters(call);
  return step(project(call.net, call.input(), parameters), states, parameters);
}

/** Parameters of one direction of a network. */
function directionParameters(call: Call, direction: number): Parameters {
  const part = (tensor: Tensor | undefined) => tensor && partOf(call.net, tensor, direction);
  const { weight, recurrentWeight, ...others } = cellParameters(call);
  return {
    weight: partOf(call.net, weight, direction),
    recurrentWeight: partOf(call.net, recurrentWeight, direction),
    bias: part(others.bias),
    recurrentBias: part(others.recurrentBias),
    peepholeWeight: part(others.peepholeWeight),
  };
}

/** One index of the first axis, without that axis. */
function partOf(net: Net, tensor: Tensor, index: number): Tensor {
  return reshaped(net, slicedAxis(net, tensor, 0, index, 1), tensor.shape.slice(1));
}

interface Run {
  readonly states: States;
  /** Hidden states in the order of time. */
  readonly sequence: readonly Tensor[];
}

/** The entire network: final states, [directions, batch, hiddenSize] each, and the sequence if requested. */
export function lowerNetwork(call: Call, initialStates: readonly string[], step: Step, project: Projection): Tensor[] {
  const { net } = call;
  const direction = call.attribute<'forward' | 'backward' | 'both'>('direction');
  const rows = rowsOfSteps(net, call.input());
  const runs = range(0, direction === 'both' ? 2 : 1).map((index) => {
    const states = initialStates.map((name) => initialState(call, name, index)) as unknown as States;
    const parameters = directionParameters(call, index);
    const projection = project(net, rows, parameters);
    return runDirection(call, projection, parameters, states, step, direction === 'backward' || index === 1);
  });
  const finals = initialStates.map((_, index) =>
    stacked(
      net,
      runs.map(({ states }) => states[index] as Tensor),
      0,
    ),
  );
  if (!call.attribute<boolean>('returnSequence')) return finals;
  const sequences = runs.map(({ sequence }) => stacked(net, sequence, 0));
  return [...finals, stacked(net, sequences, 1)];
}

function initialState(call: Call, name: string, direction: number): Tensor {
  const provided = call.optional(name);
  if (provided !== undefined) return partOf(call.net, provided, direction);
  const shape = [dimension(call.input().shape, 1), call.attribute<number>('hiddenSize')];
  return call.net.filled('FLOAT32', shape, 0);
}

function rowsOfSteps(net: Net, input: Tensor): Tensor {
  const [steps, batch, size] = input.shape as [number, number, number];
  return reshaped(net, input, [steps * batch, size]);
}

function runDirection(
  call: Call,
  projection: Tensor,
  parameters: Parameters,
  initial: States,
  step: Step,
  isBackward: boolean,
): Run {
  const { net } = call;
  const [steps, batch] = call.input().shape as [number, number, number];
  const width = dimension(projection.shape, 1);
  let states = initial;
  const sequence: Tensor[] = [];
  for (const time of isBackward ? range(steps - 1, steps, -1) : range(0, steps)) {
    states = step(sliced(net, projection, [time * batch, 0], [batch, width]), states, parameters);
    sequence[time] = states[0];
  }
  return { states, sequence };
}

/** Stacks tensors along a new axis. */
function stacked(net: Net, tensors: readonly Tensor[], axis: number): Tensor {
  return concatenated(
    net,
    tensors.map((tensor) => reshaped(net, tensor, tensor.shape.toSpliced(axis, 0, 1))),
    axis,
  );
}
