/** Products of matrices. */

import {
  broadcast,
  broadcastsTo,
  castAttributes,
  check,
  checkSameType,
  FLOATS,
  ofRank,
  type RuleRows,
  tensor,
} from './rule.js';

function checkInner(columns: number | undefined, rows: number | undefined): void {
  check(columns === rows, `The ${columns} columns of the first matrix are not the ${rows} rows of the second one.`);
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gemm and -matmul */
export const MATRIX = {
  gemm: {
    limits: { a: ofRank(2), b: ofRank(2), c: tensor(FLOATS, 0, 2), output: ofRank(2) },
    infer: ({ a, b, c }, attributes) => {
      checkSameType(a, { b, c });
      const [rows, inner] = attributes.aTranspose ? a.shape.toReversed() : a.shape;
      const [innerOfB, columns] = attributes.bTranspose ? b.shape.toReversed() : b.shape;
      checkInner(inner, innerOfB);
      const shape = [rows as number, columns as number];
      check(
        c === undefined || broadcastsTo(c.shape, shape),
        `The shape [${c?.shape}] of c cannot be broadcast to [${shape}].`,
      );
      castAttributes(attributes, a, 'alpha', 'beta');
      return { dataType: a.dataType, shape };
    },
  },
  matmul: {
    limits: { a: tensor(FLOATS, 2), b: tensor(FLOATS, 2), output: tensor(FLOATS, 2) },
    infer: ({ a, b }) => {
      checkSameType(a, { b });
      checkInner(a.shape.at(-1), b.shape.at(-2));
      const batches = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
      check(batches !== null, `The batches of [${a.shape}] and [${b.shape}] cannot be broadcast to each other.`);
      return { dataType: a.dataType, shape: [...batches, a.shape.at(-2) as number, b.shape.at(-1) as number] };
    },
  },
} satisfies RuleRows;
