/**
 * predict() on the real TensorFlow.js, with the real wasm module. Skipped, with the reason, where that is not built.
 */

import { loadTFLiteModel, type TFLiteModel } from '@tflite-webnn/compat-tfjs';
import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import { type DType, encodeStrings, type TensorInfo, type TypedArray } from 'tflite-webnn';
import { expected, FakeContext, FakeGraphBuilder, SIN_MODEL, writeModel } from 'tflite-webnn/fakes';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import { fromTfValues, toTfTensor } from '../src/tf_tensors.js';

const OPTIONS = { ...WASM, tf } as const;
const X = [0, 1, 2, -3];
/** t2 = t0 + t1, t3 = t0 * t1: two inputs, two outputs. */
const PAIR = writeModel({
  tensorCount: 4,
  nodes: [
    { op: 'ADD', inputs: [0, 1], outputs: [2] },
    { op: 'MUL', inputs: [0, 1], outputs: [3] },
  ],
  inputs: [0, 1],
  outputs: [2, 3],
});

const opened: TFLiteModel[] = [];

async function open(...provided: Parameters<typeof loadTFLiteModel>): Promise<TFLiteModel> {
  const model = await loadTFLiteModel(...provided);
  opened.push(model);
  return model;
}

afterEach(() => {
  for (const model of opened.splice(0)) void model.dispose();
});

beforeAll(async () => {
  await tf.setBackend('cpu');
});
const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 4));

describeOnModule('a model on tensors of TensorFlow.js', () => {
  it('accepts a tensor and returns one', async () => {
    const model = await open(writeModel(SIN_MODEL), OPTIONS);
    for (const result of [model.predict(tf.tensor1d(X)), await model.predictAsync(tf.tensor1d(X))]) {
      expect(result).toBeInstanceOf(tf.Tensor);
      expect(result).toMatchObject({ shape: [4], dtype: 'float32' });
      expect([...(result as tf.Tensor).dataSync()]).toEqual(near(expected(X)));
    }
  });

  it('accepts a list or a record of them, and returns a record', async () => {
    const model = await open(PAIR, OPTIONS);
    const [a, b] = [tf.tensor1d([1, 2, 3, 4]), tf.tensor1d([5, 6, 7, 8])];
    for (const inputs of [[a, b], { t1: b, t0: a }]) {
      const results = model.predict(inputs) as tf.NamedTensorMap;
      expect(Object.keys(results)).toEqual(['t2', 't3']);
      expect(results.t2?.arraySync()).toEqual([6, 8, 10, 12]);
      expect(((await model.predictAsync(inputs)) as tf.NamedTensorMap).t3?.arraySync()).toEqual([5, 12, 21, 32]);
    }
    expect(() => model.predict([a])).toThrow(expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }));
    expect(() => model.predict({ t0: a, t9: b })).toThrow(/t1/);
  });

  it('works on the global library inside tidy(), and leaves the inputs alone', async () => {
    vi.stubGlobal('tf', tf);
    const model = await open(writeModel(SIN_MODEL), { wasmPath: OPTIONS.wasmPath, variant: 'simd' });
    const x = tf.tensor1d(X);
    const before = tf.memory().numTensors;
    const sum = tf.tidy(() => tf.sum(model.predict<tf.Tensor>(tf.mul(x, 1)) as tf.Tensor));
    expect(tf.memory().numTensors).toBe(before + 1);
    expect(sum.dataSync()[0]).toBeCloseTo(
      expected(X).reduce((total, value) => total + value),
      4,
    );
    expect(x.arraySync()).toEqual(X);
  });

  it('accepts integers and booleans for floats where they are exact', async () => {
    const model = await open(writeModel(SIN_MODEL), OPTIONS);
    const integers = model.predict(tf.tensor1d(X, 'int32')) as tf.Tensor;
    expect([...integers.dataSync()]).toEqual(near(expected(X)));
    const flags = model.predict(tf.tensor1d([true, false, true, false], 'bool')) as tf.Tensor;
    expect([...flags.dataSync()]).toEqual(near(expected([1, 0, 1, 0])));
    expect(() => model.predict(tf.tensor1d([16777217, 0, 0, 0], 'int32'))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
  });

  it('rejects other shapes and types, and names those that it wants', async () => {
    const model = await open(writeModel(SIN_MODEL), OPTIONS);
    expect(() => model.predict(tf.tensor2d(X, [2, 2]))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    expect(() => model.predict(tf.tensor2d(X, [2, 2]))).toThrow(/float32\[4\]/);
    expect(() => model.predict(tf.tensor1d(['a', 'b', 'c', 'd']))).toThrow(/expects float32, got a string tensor/);
    expect(() => model.predict(tf.complex(X, X))).toThrow(/got a complex64 tensor/);
  });

  it('is on the CPU by default, as in tfjs-tflite, and on WebNN where that is requested', async () => {
    const createContext = vi.fn(async () => new FakeContext());
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    vi.stubGlobal('navigator', { ml: { createContext } });
    vi.stubGlobal('document', {}); // a page, which cannot wait
    await open(writeModel(SIN_MODEL), OPTIONS);
    expect(createContext).not.toHaveBeenCalled();
    const model = await open(writeModel(SIN_MODEL), { ...OPTIONS, device: 'webnn' });
    expect(model.model.executionMode).toBe('direct');
    await open(writeModel(SIN_MODEL), { ...OPTIONS, enableWebnnDelegate: true });
    expect(createContext).toHaveBeenCalledTimes(2);
  });

  it('computes on the CPU if this thread cannot wait for WebNN, and the report says so', async () => {
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    vi.stubGlobal('navigator', { ml: { createContext: async () => new FakeContext() } });
    vi.stubGlobal('document', {}); // a page
    const model = await open(writeModel(SIN_MODEL), { ...OPTIONS, device: 'webnn' });
    expect(await model.report()).toMatchObject({ executionMode: 'direct', webnn: { reason: null } });
    expect([...(model.predict(tf.tensor1d(X)) as tf.Tensor).dataSync()]).toEqual(near(expected(X)));
    const { executionMode, webnn } = await model.report();
    expect(executionMode).toBe('cpu');
    expect(webnn.reason).toMatch(/predict\(\) cannot wait for WebNN in this thread.*await predictAsync\(\)/);
    expect(model.model.executionMode).toBe('direct');
    const resized = await open(PAIR, { ...OPTIONS, device: 'webnn' });
    await resized.model.resizeInputs([[2], [2]]);
    const pair = [tf.tensor1d([1, 2]), tf.tensor1d([3, 4])];
    expect(() => resized.predict(pair)).toThrow(expect.objectContaining({ name: 'BlockingError' }));
    void model.dispose();
    expect(() => model.predict(tf.tensor1d(X))).toThrow(expect.objectContaining({ name: 'ModelDisposedError' }));
  });

  it('says so where the library is not there', async () => {
    const model = await open(writeModel(SIN_MODEL), { wasmPath: OPTIONS.wasmPath, variant: 'simd' });
    expect(() => model.predict(tf.tensor1d(X))).toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TF_TENSOR' }),
    );
  });
});

/** An input or output of two elements. */
function info(dtype: DType): TensorInfo {
  return { index: 0, name: 'x', dtype, shape: [2], shapeSignature: [2], sizeBytes: 0, quantization: null };
}

describe('values of the real tensors', () => {
  it.each<[string, () => tf.Tensor, DType, ArrayLike<unknown>]>([
    ['int32', () => tf.tensor1d([-128, 127], 'int32'), 'int8', Int8Array.of(-128, 127)],
    ['int32', () => tf.tensor1d([0, 255], 'int32'), 'uint8', Uint8Array.of(0, 255)],
    ['int32', () => tf.tensor1d([-1, 2], 'int32'), 'int64', BigInt64Array.of(-1n, 2n)],
    ['bool', () => tf.tensor1d([true, false], 'bool'), 'bool', Uint8Array.of(1, 0)],
    ['string', () => tf.tensor1d(['ä', '']), 'string', ['ä', '']],
  ])('%s become what the model accepts', async (_, create, dtype, values) => {
    const tensor = create();
    expect(fromTfValues(tensor.dataSync() as Int32Array, tensor.dtype, info(dtype))).toEqual(values);
    expect(fromTfValues((await tensor.data()) as Int32Array, tensor.dtype, info(dtype))).toEqual(values);
  });

  it.each<[DType, TypedArray, string, ArrayLike<unknown>]>([
    ['int8', Int8Array.of(-128, 127), 'int32', [-128, 127]],
    ['uint32', Uint32Array.of(0, 7), 'int32', [0, 7]],
    ['int64', BigInt64Array.of(-5n, 5n), 'int32', [-5, 5]],
    ['bool', Uint8Array.of(1, 0), 'bool', [1, 0]],
    ['string', encodeStrings(['ä', '']), 'string', ['ä', '']],
    ['float64', Float64Array.of(0.5, 2), 'float32', [0.5, 2]],
  ])('%s results become tensors', (dtype, result, tfDType, values) => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const tensor = toTfTensor(tf, result, [2], info(dtype)) as tf.Tensor;
    expect(tensor).toMatchObject({ dtype: tfDType, shape: [2] });
    expect(Array.from(tensor.dataSync() as ArrayLike<unknown>)).toEqual(values);
  });

  it('rejects results that no tensor can hold', () => {
    const values = Uint32Array.of(0, 2 ** 31);
    expect(() => toTfTensor(tf, values, [2], info('uint32'))).toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TF_TENSOR' }),
    );
  });
});
