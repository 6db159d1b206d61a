/** What run() returns: in the structure of the inputs, named, with the shape of the run, and as real numbers. */

import {
  type DType,
  encodeStrings,
  OptionError,
  type QuantizationInfo,
  type TensorResult,
  type TypedArray,
} from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { tensorResult } from '../src/tensors/results.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { DIRECT, expected, floatTensor, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

const X = Float32Array.of(0, 1, 2, -3);
const Y = expected([...X]).map((value) => expect.closeTo(value, 4));

async function load(description: ModelDescription, more: Partial<ReturnType<typeof sinRunner>> = {}) {
  return loadOn([new FakeContext()], sinRunner(description, more));
}

describe.each([
  ['direct', DIRECT],
  ['stepped', STEPPED],
  ['cpu', ON_CPU],
])('run() in %s mode', (mode, description) => {
  it('have the structure of the inputs', async () => {
    const model = await load(description);
    expect(model.executionMode).toBe(mode);
    const f = { name: 'f', dtype: 'float32', shape: [4], quantization: null };
    const [alone] = await model.run(X);
    expect(alone).toMatchObject(f);
    expect(Array.from(alone?.data as Float32Array)).toEqual(Y);
    expect(await model.run([X])).toMatchObject([f]);
    expect(await model.run([{ data: X, shape: [4] }])).toMatchObject([f]);
    for (const key of ['x', 'angle']) expect(await model.run({ [key]: X })).toMatchObject({ f });
  });

  it('writes into arrays that are provided by position or by either name', async () => {
    const model = await load(description);
    const array = new Float32Array(4);
    for (const outputs of [[array], { f: array }, { y: array }]) {
      array.fill(0);
      const { f } = await model.run({ x: X }, { outputs });
      expect(f?.data).toBe(array);
      expect(Array.from(array)).toEqual(Y);
    }
  });

  it('ends with the signal, in the same way as a run by a signature', async () => {
    const model = await load(description);
    const abort = new AbortController();
    const { signal } = abort;
    expect(await model.run([X], { signal })).toMatchObject([{ name: 'f' }]);
    const runs = [model.run(X, { signal }), model.runSignature('serving_default', { angle: X }, { signal })];
    abort.abort(new Error('enough'));
    for (const run of runs) await expect(run).rejects.toThrow('enough');
    await expect(model.run(X, { signal })).rejects.toThrow('enough');
    expect(Array.from((await model.run(X))[0]?.data as Float32Array)).toEqual(Y);
  });

  it('rejects options that it does not have, also arrays as before', async () => {
    const model = await load(description);
    const wrong = (options: unknown) => model.run(X, options as object);
    await expect(wrong({ output: [X] })).rejects.toThrow('no option "output": did you mean outputs?');
    for (const provided of [[X], X, null, 1]) await expect(wrong(provided)).rejects.toThrow(OptionError);
    await expect(wrong({ signal: 1 })).rejects.toThrow('"signal" is an AbortSignal');
    await expect(wrong({ state: 1 })).rejects.toThrow(OptionError);
    const key = 'serving_default';
    await expect(model.runSignature(key, { angle: X }, [X] as object)).rejects.toThrow(OptionError);
    if (mode === 'cpu') expect(() => model.runSync(X, { signal: 1 } as object)).toThrow('there is no option "signal"');
  });

  it('rejects keys that there are not, and runs nothing', async () => {
    const model = await load(description);
    await expect(model.run({ z: X })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    await expect(model.run({ x: X }, { outputs: { g: new Float32Array(4) } })).rejects.toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    await expect(model.run({ x: X }, { outputs: { g: new Float32Array(4) } })).rejects.toThrow(
      'unknown outputs: g. It has: y or f.',
    );
    await expect(model.run(X, { outputs: { f: new Float32Array(3) } })).rejects.toThrow('Output y has 4 elements');
  });
});

describe('names', () => {
  it('are the tensors own where no signature has them, and distinct', async () => {
    const outputs = [floatTensor(5, 'y'), floatTensor(5, 'y')];
    const model = await load({ ...ON_CPU, signatures: [], outputs });
    expect((await model.run(X)).map(({ name }) => name)).toEqual(['y', 'y:1']);
    expect(Object.keys(await model.run({ x: X }))).toEqual(['y', 'y:1']);
    await expect(model.run({ angle: X })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
  });
});

describe('shapes', () => {
  it('are those of each run, also where the number of elements is the same', async () => {
    let shape = [2, 2];
    const outputs = [{ ...floatTensor(5, 'y'), shapeSignature: [-1] }];
    const model = await load({ ...ON_CPU, outputs }, { shape: () => shape });
    const [first] = await model.run(X);
    shape = [1, 4];
    const { f: second } = await model.run({ x: X });
    expect([first?.shape, second?.shape]).toEqual([
      [2, 2],
      [1, 4],
    ]);
  });

  it('are those of a signature with another subgraph, too', async () => {
    const other = { index: 2, inputs: [floatTensor(0, 'raw')], outputs: [floatTensor(1, 'out')] };
    const info = {
      key: 'other',
      subgraph: 2,
      inputs: [{ name: 'in', tensor: 0 }],
      outputs: [{ name: 'z', tensor: 1 }],
    };
    const description = { ...ON_CPU, subgraphs: [other], signatures: [info] };
    const model = await load(description, { shape: () => [2, 2] });
    const { z } = await model.runSignature('other', { in: X });
    expect(z).toMatchObject({ name: 'z', dtype: 'float32', shape: [2, 2] });
  });
});

describe('dequantized()', () => {
  function result(dtype: DType, data: TypedArray, quantization: QuantizationInfo | null = null, shape = [data.length]) {
    return tensorResult({ dtype, quantization }, 'y', shape, data);
  }

  const perTensor = { scales: [0.5], zeroPoints: [-2], quantizedDimension: 0 };
  const perChannel = { scales: [0.5, 2], zeroPoints: [0, 1], quantizedDimension: 1 };

  it.each<[string, TensorResult, number[]]>([
    ['one scale', result('int8', Int8Array.of(-128, 0, 127), perTensor), [-63, 1, 64.5]],
    [
      'a scale per channel',
      result('uint8', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), perChannel, [2, 2, 2]),
      [0.5, 1, 4, 6, 2.5, 3, 12, 14],
    ],
    ['int64', result('int64', BigInt64Array.of(-5n, 2n ** 24n), perTensor), [-1.5, 2 ** 23 + 1]],
    ['integers without a scale', result('int32', Int32Array.of(-7, 7)), [-7, 7]],
    ['bool', result('bool', Uint8Array.of(1, 0)), [1, 0]],
    ['float64', result('float64', Float64Array.of(0.25, -2)), [0.25, -2]],
    [
      'bits of float16',
      result('float16', Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x8000, 0x3555, 0x7e01, 0xfc00, 0xfbff, 0x8400)),
      [
        ...[1, -2, 2 ** -24, Number.POSITIVE_INFINITY, -0, 0.333251953125],
        ...[Number.NaN, Number.NEGATIVE_INFINITY, -65504, -(2 ** -14)],
      ],
    ],
    ['nothing', result('int8', new Int8Array(), perTensor, [0]), []],
  ])('has the real numbers of %s', (_, one, values) => {
    expect(one.dequantized()).toEqual(Float32Array.from(values));
  });

  it('is the data itself where that is float32', () => {
    const data = Float32Array.of(1, 2);
    expect(result('float32', data).dequantized()).toBe(data);
  });

  it('dequantized() rejects strings', () => {
    const texts = result('string', encodeStrings(['a']), null, [1]);
    expect(() => texts.dequantized()).toThrow(expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_DTYPE' }));
    expect(() => texts.dequantized()).toThrow(
      expect.objectContaining({
        message: 'Output y has strings, and no numbers: read them with decodeStrings(data).',
        details: { output: 'y', dtype: 'string' },
      }),
    );
  });

  it('is not lost with a clone: a result is plain data', () => {
    const one = result('int8', Int8Array.of(1), perTensor);
    expect(structuredClone(one)).toEqual({ ...one });
  });
});
