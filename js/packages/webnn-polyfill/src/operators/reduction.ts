/** Operators that reduce axes. */

import type { OperandDescriptor } from '../engine.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import { ANY, checkAxes, checkAxis, FLOATS, type Rule, type RuleRows, range, tensor, WIDE } from './rule.js';

function reducedShape({ shape }: OperandDescriptor, axes: readonly number[], keepDimensions: boolean): number[] {
  return keepDimensions
    ? shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
    : shape.filter((_, axis) => !axes.includes(axis));
}

function reduce(dataTypes: readonly MLOperandDataType[]): Rule<'reduceSum'> {
  return {
    limits: { input: tensor(dataTypes), output: tensor(dataTypes) },
    infer: ({ input }, attributes) => {
      attributes.axes ??= range(0, input.shape.length);
      checkAxes(attributes.axes, input);
      return { dataType: input.dataType, shape: reducedShape(input, attributes.axes, attributes.keepDimensions) };
    },
  };
}

const ARG_MIN_MAX: Rule<'argMin'> = {
  limits: { input: tensor(ANY, 1), output: tensor(['int32', 'int64']) },
  infer: ({ input }, { axis, keepDimensions, outputDataType }) => {
    checkAxis(axis, input);
    return { dataType: outputDataType, shape: reducedShape(input, [axis], keepDimensions) };
  },
};

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-reduce and -argminmax */
export const REDUCTION = {
  argMin: ARG_MIN_MAX,
  argMax: ARG_MIN_MAX,
  reduceL1: reduce(WIDE),
  reduceL2: reduce(FLOATS),
  reduceLogSum: reduce(FLOATS),
  reduceLogSumExp: reduce(FLOATS),
  reduceMax: reduce(ANY),
  reduceMean: reduce(FLOATS),
  reduceMin: reduce(ANY),
  reduceProduct: reduce(WIDE),
  reduceSum: reduce(WIDE),
  reduceSumSquare: reduce(WIDE),
  cumulativeSum: {
    limits: { input: tensor(WIDE, 1), output: tensor(WIDE, 1) },
    infer: ({ input }, { axis }) => {
      checkAxis(axis, input);
      return input;
    },
  },
} satisfies RuleRows;
