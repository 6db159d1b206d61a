/** Elementwise operators of one operand, and cast. */

import { ANY, FLOATS, type RuleRows, SIGNED, tensor, unary } from './rule.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-unary */
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
} satisfies RuleRows;
