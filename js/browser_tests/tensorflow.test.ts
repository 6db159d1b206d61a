/** predict() and predictAsync() with the real TensorFlow.js. */

import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import { loadTFLiteModel, type TFLiteModel } from 'tflite-webnn/tfjs';
import { describe, expect, it } from 'vitest';
import { addressOf, errorOf, expectClose, sines } from './fixtures.js';
import { orangeImage, runExample } from './rfc_example.js';

const X = [0, 1, -2, 3, 0.5, 4, -1, 2];

const load = (model: string, options = {}): Promise<TFLiteModel> =>
  loadTFLiteModel(addressOf(model), { tf, ...options });

/** Expects a tensor of this copy of TensorFlow.js. */
function expectTensor(value: unknown, dtype: string, shape: number[]): tf.Tensor {
  expect(value).toBeInstanceOf(tf.Tensor);
  expect(value).toMatchObject({ dtype, shape });
  return value as tf.Tensor;
}

it.each([
  [true, 'direct'],
  [false, 'cpu'],
])('a tensor, a list and a record run alike (WebNN: %s)', async (enableWebnnDelegate, mode) => {
  const options = { enableWebnnDelegate, webnnDelegateOptions: { ignorePartitionCost: true } };
  const [sin, add] = [await load('sin', options), await load('add', options)];
  expect(sin.model.executionMode).toBe(mode);
  const tensor = tf.tensor1d(X);
  expectClose(expectTensor(await sin.predictAsync(tensor), 'float32', [8]).dataSync(), sines(X), 1e-5);
  const added = await add.predictAsync([tensor, tf.onesLike(tensor)]);
  expectClose(
    expectTensor(added, 'float32', [8]).dataSync(),
    X.map((x) => x + 1),
    0,
    1e-7,
  );
  const named = await add.predictAsync({ b: tensor, a: tf.cast(tensor, 'int32') });
  expectClose(
    expectTensor(named, 'float32', [8]).dataSync(),
    X.map((x) => x + Math.trunc(x)),
    0,
    1e-7,
  );
});

it.each([
  [true, 'webnn'],
  [false, 'wasm'],
])('arrays, integers and predict() compute the same (WebNN: %s)', async (enableWebnnDelegate, device) => {
  const model = await load('sin', { enableWebnnDelegate, webnnDelegateOptions: { ignorePartitionCost: true } });
  expect(model.model.device.split(':')[0]).toBe(device);
  expectClose((await model.predictAsync(Float32Array.from(X))) as Float32Array, sines(X), 0, 1e-5);
  const zeros = expectTensor(await model.predictAsync(tf.zeros([8], 'int32')), 'float32', [8]);
  expect([...zeros.dataSync()]).toEqual(Array(8).fill(0));
  expect((await errorOf(model.predictAsync(tf.zeros([2, 4])))).code).toBe('INPUT_SHAPE');
  expect((await errorOf(model.predictAsync(tf.fill([8], 16777217, 'int32')))).code).toBe('INPUT_DTYPE'); // not a float32
  // A page cannot wait for WebNN: predict() computes on the CPU there.
  expectClose(expectTensor(model.predict([tf.tensor1d(X)]), 'float32', [8]).dataSync(), sines(X), 0, 1e-5);
});

describe('the example of the RFC', () => {
  const inverted = Array.from({ length: 16 }, () => [0, 204, 255]).flat();

  it('computes on the CPU in a page, and says why', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
    canvas.getContext('2d')?.putImageData(orangeImage(), 0, 0);
    const { shape, values, executionMode, reason } = await runExample(canvas);
    expect(shape).toEqual([1, 4, 4, 3]);
    expectClose(values, inverted, 1e-3);
    expect(executionMode).toBe('cpu');
    expect(reason).toContain('predict() cannot wait for WebNN in this thread');
    expect(reason).toContain('await predictAsync()');
  });

  it('waits for WebNN in a worker', async () => {
    const worker = new Worker(new URL('./rfc_worker.ts', import.meta.url), { type: 'module' });
    const found = await new Promise<Awaited<ReturnType<typeof runExample>>>((resolve, reject) => {
      worker.onmessage = ({ data }) => (typeof data === 'string' ? reject(new Error(data)) : resolve(data));
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.terminate();
    expectClose(found.values, inverted, 1e-3);
    expect(found).toMatchObject({ shape: [1, 4, 4, 3], executionMode: 'blocking', reason: null });
  });
});

describe('types of TensorFlow.js', () => {
  it('integers pass as int32', async () => {
    const pair = tf.tensor1d([2147483647, -5], 'int32');
    const sum = (await load('add_integers')).predict([pair, tf.zerosLike(pair)]);
    expect(expectTensor(sum, 'int32', [2]).arraySync()).toEqual([2147483647, -5]);
  });

  it('booleans reach the model and come back', async () => {
    const matrix = tf.tensor2d([1, 0, 1, 0, 0, 1], [2, 3], 'bool');
    const flags = (await load('flattened_bool')).predict(matrix);
    expect(expectTensor(flags, 'bool', [6]).arraySync()).toEqual([1, 0, 1, 0, 0, 1]);
  });

  it('strings reach the model and come back', async () => {
    const inputs = { texts: tf.tensor1d(['eins', 'zwölf', '']), which: tf.tensor1d([1, 2], 'int32') };
    const picked = (await load('strings')).predict<tf.Tensor>(inputs);
    expect(expectTensor(picked, 'string', [2]).arraySync()).toEqual(['zwölf', '']);
  });

  it('floats for an integer input are an error', async () => {
    const add = await load('add_integers');
    const pair = tf.tensor1d([1, 2], 'int32');
    expect(() => add.predict([tf.tensor1d([0.5, 1]), pair])).toThrow(
      expect.objectContaining({
        code: 'INPUT_DTYPE',
        message: expect.stringContaining('expects int32, got a float32 tensor'),
      }),
    );
  });
});
