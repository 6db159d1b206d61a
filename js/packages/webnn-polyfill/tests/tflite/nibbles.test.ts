/** int4 and uint4, two values per byte: constants, inputs and outputs, on the real wasm module. */

import { expect, test } from 'vitest';
import type { RecordedGraph } from 'webnn-polyfill';
import { describeOnModule } from '../../../../built_module.js';
import { byteLength, scalarBytes } from '../../src/data_types.js';
import { unpackedBytes } from '../../src/tflite/held_types.js';
import { openEngine } from './engines.js';

const SHAPE = [3, 3];
/** From -8 to 0, and from 0 to 8. */
const SIGNED = [0x98, 0xba, 0xdc, 0xfe, 0x00];
const UNSIGNED = [0x10, 0x32, 0x54, 0x76, 0x08];

test('have their first value in the lower half of a byte', () => {
  expect(Array.from(unpackedBytes('uint4', Uint8Array.from(UNSIGNED), SHAPE))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const signed = new Int8Array(unpackedBytes('int4', Uint8Array.from(SIGNED), SHAPE).buffer);
  expect(Array.from(signed)).toEqual([-8, -7, -6, -5, -4, -3, -2, -1, 0]);
});

test('have half a byte each, and full bytes together', () => {
  expect(byteLength({ dataType: 'int4', shape: SHAPE })).toBe(5);
  expect(byteLength({ dataType: 'uint4', shape: [] })).toBe(1);
  expect(Array.from(scalarBytes(-9, 'int4'))).toEqual([8]);
  expect(Array.from(scalarBytes(99, 'uint4'))).toEqual([15]);
});

/** y = quantize(dequantize(x, 2, xZero), 2, yZero): x - xZero + yZero. */
function shiftGraph(from: 'int4' | 'uint4', xZero: number, to: 'int4' | 'uint4', yZero: number): RecordedGraph {
  const floats = { dataType: 'float32', shape: SHAPE } as const;
  const operator = (op: string, input: number, zeroPoint: number, output: number) => {
    const operands = { input, scale: 1, zeroPoint };
    return { op, label: '', operands, attributes: {}, outputs: [output] };
  };
  return {
    operands: [
      { dataType: from, shape: SHAPE },
      { dataType: 'float32', shape: [] },
      { dataType: from, shape: [] },
      { dataType: to, shape: [] },
      floats,
      { dataType: to, shape: SHAPE },
    ],
    inputs: [{ name: 'x', operand: 0 }],
    constants: [
      { operand: 1, bytes: scalarBytes(2, 'float32') },
      { operand: 2, bytes: scalarBytes(xZero, from) },
      { operand: 3, bytes: scalarBytes(yZero, to) },
    ],
    operators: [operator('dequantizeLinear', 0, 2, 4), operator('quantizeLinear', 4, 3, 5)],
    outputs: [{ name: 'y', operand: 5 }],
  };
}

describeOnModule('four-bit tensors', () => {
  test.each([
    ['int4', -8, 'uint4', 0, SIGNED, UNSIGNED],
    ['uint4', 0, 'int4', -8, UNSIGNED, SIGNED],
    // Values that are too large become the maximum.
    ['uint4', 0, 'int4', 3, UNSIGNED, [0x43, 0x65, 0x77, 0x77, 0x07]],
  ] as const)(
    'are computed: from %s, zero at %i, to %s, zero at %i',
    async (from, xZero, to, yZero, provided, expected) => {
      const context = await openEngine();
      const graph = await context.build(shiftGraph(from, xZero, to, yZero));
      const [x, y] = [from, to].map((dataType) => context.createTensor({ dataType, shape: SHAPE }));
      if (x === undefined || y === undefined) throw new Error('no tensors');
      x.write(Uint8Array.from(provided));
      graph.dispatch([x], [y]);
      expect(Array.from(await y.read())).toEqual(expected);
      context.destroy();
    },
  );
});
