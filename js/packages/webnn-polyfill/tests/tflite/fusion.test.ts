/** dequantizeLinear -> op -> quantizeLinear as integer kernels, and cases that must not fuse. */

import { describe, expect, it } from 'vitest';
import { type Parameters, Quantizer } from './quantizer.js';

const P: Parameters = [0.5, 3];
const OTHER: Parameters = [0.25, -1];
const NHWC = { inputLayout: 'nhwc', filterLayout: 'ohwi' } as const;

/** The builtins of the nodes. */
function opsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(0, line.indexOf('(')));
}

describe('fused', () => {
  it('a chain of layers, with an activation', () => {
    const m = new Quantizer();
    const x = m.dq(m.q(m.input('x', 'float32', 1, 4, 4, 2), P), P);
    const bias = m.bias([0.05, 0.1, 0.05]);
    const layer = m.builder.conv2d(x, m.weights([0.1, 0.2, 0.1], 3, 1, 1, 2), { ...NHWC, bias });
    const clamped = m.q(m.builder.clamp(layer, { minValue: 0, maxValue: 6 }), OTHER);
    const pool = { layout: 'nhwc', windowDimensions: [2, 2], strides: [2, 2] } as const;
    const pooled = m.q(m.builder.averagePool2d(m.dq(clamped, OTHER), pool), OTHER);
    const reshaped = m.q(m.builder.reshape(m.dq(pooled, OTHER), [4, 3]), OTHER);
    expect(m.lines(m.dq(reshaped, OTHER))).toMatchInlineSnapshot(`
      [
        "QUANTIZE(x) -> t1 int8[1,4,4,2] (0.5, 3)",
        "CONV_2D(t1, int8[3,1,1,2] (axis 0: 0.1,0.2,0.1) [0,1,2,3,4,5], int32[3] (axis 0: 0.05,0.1,0.05) [100,100,100]) {padding: VALID, stride_w: 1, stride_h: 1, dilation_w_factor: 1, dilation_h_factor: 1, fused_activation_function: RELU6} -> t2 int8[1,4,4,3] (0.25, -1)",
        "AVERAGE_POOL_2D(t2) {padding: SAME, stride_w: 2, stride_h: 2, filter_width: 2, filter_height: 2, fused_activation_function: NONE} -> t3 int8[1,2,2,3] (0.25, -1)",
        "RESHAPE(t3, int32[2] [4,3]) -> t4 int8[4,3] (0.25, -1)",
        "DEQUANTIZE(t4) -> y0 float32[4,3]",
      ]
    `);
  });

  it('a layer without a bias in nchw', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2, 4, 4), P);
    expect(m.lines(m.q(m.builder.conv2d(x, m.weights([0.1, 0.2], 2, 2, 1, 1)), OTHER))).toMatchInlineSnapshot(`
      [
        "TRANSPOSE(x, int32[4] [0,2,3,1]) -> t1 int8[1,4,4,2] (0.5, 3)",
        "CONV_2D(t1, int8[2,1,1,2] (axis 0: 0.1,0.2) [0,1,2,3], int32[2] (axis 0: 0.05,0.1) [0,0]) {padding: VALID, stride_w: 1, stride_h: 1, dilation_w_factor: 1, dilation_h_factor: 1, fused_activation_function: NONE} -> t2 int8[1,4,4,2] (0.25, -1)",
        "TRANSPOSE(t2, int32[4] [0,3,1,2]) -> y0 int8[1,2,4,4] (0.25, -1)",
      ]
    `);
  });

  it('an activation into the layer, not into the transposition behind it', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2, 4, 4), P);
    const layer = m.builder.relu(m.builder.conv2d(x, m.weights([0.1, 0.2], 2, 2, 1, 1)));
    const lines = m.lines(m.q(layer, OTHER));
    expect(opsOf(lines)).toEqual(['TRANSPOSE', 'CONV_2D', 'TRANSPOSE']);
    expect(lines[1]).toContain('fused_activation_function: RELU} -> t2 int8[1,4,4,2] (0.25, -1)');
    expect(lines[2]).toBe('TRANSPOSE(t2, int32[4] [0,3,1,2]) -> y0 int8[1,2,4,4] (0.25, -1)');
  });

  it.each([
    ['RELU', 0, Number.POSITIVE_INFINITY],
    ['RELU6', 0, 6],
    ['RELU_N1_TO_1', -1, 1],
  ])('an activation %s into the layer: a clamp from %d to %d', (activation, minValue, maxValue) => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2), P);
    const layer = m.builder.gemm(x, m.weights([0.1, 0.2], 2, 2), { bTranspose: true });
    const lines = m.lines(m.q(m.builder.clamp(layer, { minValue, maxValue }), OTHER));
    expect(opsOf(lines)).toEqual(['FULLY_CONNECTED']);
    expect(lines[0]).toContain(`fused_activation_function: ${activation},`);
  });

  it('a kernel and the reshape behind it, both of which get the quantization', () => {
    const m = new Quantizer();
    const reduced = m.builder.reduceMax(m.dq(m.input('x', 'int8', 2, 3), P), { axes: [1] });
    expect(m.lines(m.q(reduced, P))).toEqual([
      'REDUCE_MAX(x, int32[1] [1]) {keep_dims: true} -> t1 int8[2,1] (0.5, 3)',
      'RESHAPE(t1, int32[1] [2]) -> y0 int8[2] (0.5, 3)',
    ]);
  });

  it('a depthwise layer', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 4, 4, 2), P);
    const options = { inputLayout: 'nhwc', filterLayout: 'ohwi', groups: 2 } as const;
    expect(m.lines(m.q(m.builder.conv2d(x, m.weights([0.1, 0.2], 2, 1, 1, 1), options), OTHER))).toMatchInlineSnapshot(`
      [
        "DEPTHWISE_CONV_2D(x, int8[1,1,1,2] (axis 3: 0.1,0.2) [0,1], int32[2] (axis 0: 0.05,0.1) [0,0]) {padding: VALID, stride_w: 1, stride_h: 1, dilation_w_factor: 1, dilation_h_factor: 1, fused_activation_function: NONE, depth_multiplier: 1} -> y0 int8[1,4,4,2] (0.25, -1)",
      ]
    `);
  });

  it('a transposed layer with a bias and an activation', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2, 2, 2), P);
    const options = { inputLayout: 'nhwc', filterLayout: 'ohwi', strides: [2, 2], bias: m.bias([0.05, 0.1]) } as const;
    const layer = m.builder.convTranspose2d(x, m.weights([0.1, 0.2], 2, 2, 2, 2), options);
    expect(m.lines(m.q(m.builder.relu(layer), OTHER))).toMatchInlineSnapshot(`
      [
        "TRANSPOSE_CONV(int32[4] [1,4,4,2], int8[2,2,2,2] (axis 0: 0.1,0.2), x, int32[2] (axis 0: 0.05,0.1) [100,100]) {padding: SAME, stride_w: 2, stride_h: 2, fused_activation_function: RELU} -> y0 int8[1,4,4,2] (0.25, -1)",
      ]
    `);
  });

  it('a pad with a value, which becomes an integer', () => {
    const m = new Quantizer();
    const padded = m.builder.pad(m.dq(m.input('x', 'int8', 2), P), [1], [0], { value: -1.5 });
    expect(m.lines(m.q(padded, P))).toEqual(['PADV2(x, int32[1,2] [1,0], int8[] (0.5, 3) 0) -> y0 int8[3] (0.5, 3)']);
  });

  it('operators of two inputs', () => {
    const m = new Quantizer();
    const [a, b] = [m.dq(m.input('a', 'int8', 2, 3), P), m.dq(m.input('b', 'int8', 3), OTHER)];
    expect(m.lines(m.q(m.builder.add(a, b), P), m.q(m.builder.mul(a, b), P))).toMatchInlineSnapshot(`
      [
        "ADD(a, b) {fused_activation_function: NONE} -> y0 int8[2,3] (0.5, 3)",
        "MUL(a, b) {fused_activation_function: NONE} -> y1 int8[2,3] (0.5, 3)",
      ]
    `);
  });

  it('a comparison, whose result is truth', () => {
    const m = new Quantizer();
    const [a, b] = [m.dq(m.input('a', 'int8', 2), P), m.dq(m.input('b', 'int8', 2), P)];
    expect(m.lines(m.builder.greater(a, b))).toMatchInlineSnapshot(`
      [
        "GREATER(a, b) -> t2 bool[2]",
        "CAST(t2) {in_data_type: BOOL, out_data_type: UINT8} -> y0 uint8[2]",
      ]
    `);
  });

  it('a split, whose parts are all quantized', () => {
    const m = new Quantizer();
    const parts = m.builder.split(m.dq(m.input('x', 'int8', 4), P), 2);
    expect(m.lines(...parts.map((part) => m.q(part, P)))).toMatchInlineSnapshot(`
      [
        "SPLIT(int32[] 0, x) {num_splits: 2} -> y0 int8[2] (0.5, 3), y1 int8[2] (0.5, 3)",
      ]
    `);
  });

  it('integers from one scale to another', () => {
    const m = new Quantizer();
    expect(m.lines(m.q(m.dq(m.input('x', 'int8', 4), P), OTHER))).toMatchInlineSnapshot(`
      [
        "QUANTIZE(x) -> y0 int8[4] (0.25, -1)",
      ]
    `);
  });
});

describe('parameters of a tensor', () => {
  it('are traced back through reshape and transpose', () => {
    const m = new Quantizer();
    const moved = m.builder.transpose(m.builder.reshape(m.input('x', 'int8', 6), [2, 3]));
    expect(m.lines(m.dq(moved, P))).toMatchInlineSnapshot(`
      [
        "RESHAPE(x, int32[2] [2,3]) -> t1 int8[2,3] (0.5, 3)",
        "TRANSPOSE(t1, int32[2] [1,0]) -> t2 int8[3,2] (0.5, 3)",
        "DEQUANTIZE(t2) -> y0 float32[3,2]",
      ]
    `);
  });

  it('cannot be those of two operators that differ: the second is decomposed', () => {
    const m = new Quantizer();
    const x = m.input('x', 'int8', 2);
    expect(m.lines(m.dq(x, P), m.dq(x, OTHER))).toMatchInlineSnapshot(`
      [
        "RESHAPE(x, int32[1] [2]) -> t1 int8[2]",
        "CAST(t1) {in_data_type: INT8, out_data_type: FLOAT32} -> t2 float32[2]",
        "SUB(t2, float32[1] [-1]) {fused_activation_function: NONE} -> t3 float32[2]",
        "MUL(t3, float32[1] [0.25]) {fused_activation_function: NONE} -> y1 float32[2]",
        "DEQUANTIZE(x) -> y0 float32[2]",
      ]
    `);
  });

  it('are those of quantizeLinear: a dequantizeLinear with others is decomposed', () => {
    const m = new Quantizer();
    expect(m.lines(m.dq(m.q(m.input('x', 'float32', 2), P), OTHER))).toMatchInlineSnapshot(`
      [
        "QUANTIZE(x) -> t1 int8[2] (0.5, 3)",
        "RESHAPE(t1, int32[1] [2]) -> t2 int8[2]",
        "CAST(t2) {in_data_type: INT8, out_data_type: FLOAT32} -> t3 float32[2]",
        "SUB(t3, float32[1] [-1]) {fused_activation_function: NONE} -> t4 float32[2]",
        "MUL(t4, float32[1] [0.25]) {fused_activation_function: NONE} -> y0 float32[2]",
      ]
    `);
  });

  it('are handed on by reshape and transpose', () => {
    const m = new Quantizer();
    const moved = m.builder.transpose(m.builder.reshape(m.q(m.input('x', 'float32', 6), P), [2, 3]));
    expect(m.lines(m.dq(moved, P))).toEqual([
      'QUANTIZE(x) -> t1 int8[6] (0.5, 3)',
      'RESHAPE(t1, int32[2] [2,3]) -> t2 int8[2,3] (0.5, 3)',
      'TRANSPOSE(t2, int32[2] [1,0]) -> t3 int8[3,2] (0.5, 3)',
      'DEQUANTIZE(t3) -> y0 float32[3,2]',
    ]);
  });

  it('are handed on to a result that is not dequantized', () => {
    const m = new Quantizer();
    expect(m.lines(m.builder.reshape(m.q(m.input('x', 'float32', 6), P), [2, 3]))).toEqual([
      'QUANTIZE(x) -> t1 int8[6] (0.5, 3)',
      'RESHAPE(t1, int32[2] [2,3]) -> y0 int8[2,3] (0.5, 3)',
    ]);
  });

  it('that were handed on cannot be others: these are decomposed', () => {
    const m = new Quantizer();
    const moved = m.builder.reshape(m.q(m.input('x', 'float32', 6), P), [2, 3]);
    expect(opsOf(m.lines(m.dq(moved, OTHER)))).toEqual(['QUANTIZE', 'RESHAPE', 'RESHAPE', 'CAST', 'SUB', 'MUL']);
  });

  it('cannot be those of two operators that differ, a reshape between them', () => {
    const m = new Quantizer();
    const x = m.input('x', 'int8', 2);
    const lines = m.lines(m.dq(x, P), m.dq(m.builder.reshape(x, [1, 2]), OTHER));
    expect(opsOf(lines)).toEqual(['RESHAPE', 'RESHAPE', 'CAST', 'SUB', 'MUL', 'DEQUANTIZE']);
  });

  it('can be those of two operators that agree', () => {
    const m = new Quantizer();
    const x = m.input('x', 'int8', 2);
    const lines = m.lines(m.dq(x, P), m.dq(m.builder.reshape(x, [1, 2]), P));
    expect(opsOf(lines).sort()).toEqual(['DEQUANTIZE', 'DEQUANTIZE', 'RESHAPE']);
  });

  it('are of int8 and uint8 only: int32 is decomposed', () => {
    const m = new Quantizer();
    expect(opsOf(m.lines(m.dq(m.input('x', 'int32', 2), P)))).toEqual(['CAST', 'CAST', 'SUB', 'CAST', 'MUL']);
    const o = new Quantizer();
    const both = opsOf(o.lines(o.dq(o.q(o.input('x', 'float32', 2), P, 'int32'), P)));
    expect(both.filter((op) => op.endsWith('QUANTIZE'))).toEqual([]);
    const n = new Quantizer();
    expect(opsOf(n.lines(n.dq(n.input('x', 'uint8', 2), P)))).toEqual(['DEQUANTIZE']);
  });

  it('are one scale: an input with several is decomposed', () => {
    const m = new Quantizer();
    const rows = m.perChannel(m.input('x', 'int8', 2, 2), [1, 2], 0);
    expect(opsOf(m.lines(rows))).toContain('CAST');
  });

  it('are unknown behind arithmetic on integers', () => {
    const m = new Quantizer();
    const sum = m.builder.add(m.input('a', 'int8', 2), m.input('b', 'int8', 2));
    expect(opsOf(m.lines(m.dq(sum, P)))).toEqual(['CAST', 'CAST', 'ADD', 'CAST', 'CAST', 'SUB', 'MUL']);
  });

  it('are unknown behind a reshape of such a result', () => {
    const m = new Quantizer();
    const sum = m.builder.add(m.input('a', 'int8', 2), m.input('b', 'int8', 2));
    expect(opsOf(m.lines(m.dq(m.builder.reshape(sum, [1, 2]), P)))).not.toContain('DEQUANTIZE');
  });

  it('are no matter of arithmetic on the same integers', () => {
    const m = new Quantizer();
    const x = m.input('x', 'int8', 2);
    expect(m.lines(m.dq(x, P), m.builder.concat([x, x], 0))).toMatchInlineSnapshot(`
      [
        "RESHAPE(x, int32[1] [2]) -> t1 int8[2]",
        "RESHAPE(x, int32[1] [2]) -> t2 int8[2]",
        "CONCATENATION(t1, t2) {axis: 0} -> y1 int8[4]",
        "DEQUANTIZE(x) -> y0 float32[2]",
      ]
    `);
  });
});

describe('not fused', () => {
  const isInFloat = (lines: readonly string[]) => opsOf(lines).includes('DEQUANTIZE');

  it('where the float result is used, too', () => {
    const m = new Quantizer();
    const sum = m.builder.add(m.dq(m.input('a', 'int8', 2), P), m.dq(m.input('b', 'int8', 2), P));
    expect(opsOf(m.lines(m.q(sum, P), sum))).toEqual(['DEQUANTIZE', 'DEQUANTIZE', 'ADD', 'QUANTIZE']);
  });

  it('with a clamp that no kernel has', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2), P);
    const layer = m.builder.gemm(x, m.weights([0.1, 0.2], 2, 2), { bTranspose: true });
    expect(isInFloat(m.lines(m.q(m.builder.clamp(layer, { minValue: -1 }), OTHER)))).toBe(true);
  });

  it('where the bias has another scale than the products: weights are dequantized while the model is created', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 2), P);
    const result = m.builder.gemm(x, m.weights([0.1, 0.2], 2, 2), { bTranspose: true, c: m.bias([0.5, 0.5]) });
    expect(m.lines(m.q(result, OTHER))).toMatchInlineSnapshot(`
      [
        "DEQUANTIZE(x) -> t1 float32[1,2]",
        "FULLY_CONNECTED(t1, float32[2,2] [0,0.1,0.4,0.6], float32[2] [50,50]) {fused_activation_function: NONE, keep_num_dims: true} -> t2 float32[1,2]",
        "QUANTIZE(t2) -> y0 int8[1,2] (0.25, -1)",
      ]
    `);
  });

  it('where a pool pads otherwise than the kernel', () => {
    const m = new Quantizer();
    const x = m.dq(m.input('x', 'int8', 1, 4, 4, 2), P);
    const options = { layout: 'nhwc', windowDimensions: [2, 2], padding: [1, 1, 1, 1] } as const;
    expect(isInFloat(m.lines(m.q(m.builder.averagePool2d(x, options), P)))).toBe(true);
  });

  it('where elements are moved and mean something else afterwards', () => {
    const m = new Quantizer();
    expect(isInFloat(m.lines(m.q(m.builder.transpose(m.dq(m.input('x', 'int8', 2, 3), P)), OTHER)))).toBe(true);
  });

  it('where scales differ too much', () => {
    const m = new Quantizer();
    const [a, b] = [m.dq(m.input('a', 'int8', 2), [1000, 0]), m.dq(m.input('b', 'int8', 2), P)];
    expect(isInFloat(m.lines(m.q(m.builder.add(a, b), P)))).toBe(true);
  });
});
