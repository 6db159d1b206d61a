/** cast */

import type { MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { bytes, integers, tensor, vector } from '../values.js';

export const CAST_CASES: readonly Case[] = [
  check(
    'cast',
    { input: vector(-1.75, 0, 2.75, 1e6) },
    (b, { input }) => b.cast(input as MLOperand, 'int32'),
    integers([4], [-1, 0, 2, 1e6]),
    { what: 'float32 to int32' },
  ),
  check(
    'cast',
    { input: integers([4], [-1, 127, 200, 300]) },
    (b, { input }) => b.cast(input as MLOperand, 'uint8'),
    bytes(255, 127, 200, 44),
    { what: 'int32 to uint8' },
  ),
  check(
    'cast',
    { input: bytes(0, 127, 128, 255) },
    (b, { input }) => b.cast(input as MLOperand, 'int8'),
    tensor([4], [0, 127, -128, -1], 'int8'),
    { what: 'uint8 to int8' },
  ),
  check(
    'cast',
    { input: bytes(0, 127, 255) },
    (b, { input }) => b.cast(input as MLOperand, 'float32'),
    vector(0, 127, 255),
    { what: 'uint8 to float32' },
  ),
];
