/** Quantization. */

import { sameShape } from '../data_types.js';
import type { OperandDescriptor } from '../engine.js';
import { check, checkSameType, FLOATS, type RuleRows, tensor } from './rule.js';

const QUANTIZED = ['uint8', 'int8', 'uint32', 'int32', 'int4', 'uint4'] as const;

/**
 * Checks scale and zero point: each of their values is for a block of the input. As in the W3C's tests, they are
 * broadcast if they have fewer axes.
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

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-dequantizelinear and -quantizelinear */
export const QUANTIZATION = {
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
} satisfies RuleRows;
