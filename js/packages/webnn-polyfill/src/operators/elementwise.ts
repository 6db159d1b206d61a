/** Elementwise operators of one or two operands, and cast. */

import { ANY, binary, FLOATS, type RuleRows, SIGNED, tensor, unary } from './rule.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary, -binary and -cast */
export const ELEMENTWISE = {
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
  add: binary(ANY),
  sub: binary(ANY),
  mul: binary(ANY),
  div: binary(ANY),
  max: binary(ANY),
  min: binary(ANY),
  pow: binary(ANY),
} satisfies RuleRows;
