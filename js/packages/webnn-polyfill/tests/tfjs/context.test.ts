/** Contexts on TensorFlow.js: the order of queued work, memory, and missing features. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { EngineContext, EngineGraph, EngineTensor, RecordedGraph } from 'webnn-polyfill';
import { opSupportLimits } from '../../src/tfjs/op_table.js';
import * as tf from '../../src/tfjs/tf.js';
import { cpuEngine } from './cpu_engine.js';

const DESCRIPTOR = { dataType: 'float32', shape: [2] } as const;

/** `sum = relu(a + reshape([10, -20]))` */
const SUM: RecordedGraph = {
  operands: [DESCRIPTOR, { dataType: 'float32', shape: [2, 1] }, DESCRIPTOR, DESCRIPTOR, DESCRIPTOR],
  inputs: [{ name: 'a', operand: 0 }],
  constants: [{ operand: 1, bytes: new Uint8Array(new Float32Array([10, -20]).buffer) }],
  operators: [
    { op: 'reshape', label: '', operands: { input: 1 }, attributes: { newShape: [2] }, outputs: [2] },
    { op: 'add', label: '', operands: { a: 0, b: 2 }, attributes: {}, outputs: [3] },
    { op: 'relu', label: '', operands: { input: 3 }, attributes: {}, outputs: [4] },
  ],
  outputs: [{ name: 'sum', operand: 4 }],
};

let context: EngineContext;
let graph: EngineGraph;

beforeEach(async () => {
  context = await cpuEngine.open({ powerPreference: 'default', accelerated: false });
  graph = await context.build(SUM);
});

function written(...values: number[]): EngineTensor {
  const tensor = context.createTensor(DESCRIPTOR);
  tensor.write(new Uint8Array(new Float32Array(values).buffer));
  return tensor;
}

async function floats(tensor: EngineTensor): Promise<number[]> {
  return [...new Float32Array((await tensor.read()).buffer)];
}

describe('tensors', () => {
  test('are zero at first, then what was written, then what was computed', async () => {
    const [a, sum] = [context.createTensor(DESCRIPTOR), context.createTensor(DESCRIPTOR)];
    expect(await floats(sum)).toEqual([0, 0]);
    graph.dispatch([a], [sum]);
    expect(await floats(sum)).toEqual([10, 0]);
    sum.write(new Uint8Array(new Float32Array([7, 8]).buffer));
    expect(await floats(sum)).toEqual([7, 8]);
  });

  test('are read as they were when the call was made', async () => {
    const [a, sum] = [written(1, 30), context.createTensor(DESCRIPTOR)];
    graph.dispatch([a], [sum]);
    const before = floats(sum);
    a.write(new Uint8Array(new Float32Array([2, 40]).buffer));
    graph.dispatch([a], [sum]);
    const after = floats(sum);
    sum.destroy();
    expect([await before, await after]).toEqual([
      [11, 10],
      [12, 20],
    ]);
  });

  test('of integers come back bit by bit', async () => {
    const tensor = context.createTensor({ dataType: 'int32', shape: [2] });
    const values = new Int32Array([2 ** 31 - 1, -(2 ** 31)]);
    tensor.write(new Uint8Array(values.slice().buffer));
    expect(new Int32Array((await tensor.read()).buffer)).toEqual(values);
  });

  test('that are read belong to the caller', async () => {
    const a = written(1, 2);
    (await a.read()).fill(0);
    expect(await floats(a)).toEqual([1, 2]);
    const sum = context.createTensor(DESCRIPTOR);
    graph.dispatch([a], [sum]);
    (await sum.read()).fill(0);
    expect(await floats(sum)).toEqual([11, 0]);
  });
});

describe('memory', () => {
  test('remains the same over a hundred dispatches', async () => {
    const [a, b] = [written(1, 2), context.createTensor(DESCRIPTOR)];
    const iterate = async () => {
      graph.dispatch([a], [b]);
      graph.dispatch([b], [a]);
      await a.read();
    };
    await iterate();
    const { numTensors, numBytes } = tf.memory();
    for (let index = 0; index < 50; index++) await iterate();
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
    expect((await floats(a))[0]).toBe(1 + 20 * 51);
  });

  test('holds what a graph reads while it runs, and no more', () => {
    graph.destroy();
    context.createTensor(DESCRIPTOR); // uploaded only when a graph needs it
    const before = tf.memory().numTensors;
    return context.build(SUM).then(() => expect(tf.memory().numTensors).toBe(before + 1));
  });

  test('is free after destroy()', async () => {
    const before = tf.memory().numTensors - 1; // the graph's constant
    graph.dispatch([written(1, 2)], [context.createTensor(DESCRIPTOR)]);
    context.destroy();
    expect(tf.memory().numTensors).toBe(before);
  });
});

describe('contexts', () => {
  test('do not get into each other’s way', async () => {
    const first = { a: written(1, 30), sum: context.createTensor(DESCRIPTOR) };
    const [firstContext, firstGraph] = [context, graph];
    context = await cpuEngine.open({ powerPreference: 'default', accelerated: false });
    graph = await context.build(SUM);
    const second = { a: written(2, 40), sum: context.createTensor(DESCRIPTOR) };
    firstGraph.dispatch([first.a], [first.sum]);
    graph.dispatch([second.a], [second.sum]);
    firstGraph.dispatch([first.sum], [first.a]);
    context.destroy();
    expect(await floats(first.a)).toEqual([21, 0]);
    firstContext.destroy();
  });

  test('reject an operator that the engine does not have', async () => {
    const unknown = { ...SUM, operators: SUM.operators.map((operator) => ({ ...operator, op: 'topK' })) };
    const before = tf.memory().numTensors;
    await expect(context.build(unknown)).rejects.toThrow('no operator topK');
    expect(tf.memory().numTensors).toBe(before);
  });

  test('reject a transposed convolution whose groups do not divide the channels', async () => {
    const square = { dataType: 'float32', shape: [1, 1, 3, 3] } as const;
    const attributes = {
      groups: 3,
      padding: [0, 0, 0, 0],
      strides: [1, 1],
      dilations: [1, 1],
      inputLayout: 'nchw',
      filterLayout: 'iohw',
    };
    const operator = { op: 'convTranspose2d', label: '', operands: { input: 0, filter: 1 }, attributes, outputs: [2] };
    const uneven: RecordedGraph = {
      operands: [square, square, { dataType: 'float32', shape: [1, 3, 5, 5] }],
      inputs: [{ name: 'x', operand: 0 }],
      constants: [{ operand: 1, bytes: new Uint8Array(36) }],
      operators: [operator],
      outputs: [{ name: 'y', operand: 2 }],
    };
    await expect(context.build(uneven)).rejects.toThrow('3 groups do not divide the 1 channels');
  });

  test('say why a computation failed', async () => {
    const [a, sum] = [context.createTensor({ dataType: 'float32', shape: [3] }), context.createTensor(DESCRIPTOR)];
    graph.dispatch([a], [sum]);
    await expect(sum.read()).rejects.toThrow();
    graph.dispatch([written(1, 2)], [sum]);
    expect(await floats(sum)).toEqual([11, 0]);
  });
});

test('limits name every operator, with no data type that is computed inexactly', () => {
  const { conv2d, add, gather, argMax } = opSupportLimits(1024);
  expect(conv2d?.input).toEqual({ dataTypes: ['float32'], rankRange: { min: 0, max: 4 } });
  expect(add?.a?.dataTypes).toEqual(['float32']);
  expect(gather?.indices?.dataTypes).toEqual(['int32']);
  expect(argMax?.output?.dataTypes).toEqual(['int32']);
});
