/**
 * Parameters traced through operators that move integers without computing: the int8 and uint8 values stay integers.
 */

import { describe, expect, it } from 'vitest';
import type { MLGraphBuilder, MLOperand, RecordedGraph } from 'webnn-polyfill';
import { describeOnModule } from '../../../../built_module.js';
import { openEngine } from './engines.js';
import { type Parameters, Quantizer } from './quantizer.js';
import { graphOf } from './recorder.js';

const P: Parameters = [0.5, 3];
const OTHER: Parameters = [0.25, 7];
const TYPES = ['int8', 'uint8'] as const;
const ARITHMETIC = /^(CAST|SUB|MUL)\(/;

/** Moves of x[2,3], and the nodes that they become. */
const MOVES: Record<string, [move: (builder: MLGraphBuilder, x: MLOperand) => MLOperand, nodes: string[]]> = {
  concat: [(builder, x) => builder.concat([x, builder.reverse(x, { axes: [0] })], 1), ['REVERSE_V2', 'CONCATENATION']],
  'concat with a constant': [(builder, x) => builder.concat([x, integersOf(builder, x)], 0), ['CONCATENATION']],
  'concat with itself': [(builder, x) => builder.concat([x, x], 0), ['CONCATENATION']],
  expand: [(builder, x) => builder.expand(x, [4, 2, 3]), ['BROADCAST_TO']],
  gather: [(builder, x) => builder.gather(x, indicesOf(builder), { axis: 1 }), ['GATHER']],
  identity: [(builder, x) => builder.identity(x), ['RESHAPE']],
  reshape: [(builder, x) => builder.reshape(x, [3, 2]), ['RESHAPE']],
  reverse: [(builder, x) => builder.reverse(x), ['REVERSE_V2', 'REVERSE_V2']],
  slice: [(builder, x) => builder.slice(x, [0, 1], [2, 2]), ['SLICE']],
  'slice with strides': [(builder, x) => builder.slice(x, [0, 0], [2, 3], { strides: [1, 2] }), ['STRIDED_SLICE']],
  split: [(builder, x) => builder.split(x, 3, { axis: 1 })[1] as MLOperand, ['SPLIT']],
  'split in uneven parts': [(builder, x) => builder.split(x, [1, 2], { axis: 1 })[1] as MLOperand, ['SPLIT_V']],
  tile: [(builder, x) => builder.tile(x, [2, 1]), ['TILE']],
  transpose: [(builder, x) => builder.transpose(x), ['TRANSPOSE']],
};

function integersOf(builder: MLGraphBuilder, { dataType }: MLOperand): MLOperand {
  const values = [1, 2, 3, 4, 5, 6];
  const data = dataType === 'int8' ? Int8Array.from(values) : Uint8Array.from(values);
  return builder.constant({ dataType, shape: [2, 3] }, data);
}

function indicesOf(builder: MLGraphBuilder): MLOperand {
  return builder.constant({ dataType: 'int32', shape: [2] }, Int32Array.of(2, 0));
}

function opsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(0, line.indexOf('(')));
}

describe.each(Object.entries(MOVES))('%s', (_, [move, nodes]) => {
  it.each(TYPES)('of an input: %s', (dataType) => {
    const m = new Quantizer();
    const lines = m.lines(m.dq(move(m.builder, m.input('x', dataType, 2, 3)), P));
    expect(opsOf(lines)).toEqual([...nodes, 'DEQUANTIZE']);
  });

  it.each(TYPES)('of a quantized value: %s', (dataType) => {
    const m = new Quantizer();
    const moved = move(m.builder, m.q(m.input('x', 'float32', 2, 3), P, dataType));
    expect(opsOf(m.lines(m.dq(moved, P)))).toEqual(['QUANTIZE', ...nodes, 'DEQUANTIZE']);
  });

  it('between two integer kernels', () => {
    const m = new Quantizer();
    const before = m.q(m.builder.relu(m.dq(m.input('x', 'int8', 2, 3), P)), P);
    const after = m.q(m.builder.tanh(m.dq(move(m.builder, before), P)), P);
    expect(opsOf(m.lines(after))).toEqual(['RELU', ...nodes, 'TANH']);
  });

  it('with other parameters than those that are known: arithmetic', () => {
    const m = new Quantizer();
    const moved = move(m.builder, m.q(m.input('x', 'float32', 2, 3), P));
    const lines = m.lines(m.dq(moved, OTHER));
    expect(lines.filter((line) => ARITHMETIC.test(line))).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith('DEQUANTIZE'))).toEqual([]);
  });
});

describe('a concatenation', () => {
  it('of values with two scales is one of integers: its kernel would bring them to one scale', () => {
    const m = new Quantizer();
    const [a, b] = [m.q(m.input('a', 'float32', 2), P), m.q(m.input('b', 'float32', 2), OTHER)];
    const lines = m.lines(m.dq(m.builder.concat([a, b], 0), P));
    expect(opsOf(lines)).toEqual([
      ...['QUANTIZE', 'QUANTIZE', 'RESHAPE', 'RESHAPE', 'CONCATENATION'],
      ...['CAST', 'SUB', 'MUL'],
    ]);
    expect(lines[4]).toBe('CONCATENATION(t4, t5) {axis: 0} -> t6 int8[4]');
  });

  it('of a value whose meaning arithmetic decides is one of integers', () => {
    const m = new Quantizer();
    const sum = m.builder.add(m.input('a', 'int8', 2), m.input('b', 'int8', 2));
    const lines = m.lines(m.dq(m.builder.concat([m.input('x', 'int8', 2), sum], 0), P));
    expect(opsOf(lines)).not.toContain('DEQUANTIZE');
  });

  it('is traced once, however often its operands meet again', () => {
    const m = new Quantizer();
    let x = m.input('x', 'int8', 1);
    for (let count = 0; count < 20; count++) x = m.builder.slice(m.builder.concat([x, x], 0), [0], [1]);
    expect(m.lines(m.dq(x, P)).filter((line) => ARITHMETIC.test(line))).toEqual([]);
  });
});

describe('parts of a split', () => {
  it('of which one is dequantized otherwise: that one by arithmetic', () => {
    const m = new Quantizer();
    const [first, second] = m.builder.split(m.input('x', 'int8', 4), 2) as [MLOperand, MLOperand];
    const lines = m.lines(m.dq(first, P), m.dq(second, OTHER), second);
    expect(opsOf(lines).filter((op) => op === 'DEQUANTIZE')).toHaveLength(1);
    expect(lines.filter((line) => ARITHMETIC.test(line))).toHaveLength(3);
  });
});

describeOnModule('values', () => {
  async function run(graph: RecordedGraph, inputs: readonly Uint8Array[]): Promise<number[]> {
    const engine = await openEngine();
    const built = await engine.build(graph);
    const provided = graph.inputs.map(({ operand }, index) => {
      const tensor = engine.createTensor(graph.operands[operand] as never);
      tensor.write(inputs[index] as Uint8Array);
      return tensor;
    });
    const results = graph.outputs.map(({ operand }) => engine.createTensor(graph.operands[operand] as never));
    built.dispatch(provided, results);
    const read = await (results[0] as (typeof results)[0]).read();
    engine.destroy();
    return Array.from(new Float32Array(read.slice().buffer));
  }

  describe.each(Object.entries(MOVES))('of %s', (_, [move]) => {
    it.each(TYPES)('are those of arithmetic: %s', async (dataType) => {
      const integers =
        dataType === 'int8' ? Int8Array.of(-128, -1, 3, 4, 100, 127) : Uint8Array.of(0, 1, 3, 4, 200, 255);
      const bytes = new Uint8Array(integers.buffer);
      const native = new Quantizer();
      const result = native.dq(move(native.builder, native.input('x', dataType, 2, 3)), P);
      const moved = await run(graphOf(native.builder, [result]), [bytes]);
      // A scale that is an input cannot be a tensor's: the same integers, by CAST, SUB and MUL.
      const composed = new Quantizer();
      const x = move(composed.builder, composed.input('x', dataType, 2, 3));
      const ones = x.shape.map(() => 1);
      const scale = composed.input('scale', 'float32', ...ones);
      const zero = dataType === 'int8' ? Int8Array.of(P[1]) : Uint8Array.of(P[1]);
      const zeroPoint = composed.builder.constant({ dataType, shape: ones }, zero);
      const expected = await run(graphOf(composed.builder, [composed.builder.dequantizeLinear(x, scale, zeroPoint)]), [
        bytes,
        new Uint8Array(Float32Array.of(P[0]).buffer),
      ]);
      expect(moved).toEqual(expected);
      expect(moved.length).toBe(x.shape.reduce((product, size) => product * size, 1));
    });
  });
});
