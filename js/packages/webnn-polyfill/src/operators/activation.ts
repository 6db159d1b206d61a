/** Activation functions. */

import type { OperandDescriptor } from '../engine.js';
import type { MLNumber } from '../generated/webnn_types.js';
import {
  ANY,
  broadcastShape,
  castAttributes,
  check,
  checkSameType,
  FLOATS,
  type RuleRows,
  SIGNED,
  tensor,
  unary,
} from './rule.js';

/** As in the W3C's tests, bigint bounds of clamp() are for 64-bit integers only. */
function checkBigintBounds(
  bounds: { minValue?: MLNumber; maxValue?: MLNumber },
  { dataType }: OperandDescriptor,
): void {
  const acceptsBigints = dataType === 'int64' || dataType === 'uint64';
  for (const name of ['minValue', 'maxValue'] as const) {
    check(acceptsBigints || typeof bounds[name] !== 'bigint', `The ${name} is a bigint, but the input is ${dataType}.`);
  }
}

/** Activation functions, each in its own section. */
export const ACTIVATION = {
  clamp: {
    limits: { input: tensor(ANY), output: tensor(ANY) },
    infer: ({ input }, attributes) => {
      // An absent bound is infinity, which integers clamp to their smallest or largest value.
      attributes.minValue ??= Number.NEGATIVE_INFINITY;
      attributes.maxValue ??= Number.POSITIVE_INFINITY;
      checkBigintBounds(attributes, input);
      castAttributes(attributes, input, 'minValue', 'maxValue');
      const { minValue, maxValue } = attributes;
      check(!(minValue > maxValue), `The minValue ${minValue} should not be greater than the maxValue ${maxValue}.`);
      return input;
    },
  },
  elu: unary(FLOATS, 'alpha'),
  gelu: unary(FLOATS),
  hardSigmoid: unary(FLOATS, 'alpha', 'beta'),
  hardSwish: unary(FLOATS),
  leakyRelu: unary(FLOATS, 'alpha'),
  linear: unary(FLOATS, 'alpha', 'beta'),
  relu: unary(SIGNED),
  sigmoid: unary(FLOATS),
  softplus: unary(FLOATS),
  softsign: unary(FLOATS),
  tanh: unary(FLOATS),
  prelu: {
    limits: { input: tensor(SIGNED), slope: tensor(SIGNED), output: tensor(SIGNED) },
    infer: ({ input, slope }) => {
      checkSameType(input, { slope });
      return { dataType: input.dataType, shape: broadcastShape({ a: input, b: slope }) };
    },
  },
} satisfies RuleRows;
