/** Arithmetic of two operands. */

import { ANY, binary, type RuleRows } from './rule.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-binary */
export const ARITHMETIC = {
  add: binary(ANY),
  sub: binary(ANY),
  mul: binary(ANY),
  div: binary(ANY),
  max: binary(ANY),
  min: binary(ANY),
  pow: binary(ANY),
} satisfies RuleRows;
