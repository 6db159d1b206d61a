/** Contexts, tensors and graphs: their operations, and the states that allow them. */

import { beforeEach, describe, expect, test } from 'vitest';
import {
  type GlobalScope,
  type ML,
  type MLContext,
  type MLGraph,
  type MLGraphBuilder,
  type MLTensor,
  webnnOf,
} from 'webnn-polyfill';
import { type FakeContext, FakeEngine } from './fakes/engine.js';

const DESCRIPTOR = { dataType: 'float32', shape: [2] } as const;
const INVALID_STATE = expect.objectContaining({ name: 'InvalidStateError' });
const TENSOR = { ...DESCRIPTOR, readable: true, writable: true };

let scope: GlobalScope;
let ml: ML;
let context: MLContext;
let engine: FakeEngine;
let Builder: new (context: MLContext) => MLGraphBuilder;

beforeEach(async () => {
  engine = new FakeEngine();
  scope = webnnOf(engine);
  ml = scope.navigator?.ml as unknown as ML;
  Builder = scope.MLGraphBuilder as typeof Builder;
  context = await ml.createContext();
});

function fake(): FakeContext {
  return engine.contexts.at(-1) as FakeContext;
}

/** A graph that computes `sum = a + [10, 20]`. */
async function sumGraph(): Promise<MLGraph> {
  const builder = new Builder(context);
  const constant = builder.constant(DESCRIPTOR, new Float32Array([10, 20]));
  return await builder.build({ sum: builder.add(builder.input('a', DESCRIPTOR), constant) });
}

async function floats(tensor: MLTensor): Promise<number[]> {
  return [...new Float32Array(await context.readTensor(tensor))];
}

describe('tensors', () => {
  test('are zero at first, then what was written', async () => {
    const tensor = await context.createTensor(TENSOR);
    expect(await floats(tensor)).toEqual([0, 0]);
    context.writeTensor(tensor, new Float32Array([1, 2]));
    expect(await floats(tensor)).toEqual([1, 2]);
  });

  test('can be read into the page’s own buffer', async () => {
    const tensor = await context.createTensor(TENSOR);
    context.writeTensor(tensor, new Float32Array([1, 2]).buffer);
    const output = new Float32Array(4);
    expect(await context.readTensor(tensor, output.subarray(1, 3))).toBeUndefined();
    expect([...output]).toEqual([0, 1, 2, 0]);
  });

  test('have the attributes of their descriptor', async () => {
    const tensor = await context.createTensor({ ...DESCRIPTOR, readable: true });
    expect([tensor.dataType, tensor.shape, tensor.readable, tensor.writable, tensor.constant]).toEqual([
      'float32',
      [2],
      true,
      false,
      false,
    ]);
    expect(Object.isFrozen(tensor.shape)).toBe(true);
    expect(tensor.shape).toBe(tensor.shape);
  });

  test('keep what was written when the page changes its buffer', async () => {
    const tensor = await context.createTensor(TENSOR);
    const data = new Float32Array([1, 2]);
    context.writeTensor(tensor, data);
    data.fill(9);
    expect(await floats(tensor)).toEqual([1, 2]);
  });

  test.each([
    ['a shape with a zero', { dataType: 'float32', shape: [0] }],
    ['too many dimensions', { dataType: 'float32', shape: [1, 1, 1, 1, 1, 1, 1, 1, 1] }],
    ['too many bytes', { dataType: 'float32', shape: [2 ** 30] }],
    ['a type that nobody has', { dataType: 'int2', shape: [2] }],
    ['no shape', { dataType: 'float32' }],
  ])('are rejected: %s', async (_, descriptor) => {
    await expect(context.createTensor(descriptor as typeof TENSOR)).rejects.toThrow(TypeError);
  });

  test('are written from as many bytes, and read into at least as many', async () => {
    const tensor = await context.createTensor(TENSOR);
    for (const data of [new Float32Array(1), new Float32Array(3), new ArrayBuffer(9)]) {
      expect(() => context.writeTensor(tensor, data)).toThrow(TypeError);
    }
    await expect(context.readTensor(tensor, new Float32Array(1))).rejects.toThrow(TypeError);
    context.writeTensor(tensor, new Uint8Array(new Float32Array([3, 4]).buffer));
    const larger = new Float32Array(3);
    await context.readTensor(tensor, larger);
    expect([...larger]).toEqual([3, 4, 0]);
  });

  test('are not read into a buffer that is detached meanwhile', async () => {
    const tensor = await context.createTensor(TENSOR);
    const buffer = new ArrayBuffer(8);
    const reading = context.readTensor(tensor, buffer);
    structuredClone(buffer, { transfer: [buffer] });
    await expect(reading).rejects.toThrow(TypeError);
  });

  test('that are constant are created from values of their type', async () => {
    await context.createConstantTensor(DESCRIPTOR, new Uint8Array(8));
    for (const data of [new Int32Array(2), new Float32Array(3), new DataView(new ArrayBuffer(8))]) {
      await expect(context.createConstantTensor(DESCRIPTOR, data)).rejects.toThrow(TypeError);
      expect(() => new Builder(context).constant(DESCRIPTOR, data)).toThrow(TypeError);
    }
  });

  test('are not read or written where the descriptor does not allow it', async () => {
    const tensor = await context.createTensor(DESCRIPTOR);
    await expect(context.readTensor(tensor)).rejects.toThrow(TypeError);
    expect(() => context.writeTensor(tensor, new Float32Array(2))).toThrow(TypeError);
  });

  test('that are destroyed cannot be used; reads that wait fail', async () => {
    const tensor = await context.createTensor(TENSOR);
    fake().reading = new Promise(() => {});
    const reading = context.readTensor(tensor);
    tensor.destroy();
    tensor.destroy();
    await expect(reading).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(context.readTensor(tensor)).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(() => context.writeTensor(tensor, new Float32Array(2))).toThrow(INVALID_STATE);
  });

  test('that are read immediately are destroyed just so', async () => {
    const tensor = await context.createTensor(TENSOR);
    fake().reading = null;
    context.writeTensor(tensor, new Float32Array([1, 2]));
    expect(await floats(tensor)).toEqual([1, 2]);
    const reading = context.readTensor(tensor);
    tensor.destroy();
    await expect(reading).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  test('of another context are rejected', async () => {
    const tensor = await (await ml.createContext()).createTensor(TENSOR);
    await expect(context.readTensor(tensor)).rejects.toThrow(TypeError);
    expect(() => context.writeTensor(tensor, new Float32Array(2))).toThrow(TypeError);
  });

  test('are not exported where the engine cannot', async () => {
    const tensor = await context.createTensor(TENSOR);
    expect(() => context.exportToGPU(tensor)).toThrow(TypeError);
    await expect(context.createExportableTensor(TENSOR, {} as GPUDevice)).rejects.toThrow(TypeError);
  });
});

describe('dispatch', () => {
  test('writes what the graph computes', async () => {
    const graph = await sumGraph();
    const [a, sum] = [await context.createTensor(TENSOR), await context.createTensor(TENSOR)];
    context.writeTensor(a, new Float32Array([1, 2]));
    context.dispatch(graph, { a }, { sum });
    expect(await floats(sum)).toEqual([11, 22]);
    expect(Reflect.get(graph, 'devices')).toEqual(['cpu']);
  });

  test('rejects what does not fit the graph', async () => {
    const graph = await sumGraph();
    const [a, sum] = [await context.createTensor(TENSOR), await context.createTensor(TENSOR)];
    const other = await context.createTensor({ ...TENSOR, shape: [3] });
    const constant = await context.createConstantTensor(DESCRIPTOR, new Float32Array(2));
    const foreign = await (await ml.createContext()).createTensor(TENSOR);
    for (const [inputs, outputs] of [
      [{}, { sum }],
      [{ a }, {}],
      [{ b: a }, { sum }],
      [{ a: other }, { sum }],
      [{ a, b: other }, { sum }],
      [{ a }, { sum: a }],
      [{ a: constant }, { sum }],
      [{ a: foreign }, { sum }],
      [{ a, [Symbol('b')]: other }, { sum }],
      [Object.freeze({ a, [Symbol('b')]: other }), { sum }],
    ] as [Record<string, MLTensor>, Record<string, MLTensor>][]) {
      expect(() => context.dispatch(graph, inputs, outputs)).toThrow(TypeError);
    }
  });

  test('rejects a destroyed graph, and a destroyed tensor', async () => {
    const graph = await sumGraph();
    const [a, sum] = [await context.createTensor(TENSOR), await context.createTensor(TENSOR)];
    a.destroy();
    expect(() => context.dispatch(graph, { a }, { sum })).toThrow(INVALID_STATE);
    graph.destroy();
    expect(fake().destroyed).toEqual(['graph']);
    expect(() => context.dispatch(graph, { a: sum }, { sum })).toThrow(INVALID_STATE);
  });

  test('rejects a graph of another context', async () => {
    const graph = await sumGraph();
    const other = await ml.createContext();
    expect(() => other.dispatch(graph, {}, {})).toThrow(TypeError);
  });
});

describe('a lost context', () => {
  test('says why, and rejects everything', async () => {
    const graph = await sumGraph();
    const [a, sum] = [await context.createTensor(TENSOR), await context.createTensor(TENSOR)];
    const builder = new Builder(context);
    context.destroy();
    context.destroy();
    expect((await context.lost).message).toMatch(/destroy/);
    expect(fake().destroyed).toEqual(['context']);
    await expect(context.createTensor(TENSOR)).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(context.readTensor(sum)).rejects.toMatchObject({ name: 'InvalidStateError' });
    for (const use of [
      () => context.writeTensor(a, new Float32Array(2)),
      () => context.dispatch(graph, { a }, { sum }),
      () => builder.input('a', DESCRIPTOR),
      () => new Builder(context),
    ]) {
      expect(use).toThrow(INVALID_STATE);
    }
  });

  test('ends what is in flight', async () => {
    const tensor = await context.createTensor(TENSOR);
    fake().reading = new Promise(() => {});
    const reading = context.readTensor(tensor);
    fake().lose('out of memory');
    await expect(reading).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(await context.lost).toEqual({ message: 'out of memory' });
  });
});

describe('a builder', () => {
  test('rejects a second build', async () => {
    const builder = new Builder(context);
    const output = builder.relu(builder.input('a', DESCRIPTOR));
    await builder.build({ output });
    await expect(builder.build({ output })).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(() => builder.relu(output)).toThrow(INVALID_STATE);
  });

  test('rejects bad outputs, and can be used after that', async () => {
    const builder = new Builder(context);
    const input = builder.input('a', DESCRIPTOR);
    const foreign = new Builder(context).input('a', DESCRIPTOR);
    const output = builder.relu(input);
    await expect(builder.build({})).rejects.toThrow(TypeError);
    await expect(builder.build({ '': output })).rejects.toThrow(TypeError);
    await expect(builder.build({ input })).rejects.toThrow(TypeError);
    await expect(builder.build({ foreign })).rejects.toThrow(TypeError);
    expect(() => builder.relu(foreign)).toThrow(TypeError);
    await builder.build({ output });
  });

  test('rejects an empty name, and a graph with two inputs of one name', async () => {
    const builder = new Builder(context);
    expect(() => builder.input('', DESCRIPTOR)).toThrow(TypeError);
    const [first, second] = [builder.input('a', DESCRIPTOR), builder.input('a', DESCRIPTOR)];
    await expect(builder.build({ b: builder.add(first, second) })).rejects.toThrow(TypeError);
    await builder.build({ b: builder.relu(first) });
  });

  test('reports that the engine cannot build', async () => {
    const builder = new Builder(context);
    fake().buildFailure = new Error('no kernel');
    const building = builder.build({ output: builder.relu(builder.input('a', DESCRIPTOR)) });
    await expect(building).rejects.toMatchObject({
      name: 'OperationError',
      message: expect.stringMatching(/no kernel/),
    });
  });

  test('passes the engine only what the outputs need', async () => {
    const builder = new Builder(context);
    const [a, b] = [builder.input('a', DESCRIPTOR), builder.input('b', DESCRIPTOR)];
    builder.add(a, b);
    const scale = builder.constant('float32', 2);
    await builder.build({ output: builder.add(b, scale, { label: 'twice' }) });
    const [graph] = fake().graphs;
    expect(graph?.inputs).toEqual([{ name: 'b', operand: 0 }]);
    expect(graph?.constants).toEqual([{ operand: 1, bytes: new Uint8Array([0, 0, 0, 64]) }]);
    expect(graph?.operators).toEqual([
      { op: 'add', label: 'twice', operands: { a: 0, b: 1 }, attributes: {}, outputs: [2] },
    ]);
    expect(graph?.outputs).toEqual([{ name: 'output', operand: 2 }]);
    expect(graph?.operands.map(({ shape }) => shape)).toEqual([[2], [], [2]]);
  });

  test('accepts constant tensors, until they are destroyed', async () => {
    const constant = await context.createConstantTensor(DESCRIPTOR, new Float32Array([1, 2]));
    expect(constant.constant).toBe(true);
    const builder = new Builder(context);
    const output = builder.relu(builder.constant(constant));
    const tensor = await context.createTensor(TENSOR);
    expect(() => builder.constant(tensor)).toThrow(TypeError);
    constant.destroy();
    expect(() => builder.constant(constant)).toThrow(TypeError);
    await expect(builder.build({ output })).rejects.toThrow(TypeError);
  });
});
