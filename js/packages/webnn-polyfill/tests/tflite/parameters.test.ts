/** Which scales and zero points TensorFlow Lite's tensors can have; arithmetic computes with the others. */

import { describe, expect, it } from 'vitest';
import type { MLOperand } from 'webnn-polyfill';
import type { Quantization } from '../../src/tflite/model.js';
import { isPerTensor, ofRank, sameParameters } from '../../src/tflite/quantization/parameters.js';
import { Quantizer } from './quantizer.js';

/** Whether DEQUANTIZE, or the creation of the model, accepts values of this shape with scales of that one. */
function isNative(values: MLOperand, m: Quantizer, scales: readonly number[], scaleShape: readonly number[]): boolean {
  const scale = m.builder.constant({ dataType: 'float32', shape: scaleShape }, Float32Array.from(scales));
  const zeroPoint = m.builder.constant({ dataType: 'int8', shape: scaleShape }, new Int8Array(scales.length));
  const lines = m.lines(m.builder.relu(m.builder.dequantizeLinear(values, scale, zeroPoint)));
  return !lines.some((line) => line.startsWith('CAST'));
}

describe('a scale', () => {
  it.each([
    ['for all elements', [2, 4], [0.5], [1, 1]],
    ['for all elements, as a scalar', [2, 4], [0.5], []],
    ['for each row', [2, 4], [0.5, 1], [2, 1]],
    ['for each column', [2, 4], [1, 2, 3, 4], [1, 4]],
    ['for each column, in one dimension', [2, 4], [1, 2, 3, 4], [4]],
    ['that is the smallest', [2], [2 ** -126], [1]],
    ['for one of one element', [1, 4], [0.5], [1, 1]],
  ])('%s is native', (_, shape, scales, scaleShape) => {
    const m = new Quantizer();
    expect(isNative(m.integers('int8', ...shape), m, scales, scaleShape)).toBe(true);
  });

  it('for blocks of an axis is not', () => {
    const m = new Quantizer();
    expect(isNative(m.integers('int8', 2, 4), m, [0.5, 1], [1, 2])).toBe(false);
  });

  it.each([
    ['too small', 2 ** -127],
    ['zero', 0],
    ['negative', -1],
    ['infinite', Number.POSITIVE_INFINITY],
    ['no number', Number.NaN],
  ])('that is %s is not', (_, scale) => {
    const m = new Quantizer();
    expect(isNative(m.input('x', 'int8', 2), m, [scale], [1])).toBe(false);
  });

  it('that is the smallest is, of an input', () => {
    const m = new Quantizer();
    expect(isNative(m.input('x', 'int8', 2), m, [2 ** -126], [1])).toBe(true);
  });

  it.each(['scale', 'zeroPoint'])('is not native where the %s is no constant', (name) => {
    const m = new Quantizer();
    const scale =
      name === 'scale'
        ? m.input('scale', 'float32', 1)
        : m.builder.constant({ dataType: 'float32', shape: [1] }, Float32Array.of(0.5));
    const zeroPoint =
      name === 'zeroPoint'
        ? m.input('zeroPoint', 'int8', 1)
        : m.builder.constant({ dataType: 'int8', shape: [1] }, new Int8Array(1));
    const lines = m.lines(m.builder.dequantizeLinear(m.input('x', 'int8', 2), scale, zeroPoint));
    expect(lines.some((line) => line.startsWith('CAST'))).toBe(true);
  });

  it('goes to the constant along its axis', () => {
    const m = new Quantizer();
    const row = m.perChannel(m.integers('int8', 2, 3), [1, 10], 0);
    const column = m.perChannel(m.integers('int8', 2, 3), [1, 10, 100], 1, [0, 1, 2]);
    expect(m.lines(m.builder.relu(row), m.builder.relu(column))).toEqual([
      'RELU(float32[2,3] [0,1,2,30,40,50]) -> y0 float32[2,3]',
      'RELU(float32[2,3] [0,0,0,3,30,300]) -> y1 float32[2,3]',
    ]);
  });
});

describe('parameters', () => {
  const one: Quantization = { scales: [1], zeroPoints: [0], axis: 0 };
  const two: Quantization = { scales: [1, 2], zeroPoints: [3, 4], axis: 1 };

  it('are of the entire tensor where there is one scale', () => {
    expect([isPerTensor(one), isPerTensor(two)]).toEqual([true, false]);
  });

  it('are the same if all is; the axis of one scale does not matter', () => {
    expect(sameParameters(one, { ...one })).toBe(true);
    expect(sameParameters(one, { ...one, axis: 1 })).toBe(true);
    expect(sameParameters(two, { scales: [1, 2], zeroPoints: [3, 4], axis: 1 })).toBe(true);
    expect(sameParameters(two, { ...two, axis: 0 })).toBe(false);
    expect(sameParameters(two, { ...two, scales: [1, 3] })).toBe(false);
    expect(sameParameters(two, { ...two, zeroPoints: [3, 5] })).toBe(false);
    expect(sameParameters(two, { ...two, scales: [1, 2, 3] })).toBe(false);
    expect(sameParameters(two, { ...two, zeroPoints: [3] })).toBe(false);
  });

  it('have as many axes as their tensor', () => {
    expect(ofRank([3], 3)).toEqual([1, 1, 3]);
    expect(ofRank([2, 3], 2)).toEqual([2, 3]);
  });
});
