/** Normalizations and softmax. */

import type { OperandDescriptor } from '../engine.js';
import {
  castAttributes,
  check,
  checkAxes,
  checkAxis,
  checkSameType,
  checkShape,
  FLOATS,
  ofRank,
  type RuleRows,
  range,
  tensor,
} from './rule.js';

/** Checks the operands with one value per channel. */
function checkPerChannel(
  input: OperandDescriptor,
  axis: number,
  operands: Readonly<Record<string, OperandDescriptor | undefined>>,
): void {
  checkSameType(input, operands);
  for (const [name, operand] of Object.entries(operands)) checkShape(name, operand, [input.shape[axis] as number]);
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-batchnorm and the others */
export const NORMALIZATION = {
  batchNormalization: {
    limits: {
      input: tensor(FLOATS, 1),
      mean: ofRank(1),
      variance: ofRank(1),
      scale: ofRank(1),
      bias: ofRank(1),
      output: tensor(FLOATS, 1),
    },
    infer: ({ input, ...others }, attributes) => {
      checkAxis(attributes.axis, input);
      checkPerChannel(input, attributes.axis, others);
      castAttributes(attributes, input, 'epsilon');
      return input;
    },
  },
  instanceNormalization: {
    limits: { input: ofRank(4), scale: ofRank(1), bias: ofRank(1), output: ofRank(4) },
    infer: ({ input, ...others }, attributes) => {
      checkPerChannel(input, attributes.layout.indexOf('c'), others);
      castAttributes(attributes, input, 'epsilon');
      return input;
    },
  },
  layerNormalization: {
    limits: { input: tensor(FLOATS), scale: tensor(FLOATS), bias: tensor(FLOATS), output: tensor(FLOATS) },
    infer: ({ input, ...others }, attributes) => {
      attributes.axes ??= range(1, input.shape.length);
      checkAxes(attributes.axes, input);
      checkSameType(input, others);
      const shape = attributes.axes.map((axis) => input.shape[axis] as number);
      for (const [name, operand] of Object.entries(others)) checkShape(name, operand, shape);
      castAttributes(attributes, input, 'epsilon');
      return input;
    },
  },
  softmax: {
    limits: { input: tensor(FLOATS, 1), output: tensor(FLOATS, 1) },
    infer: ({ input }, attributes) => {
      // An earlier version of the specification had no axis, and only matrices.
      check(attributes.axis !== undefined || input.shape.length === 2, 'An axis is needed: the input is no matrix.');
      attributes.axis ??= 1;
      checkAxis(attributes.axis, input);
      return input;
    },
  },
} satisfies RuleRows;
