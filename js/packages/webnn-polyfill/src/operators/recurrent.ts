/** Recurrent networks. */

import type { OperandDescriptor } from '../engine.js';
import type { MLRecurrentNetworkDirection } from '../generated/webnn_types.js';
import { check, checkLength, checkPositive, checkSameType, checkShape, ofRank, type RuleRows } from './rule.js';

type Shapes = Readonly<Record<string, readonly number[]>>;
type Operands = Readonly<Record<string, OperandDescriptor | undefined>>;

/** Largest value of an `unsigned long`, the type of sizes. */
const MAX_SIZE = 2 ** 32 - 1;

function checkOperands(input: OperandDescriptor, operands: Operands, shapes: Shapes): void {
  checkSameType(input, operands);
  for (const [name, operand] of Object.entries(operands)) checkShape(name, operand, shapes[name] as readonly number[]);
}

function checkSizes(hiddenSize: number, gates: number, steps = 1): void {
  checkPositive('steps', [steps]);
  checkPositive('hiddenSize', [hiddenSize]);
  check(gates * hiddenSize <= MAX_SIZE, `The hiddenSize ${hiddenSize} is too large.`);
}

/** Shapes of the operands of one step; those of a network start with the number of directions. */
function cellShapes(gates: number, hiddenSize: number, [batches, inputSize]: readonly number[]): Shapes {
  const rows = gates * hiddenSize;
  const state = [batches as number, hiddenSize];
  return {
    weight: [rows, inputSize as number],
    recurrentWeight: [rows, hiddenSize],
    bias: [rows],
    recurrentBias: [rows],
    peepholeWeight: [3 * hiddenSize],
    hiddenState: state,
    cellState: state,
    initialHiddenState: state,
    initialCellState: state,
  };
}

interface NetworkOptions {
  readonly steps: number;
  readonly hiddenSize: number;
  readonly direction: MLRecurrentNetworkDirection;
  readonly returnSequence: boolean;
}

/** Checks a network; `states` is the number of states that it returns, before an optional sequence. */
function network(
  gates: number,
  states: number,
  input: OperandDescriptor,
  operands: Operands,
  { steps, hiddenSize, direction, returnSequence }: NetworkOptions,
): OperandDescriptor[] {
  checkSizes(hiddenSize, gates, steps);
  const [inputSteps, batches, inputSize] = input.shape as readonly [number, number, number];
  check(inputSteps === steps, `The input has ${inputSteps} steps, not ${steps}.`);
  const directions = direction === 'both' ? 2 : 1;
  const shapes = Object.entries(cellShapes(gates, hiddenSize, [batches, inputSize]));
  checkOperands(input, operands, Object.fromEntries(shapes.map(([name, shape]) => [name, [directions, ...shape]])));
  const { dataType } = input;
  const outputs = Array.from({ length: states }, () => ({ dataType, shape: [directions, batches, hiddenSize] }));
  return returnSequence ? [...outputs, { dataType, shape: [steps, directions, batches, hiddenSize] }] : outputs;
}

function cell(gates: number, input: OperandDescriptor, operands: Operands, hiddenSize: number): OperandDescriptor {
  checkSizes(hiddenSize, gates);
  checkOperands(input, operands, cellShapes(gates, hiddenSize, input.shape));
  return { dataType: input.dataType, shape: [input.shape[0] as number, hiddenSize] };
}

const CELL = {
  input: ofRank(2),
  weight: ofRank(2),
  recurrentWeight: ofRank(2),
  hiddenState: ofRank(2),
  bias: ofRank(1),
  recurrentBias: ofRank(1),
};
const NETWORK = {
  input: ofRank(3),
  weight: ofRank(3),
  recurrentWeight: ofRank(3),
  bias: ofRank(2),
  recurrentBias: ofRank(2),
  initialHiddenState: ofRank(3),
};

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gru and the others */
export const RECURRENT = {
  gru: {
    limits: { ...NETWORK, output0: ofRank(3), output1: ofRank(4) },
    infer: ({ input, ...operands }, attributes) => {
      attributes.activations ??= ['sigmoid', 'tanh'];
      checkLength('activations', attributes.activations, 2);
      return network(3, 1, input, operands, attributes);
    },
  },
  gruCell: {
    limits: { ...CELL, output: ofRank(2) },
    infer: ({ input, ...operands }, attributes) => {
      attributes.activations ??= ['sigmoid', 'tanh'];
      checkLength('activations', attributes.activations, 2);
      return cell(3, input, operands, attributes.hiddenSize);
    },
  },
  lstm: {
    limits: {
      ...NETWORK,
      peepholeWeight: ofRank(2),
      initialCellState: ofRank(3),
      output0: ofRank(3),
      output1: ofRank(3),
      output2: ofRank(4),
    },
    infer: ({ input, ...operands }, attributes) => {
      attributes.activations ??= ['sigmoid', 'tanh', 'tanh'];
      checkLength('activations', attributes.activations, 3);
      return network(4, 2, input, operands, attributes);
    },
  },
  lstmCell: {
    limits: { ...CELL, cellState: ofRank(2), peepholeWeight: ofRank(1), output0: ofRank(2), output1: ofRank(2) },
    infer: ({ input, ...operands }, attributes) => {
      attributes.activations ??= ['sigmoid', 'tanh', 'tanh'];
      checkLength('activations', attributes.activations, 3);
      const output = cell(4, input, operands, attributes.hiddenSize);
      return [output, output];
    },
  },
} satisfies RuleRows;
