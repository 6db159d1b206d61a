/** Operators that compute each element by itself. */

import type { MLNumber, MLOperandDataType } from '../generated/webnn_types.js';
import type { OperandDescriptor } from '../graph.js';
import {
  ANY,
  BOOLEANS,
  broadcast,
  castAttributes,
  check,
  checkSameType,
  FLOATS,
  type Rules,
  SIGNED,
  tensor,
} from './rule.js';

interface OneOperand {
  readonly input: OperandDescriptor;
}

interface TwoOperands {
  readonly a: OperandDescriptor;
  readonly b: OperandDescriptor;
}

/** Shape of two operands that are broadcast to each other. */
function broadcastShape({ a, b }: TwoOperands): number[] {
  const shape = broadcast(a.shape, b.shape);
  check(shape !== null, `The shapes [${a.shape}] and [${b.shape}] cannot be broadcast to each other.`);
  return shape;
}

/** One operand; the result is like it. Attributes named here are cast to its data type. */
export function unary(dataTypes: readonly MLOperandDataType[], ...cast: readonly string[]) {
  const limits = { input: tensor(dataTypes), output: tensor(dataTypes) };
  return {
    limits,
    infer: ({ input }: OneOperand, attributes: object) => {
      castAttributes(attributes as Record<string, unknown>, input, ...cast);
      return input;
    },
  };
}

function binary(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), b: tensor(dataTypes), output: tensor(dataTypes) },
    infer: ({ a, b }: TwoOperands) => {
      checkSameType(a, { b });
      return { dataType: a.dataType, shape: broadcastShape({ a, b }) };
    },
  };
}

function comparison(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), b: tensor(dataTypes), output: tensor(BOOLEANS) },
    infer: ({ a, b }: TwoOperands) => {
      checkSameType(a, { b });
      return { dataType: 'uint8' as const, shape: broadcastShape({ a, b }) };
    },
  };
}

function predicate(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), output: tensor(BOOLEANS) },
    infer: ({ a }: { readonly a: OperandDescriptor }) => ({ dataType: 'uint8' as const, shape: a.shape }),
  };
}

type Unary =
  | ('abs' | 'ceil' | 'cos' | 'erf' | 'exp' | 'floor' | 'identity' | 'log' | 'neg' | 'reciprocal' | 'roundEven')
  | ('sign' | 'sin' | 'sqrt' | 'tan');
type Activation =
  | ('clamp' | 'elu' | 'gelu' | 'hardSigmoid' | 'hardSwish' | 'leakyRelu' | 'linear' | 'relu' | 'sigmoid')
  | ('softplus' | 'softsign' | 'tanh' | 'prelu');
type Binary = 'add' | 'sub' | 'mul' | 'div' | 'max' | 'min' | 'pow';
type Logical =
  | ('equal' | 'notEqual' | 'greater' | 'greaterOrEqual' | 'lesser' | 'lesserOrEqual' | 'logicalNot' | 'logicalAnd')
  | ('logicalOr' | 'logicalXor' | 'isNaN' | 'isInfinite' | 'where');

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary */
export const UNARY: Rules<Unary | 'cast'> = {
  abs: unary(SIGNED),
  ceil: unary(FLOATS),
  cos: unary(FLOATS),
  erf: unary(FLOATS),
  exp: unary(FLOATS),
  floor: unary(FLOATS),
  identity: unary(ANY),
  log: unary(FLOATS),
  neg: unary(SIGNED),
  reciprocal: unary(FLOATS),
  roundEven: unary(FLOATS),
  sign: unary(SIGNED),
  sin: unary(FLOATS),
  sqrt: unary(FLOATS),
  tan: unary(FLOATS),
  cast: {
    limits: { input: tensor(ANY), output: tensor(ANY) },
    infer: ({ input }, { dataType }) => ({ dataType, shape: input.shape }),
  },
};

/** As the W3C's tests want it, bounds of clamp() that are bigints are for 64-bit integers only. */
function checkBigintBounds(
  bounds: { minValue?: MLNumber; maxValue?: MLNumber },
  { dataType }: OperandDescriptor,
): void {
  const takesBigints = dataType === 'int64' || dataType === 'uint64';
  for (const name of ['minValue', 'maxValue'] as const) {
    check(takesBigints || typeof bounds[name] !== 'bigint', `The ${name} is a bigint, but the input is ${dataType}.`);
  }
}

/** Activation functions, each in a section of its own. */
export const ACTIVATIONS: Rules<Activation> = {
  clamp: {
    limits: { input: tensor(ANY), output: tensor(ANY) },
    infer: ({ input }, attributes) => {
      // Where a bound is left out, there is none: infinity, which integers clamp to their smallest or largest value.
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
};

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-binary */
export const BINARY: Rules<Binary> = {
  add: binary(ANY),
  sub: binary(ANY),
  mul: binary(ANY),
  div: binary(ANY),
  max: binary(ANY),
  min: binary(ANY),
  pow: binary(ANY),
};

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-logical */
export const LOGICAL: Rules<Logical> = {
  equal: comparison(ANY),
  notEqual: comparison(ANY),
  greater: comparison(ANY),
  greaterOrEqual: comparison(ANY),
  lesser: comparison(ANY),
  lesserOrEqual: comparison(ANY),
  logicalNot: predicate(BOOLEANS),
  logicalAnd: comparison(BOOLEANS),
  logicalOr: comparison(BOOLEANS),
  logicalXor: comparison(BOOLEANS),
  isNaN: predicate(FLOATS),
  isInfinite: predicate(FLOATS),
  where: {
    limits: {
      condition: tensor(BOOLEANS),
      trueValue: tensor(ANY),
      falseValue: tensor(ANY),
      output: tensor(ANY),
    },
    infer: ({ condition, trueValue, falseValue }) => {
      checkSameType(trueValue, { falseValue });
      const { dataType } = trueValue;
      const values = { dataType, shape: broadcastShape({ a: trueValue, b: falseValue }) };
      return { dataType, shape: broadcastShape({ a: condition, b: values }) };
    },
  },
};
