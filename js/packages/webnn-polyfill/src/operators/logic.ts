/** Comparisons, logical operators and where. */

import type { OperandDescriptor } from '../engine.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import { ANY, BOOLEANS, broadcastShape, checkSameType, comparison, FLOATS, type RuleRows, tensor } from './rule.js';

function predicate(dataTypes: readonly MLOperandDataType[]) {
  return {
    limits: { a: tensor(dataTypes), output: tensor(BOOLEANS) },
    infer: ({ a }: { readonly a: OperandDescriptor }) => ({ dataType: 'uint8' as const, shape: a.shape }),
  };
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-logical */
export const LOGIC = {
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
} satisfies RuleRows;
