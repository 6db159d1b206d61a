/** quantizeLinear and dequantizeLinear. */

import type { MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { integers, tensor, type Values } from '../values.js';

function dequantize(what: string, input: Values, scale: Values, zeroPoint: Values, expected: readonly number[]): Case {
  return check(
    'dequantizeLinear',
    { input, scale, zeroPoint },
    (builder, { input, scale, zeroPoint }) =>
      builder.dequantizeLinear(input as MLOperand, scale as MLOperand, zeroPoint as MLOperand),
    tensor(input.shape, expected),
    { what },
  );
}

function quantize(what: string, input: Values, scale: Values, zeroPoint: Values, expected: readonly number[]): Case {
  return check(
    'quantizeLinear',
    { input, scale, zeroPoint },
    (builder, { input, scale, zeroPoint }) =>
      builder.quantizeLinear(input as MLOperand, scale as MLOperand, zeroPoint as MLOperand),
    tensor(input.shape, expected, zeroPoint.dataType),
    { what, tolerance: 0 },
  );
}

const INT8 = tensor([2, 4], [-128, 127, 0, 1, 2, 3, 4, 5], 'int8');
const FLOATS = tensor([2, 4], [-100, 100, 0.25, 0.75, 1.25, -0.25, 3, 4]);

export const QUANTIZATION_CASES: readonly Case[] = [
  dequantize(
    'one scale',
    INT8,
    tensor([1, 1], [0.5]),
    tensor([1, 1], [1], 'int8'),
    [-64.5, 63, -0.5, 0, 0.5, 1, 1.5, 2],
  ),
  dequantize(
    'a scale for each row',
    INT8,
    tensor([2, 1], [0.5, 2]),
    tensor([2, 1], [0, 1], 'int8'),
    [-64, 63.5, 0, 0.5, 2, 4, 6, 8],
  ),
  dequantize('blocks', INT8, tensor([1, 2], [1, 2]), tensor([1, 2], [0, 1], 'int8'), [-128, 127, -2, 0, 2, 3, 6, 8]),
  dequantize('int32', integers([1, 2], [-70000, 3]), tensor([1, 1], [0.5]), integers([1, 1], [0]), [-35000, 1.5]),
  quantize('int8', FLOATS, tensor([1, 1], [0.5]), tensor([1, 1], [1], 'int8'), [-128, 127, 1, 3, 3, 1, 7, 9]),
  quantize(
    'uint8',
    FLOATS,
    tensor([1, 4], [1, 1, 0.5, 0.5]),
    tensor([1, 4], [0, 0, 1, 1], 'uint8'),
    [0, 100, 1, 3, 1, 0, 7, 9],
  ),
];
