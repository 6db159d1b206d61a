import { getDTypeFromTFLiteType, TFLiteModel, type TfTensor, type TfValues } from '@tflite-webnn/compat-tfjs';
import { type DType, InputError, type Model, type TensorInfo, type TypedArray } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { fromTfValues, isTfTensor, tfLibrary, toTfTensor } from '../src/tf_tensors.js';

function info(dtype: DType, name = 'x', index = 0): TensorInfo {
  return { index, name, dtype, shape: [2], shapeSignature: [2], sizeBytes: 8, quantization: null };
}

interface FakeTensor extends TfTensor {
  readonly values: TfValues;
}

const tf = {
  tensor: (values: TfValues, shape: number[], dtype: string): FakeTensor => ({
    values,
    shape,
    dtype,
    dataSync: () => values,
    data: async () => values,
  }),
};

describe('values of TensorFlow.js', () => {
  it.each<[TfValues, string, DType, ArrayLike<unknown>]>([
    [Int32Array.of(-128, 127), 'int32', 'int8', Int8Array.of(-128, 127)],
    [Int32Array.of(0, 255), 'int32', 'uint8', Uint8Array.of(0, 255)],
    [Int32Array.of(-1, 2), 'int32', 'int64', BigInt64Array.of(-1n, 2n)],
    [Int32Array.of(1, 0), 'int32', 'bool', Uint8Array.of(1, 0)],
    [Uint8Array.of(1, 0), 'bool', 'bool', Uint8Array.of(1, 0)],
    [Uint8Array.of(1, 0), 'bool', 'int32', Int32Array.of(1, 0)],
    [Int32Array.of(3, -4), 'int32', 'float32', Float32Array.of(3, -4)],
    [Float32Array.of(0.5, Number.NaN), 'float32', 'float64', Float64Array.of(0.5, Number.NaN)],
    [['a', 'b'], 'string', 'string', ['a', 'b']],
  ])('%s of type %s become %s', (values, dtype, target, expected) => {
    expect(fromTfValues(values, dtype, info(target))).toEqual(expected);
  });

  it.each<[TfValues, string, DType, RegExp]>([
    [Float32Array.of(1), 'float32', 'int32', /expects int32, got a float32 tensor/],
    [Float32Array.of(1), 'complex64', 'float32', /got a complex64/],
    [['a'], 'string', 'float32', /got a string/],
    [Int32Array.of(1), 'int32', 'string', /expects string/],
    [Int32Array.of(0, 128), 'int32', 'int8', /cannot hold the value 128 of the provided int32 tensor at index 1/],
    [Int32Array.of(-1), 'int32', 'uint32', /value -1/],
    [Int32Array.of(-1), 'int32', 'uint64', /value -1/],
    [Int32Array.of(2), 'int32', 'bool', /value 2/],
    [Int32Array.of(16777217), 'int32', 'float32', /value 16777217/],
    [Int32Array.of(1), 'int32', 'int4', /expects int4/],
  ])('%s of type %s do not become %s', (values, dtype, target, message) => {
    expect(() => fromTfValues(values, dtype, info(target))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
    expect(() => fromTfValues(values, dtype, info(target))).toThrow(message);
  });

  it('that do not fit are named', () => {
    expect(() => fromTfValues(Int32Array.of(0, 128), 'int32', info('int8'))).toThrow(
      expect.objectContaining({ details: { input: 'x', dtype: 'int8', index: 1 } }),
    );
    expect(() => fromTfValues(['a'], 'string', info('int8'))).toThrow(
      expect.objectContaining({
        message: 'Data type mismatch: input x expects int8, got a string tensor.',
        details: { input: 'x', dtype: 'int8' },
      }),
    );
  });

  it('are the provided array where it is of the right type', () => {
    const values = Float32Array.of(1);
    expect(fromTfValues(values, 'float32', info('float32'))).toBe(values);
  });
});

describe('results for TensorFlow.js', () => {
  function result(values: TypedArray, dtype: DType): FakeTensor {
    return toTfTensor(tf, values, [2], info(dtype)) as FakeTensor;
  }

  it.each<[TypedArray, DType, string, TfValues]>([
    [Float32Array.of(1, 2), 'float32', 'float32', Float32Array.of(1, 2)],
    [Int8Array.of(-1, 2), 'int8', 'int32', Int32Array.of(-1, 2)],
    [Uint32Array.of(1, 2), 'uint32', 'int32', Int32Array.of(1, 2)],
    [BigInt64Array.of(-1n, 2n), 'int64', 'int32', Int32Array.of(-1, 2)],
    [Uint8Array.of(0, 1), 'bool', 'bool', Uint8Array.of(0, 1)],
  ])('%s of type %s are %s', (values, dtype, tfType, expected) => {
    expect(getDTypeFromTFLiteType(dtype)).toBe(tfType);
    expect(result(values, dtype)).toMatchObject({ dtype: tfType, shape: [2], values: expected });
  });

  it('warns once that doubles are rounded', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const unwarned = { ...tf };
    const rounded = toTfTensor(unwarned, Float64Array.of(0.1, 0.2), [2], info('float64')) as FakeTensor;
    expect(rounded.values).toEqual(Float32Array.of(0.1, 0.2));
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('output x is float64, TensorFlow.js gets it as float32'));
    toTfTensor(unwarned, Float64Array.of(0.1, 0.2), [2], info('float64'));
    toTfTensor(unwarned, Int8Array.of(1, 2), [2], info('int8'));
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('are rejected where a value does not fit, or the type is unknown there', () => {
    expect(() => result(Uint32Array.of(0, 2 ** 31), 'uint32')).toThrow(/the value 2147483648.*run\(\) returns it/);
    expect(() => result(BigInt64Array.of(2n ** 40n), 'int64')).toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TF_TENSOR' }),
    );
    expect(() => result(Uint8Array.of(1), 'resource')).toThrow(/no type for output x: resource/);
    expect(() => result(Uint16Array.of(1), 'float16')).toThrow(/x is float16, and this browser has no Float16Array/);
  });

  it('need the library', () => {
    expect(() => tfLibrary(undefined)).toThrow(/option tf/);
    vi.stubGlobal('tf', {});
    expect(() => tfLibrary(undefined)).toThrow(expect.objectContaining({ name: 'TensorError', code: 'TF_TENSOR' }));
    vi.stubGlobal('tf', tf);
    expect(tfLibrary(undefined)).toBe(tf);
  });
});

describe('inputs in a structure', () => {
  const a = tf.tensor(Float32Array.of(1, 2), [2], 'float32');
  const b = tf.tensor(Int32Array.of(3, 4), [2], 'int32');

  /** A model of these outputs that keeps what it runs on. */
  function fakeModel(outputs: readonly string[], executionMode = 'cpu') {
    const seen: unknown[] = [];
    const runSync = (provided: unknown) => {
      seen.push(provided);
      if (!Array.isArray(provided)) throw new InputError('INPUT_NAME', 'it does not fit');
      return outputs.map((name, at) => ({ name, data: Float32Array.of(at), shape: [1] }));
    };
    const model = {
      inputs: [info('float32', 'a', 0), info('int8', 'b', 1)],
      outputs: outputs.map((name, at) => info('float32', name, at)),
      signatures: [{ subgraph: 0, inputs: [{ name: 'second', tensor: 1 }] }],
      executionMode,
      run: async (provided: unknown) => runSync(provided),
      runSync,
    };
    return { model: new TFLiteModel(model as unknown as Model, { tf }), seen };
  }

  it('are recognized among arrays and other values', () => {
    expect(isTfTensor(a)).toBe(true);
    const { dataSync, data, shape } = a;
    const others = [null, undefined, 'text', { dataSync, data }, { dataSync, shape }, { data, shape }];
    expect(others.map(isTfTensor)).toEqual(others.map(() => false));
  });

  it('are accepted in any order, synchronously or when they come', async () => {
    const { model, seen } = fakeModel(['y']);
    const expected = [
      { data: Float32Array.of(1, 2), shape: [2] },
      { data: Int8Array.of(3, 4), shape: [2] },
    ];
    for (const inputs of [[a, b], { b, a }, { second: b, a }]) {
      model.predict(inputs as FakeTensor[]);
      await model.predictAsync(inputs as FakeTensor[]);
    }
    expect(seen).toEqual(Array(6).fill(expected));
  });

  it('that do not fit, or are mixed with arrays, are left to the error of run()', async () => {
    const { model, seen } = fakeModel(['y']);
    for (const inputs of [{ a, c: b }, { a }]) {
      expect(() => model.predict(inputs)).toThrow(expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }));
      await expect(model.predictAsync(inputs)).rejects.toThrow(
        expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
      );
    }
    expect(seen.map((provided) => Object.keys(provided as object))).toEqual([['a', 'c'], ['a', 'c'], ['a'], ['a']]);
    const mixed = [a, new Float32Array(1)] as unknown as FakeTensor[];
    model.predict(mixed);
    expect(seen.at(-1)).toBe(mixed);
  });

  it('return one result by itself, several by name, and two of one name both', async () => {
    const one = fakeModel(['y']).model;
    expect(one.predict([a, b])).toMatchObject({ values: Float32Array.of(0), shape: [1] });
    expect(one.predict([new Float32Array(2), new Int8Array(2)])).toEqual(Float32Array.of(0));
    const two = fakeModel(['p', 'p']).model;
    expect(await two.predictAsync([new Float32Array(2), new Int8Array(2)])).toEqual({
      p: Float32Array.of(0),
      'p:1': Float32Array.of(1),
    });
  });

  it('of a model that cannot run synchronously are rejected', () => {
    for (const mode of ['direct', 'stepped']) {
      expect(() => fakeModel(['y'], mode).model.predict([a, b])).toThrow(/Await predictAsync\(\)/);
    }
  });
});
