/** Products of matrices, and quantization. */

import type { OperandDescriptor } from '../graph.js';
import {
  broadcast,
  broadcastsTo,
  castAttributes,
  check,
  checkSameType,
  FLOATS,
  ofRank,
  type Rules,
  sameShape,
  tensor,
} from './rule.js';

const QUANTIZED = ['uint8', 'int8', 'uint32', 'int32', 'int4', 'uint4'] as const;

function checkInner(columns: number | undefined, rows: number | undefined): void {
  check(columns === rows, `The ${columns} columns of the first matrix are not the ${rows} rows of the second one.`);
}

/**
 * Checks scale and zero point: each of their values is for a block of the input. As the W3C's tests want it, they are
 * broadcast where they have fewer axes.
 */
function checkBlocks(input: OperandDescriptor, scale: OperandDescriptor, zeroPoint: OperandDescriptor): void {
  for (const [name, { shape }] of Object.entries({ scale, zeroPoint })) {
    const first = input.shape.length - shape.length;
    check(
      first >= 0 && shape.every((size, axis) => (input.shape[first + axis] as number) % size === 0),
      `The shape [${shape}] of ${name} does not divide the shape [${input.shape}] of the input into blocks.`,
    );
  }
  check(
    sameShape(scale.shape, zeroPoint.shape),
    `The shape [${zeroPoint.shape}] of zeroPoint is not the shape [${scale.shape}] of scale.`,
  );
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gemm and the others */
export const MATRICES: Rules<'gemm' | 'matmul' | 'dequantizeLinear' | 'quantizeLinear'> = {
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
  dequantizeLinear: {
    limits: { input: tensor(QUANTIZED), scale: tensor(FLOATS), zeroPoint: tensor(QUANTIZED), output: tensor(FLOATS) },
    infer: ({ input, scale, zeroPoint }) => {
      checkSameType(input, { zeroPoint });
      checkBlocks(input, scale, zeroPoint);
      return { dataType: scale.dataType, shape: input.shape };
    },
  },
  quantizeLinear: {
    limits: { input: tensor(FLOATS), scale: tensor(FLOATS), zeroPoint: tensor(QUANTIZED), output: tensor(QUANTIZED) },
    infer: ({ input, scale, zeroPoint }) => {
      checkSameType(input, { scale });
      checkBlocks(input, scale, zeroPoint);
      return { dataType: zeroPoint.dataType, shape: input.shape };
    },
  },
};
