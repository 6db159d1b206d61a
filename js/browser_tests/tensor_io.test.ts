/** MLTensors in and out of models: the examples, every misuse, lost contexts. */

import { loadTFLiteModel, type MLTensor, type TFLiteModel, type TypedArray } from 'tflite-webnn';
import { beforeEach, describe, expect, it } from 'vitest';
import { effectsOn } from '../apps/examples/buffer_reuse.mjs';
import { fibonacci } from '../apps/examples/chained_inference.mjs';
import { oneAfterTheOther } from '../apps/examples/resource_management.mjs';
import { betweenShaders } from '../apps/examples/webgpu_interop.mjs';
import { addressOf, expectClose, expectSame, inputOf, sines, WEBNN } from './fixtures.js';

const SIN = addressOf('sin');
const VALUES = Float32Array.from({ length: 8 }, (_, at) => -2 + (at * 4) / 7);

/** The code of the error that an action throws or rejects with. */
async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'no error';
}

describe('the examples', () => {
  it('buffer_reuse computes both models on one upload', async () => {
    const results = await effectsOn(VALUES, [SIN, SIN]);
    expect(results.length).toBe(2);
    for (const result of results) expectClose(result, sines(VALUES), 1e-5);
  });

  it.each([
    [2, 1],
    [10, 55],
    [40, 102334155],
  ])('chained_inference computes Fibonacci number %i', async (n, number) => {
    expect(await fibonacci(addressOf('add_integer'), n)).toBe(number);
  });

  it('resource_management runs one model on the output of the other', async () => {
    expectClose(await oneAfterTheOther(VALUES, SIN, SIN), sines(sines(VALUES)), 1e-5);
  });

  it('webgpu_interop computes between two shaders', async () => {
    const steps = Float32Array.from({ length: 8 }, (_, at) => at * 0.25);
    const expected = sines(steps).map((x) => x * 2 + 1);
    expectClose(await betweenShaders(await gpuDevice(), SIN, 'i * 0.25', 'x * 2 + 1'), expected, 1e-4);
  });
});

async function gpuDevice() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error('this browser has no WebGPU, not even on the CPU');
  return adapter.requestDevice();
}

describe('a model with tensors of its context', () => {
  let model: TFLiteModel;
  let x: MLTensor;
  let y: MLTensor;
  let X: Float32Array<ArrayBuffer>;
  let out: Float32Array<ArrayBuffer>;
  beforeEach(async () => {
    model = await loadTFLiteModel(SIN, WEBNN);
    [x, y] = [await model.createInputTensor(0), await model.createOutputTensor(0)];
    [X, out] = [new Float32Array(8), new Float32Array(8)];
  });
  const context = () => model.context as NativeContext;
  const other = () => loadTFLiteModel(SIN, WEBNN);
  const tensor = (dataType: MLTensor['dataType'], ...shape: number[]) => context().createTensor({ dataType, shape });

  const MISUSES: [what: string, use: () => unknown, code: string][] = [
    [
      'an input of another context',
      async () => {
        const elsewhere = await navigator.ml.createContext();
        model.dispatch(await elsewhere.createTensor({ dataType: 'float32', shape: [8] }), y);
      },
      'TENSOR_CONTEXT',
    ],
    [
      "another model's input",
      async () => model.dispatch(await (await other()).createInputTensor(0), y),
      'TENSOR_CONTEXT',
    ],
    ['a dispatch of a destroyed tensor', () => [x.destroy(), model.dispatch(x, y)], 'TENSOR_DESTROYED'],
    ['a write to a destroyed tensor', () => [x.destroy(), model.writeTensor(x, X)], 'TENSOR_DESTROYED'],
    ['a read of a destroyed tensor', () => [y.destroy(), model.readTensor(y)][1], 'TENSOR_DESTROYED'],
    ['a tensor that is destroyed while it is read', () => [model.readTensor(y), y.destroy()][0], 'TENSOR_DESTROYED'],
    ['an input of another shape', async () => model.dispatch(await tensor('float32', 7), y), 'TENSOR_MISMATCH'],
    ['an input of another type', async () => model.dispatch(await tensor('int32', 8), y), 'TENSOR_MISMATCH'],
    ['a write of too few values', () => model.writeTensor(x, new Float32Array(7)), 'TENSOR_MISMATCH'],
    ['a write to an output', () => model.writeTensor(y, X), 'TENSOR_USAGE'],
    ['a read of an input', () => model.readTensor(x), 'TENSOR_USAGE'],
    ['an input that is the output, too', () => model.dispatch(x, x), 'TENSOR_USAGE'],
    ['an unknown name', () => model.dispatch({ no: x }, y), 'TENSOR_NAME'],
    ['too many inputs', () => model.dispatch([x, x], y), 'TENSOR_NAME'],
    ['an array of another type', () => model.dispatch(new Int32Array(8), y), 'INPUT_DTYPE'],
    ['an output array of another length', () => model.dispatch(x, new Float32Array(7)), 'OUTPUT_BUFFER'],
    [
      'a model on the CPU',
      async () => (await loadTFLiteModel(SIN, { device: 'cpu' })).dispatch(x, y),
      'TENSOR_IO_UNAVAILABLE',
    ],
    [
      'a stepped model',
      async () => {
        const webnnDelegateOptions = { excludedOps: ['ADD'], ignorePartitionCost: true };
        const stepped = await loadTFLiteModel(SIN, { enableWebnnDelegate: true, webnnDelegateOptions });
        expect(stepped.executionMode).toBe('stepped');
        await stepped.createInputTensor(0);
      },
      'TENSOR_IO_UNAVAILABLE',
    ],
    ['a disposed model', () => [model.dispose(), model.dispatch(x, y)], 'MODEL_DISPOSED'],
  ];
  it.each(MISUSES)('%s is an error', async (_, use, code) => {
    expect(await codeOf(use)).toBe(code);
  });

  it('loses its tensors with its context, and gets new ones', async () => {
    context().destroy();
    const uses = [
      () => model.dispatch(x, y),
      () => model.writeTensor(x, X),
      () => model.readTensor(y),
      () => model.dispatch(X, out),
    ];
    for (const use of uses) expect(await codeOf(use)).toBe('CONTEXT_LOST');
    const [u, v] = [await model.createInputTensor(0), await model.createOutputTensor(0)];
    model.writeTensor(u, X.fill(1));
    model.dispatch(u, v);
    expectClose((await model.readTensor(v)) as Float32Array, sines(X), 1e-5);
    for (const use of uses.slice(0, 3)) expect(await codeOf(use)).toBe('TENSOR_CONTEXT');
  });

  it('accepts arrays and tensors', async () => {
    model.dispatch(X.fill(0.5), y);
    X.fill(9); // the array was copied
    model.writeTensor(x, X.fill(1));
    const reading = model.dispatch(x, out);
    expectClose((await model.readTensor(y)) as Float32Array, sines(Array(8).fill(0.5)), 1e-5);
    await reading;
    expectClose(out, sines(Array(8).fill(1)), 1e-5);
  });

  it('continues a stream after its context was lost', async () => {
    const items = Array.from({ length: 9 }, (_, at) => new Float32Array(8).fill(at / 4));
    const found: number[] = [];
    for await (const [result] of model.stream(items)) {
      if (found.push(Number(result.data[0])) === 3) context().destroy();
    }
    expectClose(found, sines(items.map(([value]) => value as number)), 1e-5);
    expect((await model.report()).webnn.contextLosses).toBe(1);
  });
});

/** Expects the same arrays of each run. */
function expectAll(runs: readonly TypedArray[][], expected: readonly TypedArray[][]): void {
  expect(runs.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  for (const [run, arrays] of runs.entries()) {
    for (const [at, values] of arrays.entries()) expectSame<unknown>(values, (expected[run] ?? [])[at] as TypedArray);
  }
}

describe.each([
  ['face_detection_short_range', Float32Array],
  ['pose_landmark_lite', Float32Array], // five outputs
  ['mobilenet_v1_uint8', Uint8Array],
  ['u_net_16x8', Int16Array], // int32 for WebNN
])('%s has the same bits as in run()', (name, Values) => {
  it("by the page's MLTensors, by seven concurrent dispatches, and in a stream with four in flight", async () => {
    const model = await loadTFLiteModel(addressOf(name), WEBNN);
    const image = new Values(await inputOf(name));
    const images = [1, 0.5, 0.25, 0, -1, 0.75, 0.1].map((factor) => image.map((value: number) => value * factor));
    const expected: TypedArray[][] = [];
    for (const one of images) expected.push((await model.run(one)).map(({ data }) => data));

    const context = model.context as NativeContext;
    const descriptor = model.inputTensorDescriptor(model.inputs[0]?.name ?? '');
    const input = await context.createTensor({ ...descriptor, writable: true });
    const outputs = await Promise.all(model.outputs.map((output) => model.createOutputTensor(output.name)));
    context.writeTensor(input, image instanceof Int16Array ? Int32Array.from(image) : image);
    model.dispatch(
      input,
      Object.fromEntries(model.outputs.map((output, at) => [output.name, outputs[at] as MLTensor])),
    );
    expectAll([await Promise.all(outputs.map((output) => model.readTensor(output)))], expected.slice(0, 1));

    const arrays = expected.map((row) => row.map((array) => array.slice().fill(0 as never)));
    await Promise.all(images.map((one, at) => model.dispatch(one, arrays[at] as TypedArray[])));
    expectAll(arrays, expected);

    const streamed: TypedArray[][] = [];
    for await (const results of model.stream(images, { inFlight: 4 })) streamed.push(results.map(({ data }) => data));
    expectAll(streamed, expected);
    model.dispose();
  });
});
