/** TFLiteWorker: models in a module worker of the package, while the page remains responsive. */

import * as tflite from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showStream } from '../apps/examples/camera_stream.mjs';
import { addressOf, bytesOf, errorOf, expectClose, floats, inputOf, sines, WEBNN, zerosFor } from './fixtures.js';

const SIN = addressOf('sin');
const HEAVY = addressOf('pose_landmark_lite');
const FACE = 'face_detection_short_range';

let worker: TFLiteWorker;
beforeEach(() => {
  worker = new TFLiteWorker();
});
afterEach(() => worker.dispose());

it('timers of the page fire while the worker loads and runs a model, not while the page runs it', async () => {
  const slowly = { device: 'cpu', enableXnnpackDelegate: false } as const;
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const during = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const before = ticks;
    const value = await work();
    return [ticks - before, value];
  };
  const [loading, model] = await during(() => worker.loadTFLiteModel(HEAVY, slowly));
  const [running] = await during(async () => {
    // A busy machine has few ticks in one run.
    for (let run = 0; run < 5; run++) await model.run(zerosFor(model));
  });
  const here = await tflite.loadTFLiteModel(HEAVY, slowly);
  const [blocked] = await during(() => here.run(zerosFor(here)));
  clearInterval(timer);
  here.dispose();
  expect(blocked).toBeLessThanOrEqual(1);
  expect(loading).toBeGreaterThan(1);
  expect(running).toBeGreaterThan(10);
});

it('results, also of a stream and in provided arrays, are those of the page', async () => {
  const image = new Float32Array(await inputOf(FACE));
  const here = await tflite.loadTFLiteModel(addressOf(FACE), WEBNN);
  const expected = await here.run(image);
  here.dispose();
  const values = (results: readonly tflite.TensorResult[]) => results.map(({ shape, data }) => [shape, data]);

  const model = await worker.loadTFLiteModel(addressOf(FACE), { enableWebnnDelegate: true });
  expect(model.executionMode).toBe('direct');
  expect((await model.report()).executionMode).toBe('direct');
  const name = model.inputs[0]?.name ?? '';
  expect(values(Object.values(await model.run({ [name]: image })))).toEqual(values(expected));
  const outputs = model.outputs.map(({ sizeBytes }) => new Float32Array(sizeBytes / 4));
  const written = await model.run(image, { outputs });
  expect(written.every(({ data }, at) => data === outputs[at])).toBe(true);
  expect(values(written)).toEqual(values(expected));
  let count = 0;
  for await (const found of model.stream(Array(6).fill(image) as Float32Array[], { inFlight: 4 })) {
    expect(values(found)).toEqual(values(expected));
    count++;
  }
  expect(count).toBe(6);
});

it('transfer moves inputs and bytes of their own buffer; others are copied', async () => {
  const model = await worker.loadTFLiteModel(SIN);
  const [copied, moved, part] = [new Float32Array(8), new Float32Array(8), new Float32Array(16)];
  await model.run(copied);
  await model.run(moved, { transfer: true });
  await model.run(part.subarray(0, 8), { transfer: true });
  expect([copied.length, moved.length, part.length]).toEqual([8, 0, 16]);
  const [provided, transferred] = [await bytesOf('sin'), await bytesOf('sin')];
  await worker.loadTFLiteModel(new Uint8Array(provided));
  await worker.loadTFLiteModel(transferred, { transfer: true });
  await worker.loadTFLiteModel(await fetch(SIN));
  expect([provided.byteLength > 0, transferred.byteLength]).toEqual([true, 0]);
});

describe('errors keep their class', () => {
  type ErrorClass = abstract new (...parameters: never[]) => Error;
  const load = (...parameters: Parameters<TFLiteWorker['loadTFLiteModel']>) => worker.loadTFLiteModel(...parameters);
  const FAILURES: Record<string, [() => Promise<unknown>, ErrorClass, code: string, message: string]> = {
    'a file that is not there': [() => load('/no_such.tflite'), tflite.ModelFetchError, 'MODEL_FETCH_FAILED', '404'],
    zeros: [() => load(new ArrayBuffer(64)), tflite.NotATFLiteModelError, 'NOT_A_TFLITE_MODEL', ''],
    'a context, which stays in its thread': [
      () => load(SIN, { webnnDelegateOptions: { context: {} as tflite.MLContext } }),
      tflite.OptionError,
      'OPTION',
      'makes its own',
    ],
    'a wrong shape': [
      async () => (await load(SIN)).run(new Float32Array(7)),
      tflite.InputError,
      'INPUT_SHAPE',
      'float32[8]',
    ],
    'a disposed model': [
      async () => {
        const model = await load(SIN);
        await model.dispose();
        await model.run(new Float32Array(8));
      },
      tflite.ModelDisposedError,
      'MODEL_DISPOSED',
      '',
    ],
    'a module that is not there': [
      () => load(SIN, { wasmPath: '/nowhere' }),
      tflite.WasmLoadError,
      'WASM_LOAD_FAILED',
      '/nowhere/',
    ],
    'a module that is not at the path of setWasmPath()': [
      async () => {
        tflite.setWasmPath('elsewhere');
        try {
          await load(SIN);
        } finally {
          tflite.setWasmPath('/package/');
        }
      },
      tflite.WasmLoadError,
      'WASM_LOAD_FAILED',
      '/elsewhere/',
    ],
    'a worker that does not start': [
      () => new TFLiteWorker({ url: '/package/no_such.mjs' }).loadTFLiteModel(SIN),
      tflite.WorkerFailedError,
      'WORKER_FAILED',
      'model_worker.mjs',
    ],
    'a disposed worker': [
      async () => {
        const model = await load(SIN);
        worker.dispose();
        await model.run(new Float32Array(8));
      },
      tflite.ModelDisposedError,
      'MODEL_DISPOSED',
      'worker has been disposed',
    ],
  };
  it.each(Object.entries(FAILURES))('%s', async (_, [fail, expectedClass, code, message]) => {
    const error = await errorOf(fail());
    expect(error).toBeInstanceOf(expectedClass);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});

it('loading reports its progress, and a signal ends it', async () => {
  const phases = new Set<string>();
  await worker.loadTFLiteModel(SIN, { ...WEBNN, onProgress: ({ phase }) => phases.add(phase) });
  expect([...phases]).toEqual(expect.arrayContaining(['download', 'init', 'build']));
  const abort = new AbortController();
  // A file that never comes: a load that can end by itself may do so before the abort arrives.
  const loading = worker.loadTFLiteModel(new ReadableStream(), {
    signal: abort.signal,
    onProgress: () => abort.abort(new RangeError('enough')),
  });
  expect((await errorOf(loading)).name).toBe('RangeError');
});

it('a model is resized', async () => {
  const model = await worker.loadTFLiteModel(SIN, WEBNN);
  await model.resizeInputs([[3]]);
  expect(model.inputs[0]?.shape).toEqual([3]);
  expectClose(floats((await model.run(new Float32Array(3).fill(1)))[0]), sines([1, 1, 1]), 1e-5);
});

it.each([true, false])('signatures of other subgraphs run (WebNN: %s)', async (enableWebnnDelegate) => {
  const model = await worker.loadTFLiteModel(addressOf('counter'), { ...WEBNN, enableWebnnDelegate });
  const [x, factor, y] = [new Float32Array(4).fill(2), new Float32Array(4).fill(3), new Float32Array(4)];
  await model.runSignature('add', { x });
  const sums = await model.runSignature<'y'>('add', { x }, { outputs: { y } });
  expect(sums.y.data).toBe(y);
  expectClose(y, Array(4).fill(Math.sin(1 + 2 + 2)), 1e-5); // the variable starts at one
  const { product } = await model.runSignature<'product'>('peek', { factor }, { transfer: true });
  expectClose(floats(product), Array(4).fill((1 + 2 + 2) * 3), 1e-5);
  expect(factor.length).toBe(0);
  expect(await errorOf(model.runSignature('none', {}))).toBeInstanceOf(tflite.SignatureError);
});

it('a model has a profile and a device', async () => {
  const model = await worker.loadTFLiteModel(SIN, { ...WEBNN, enableProfiling: true });
  await model.run(new Float32Array(8));
  const items = await model.getProfilingResults();
  expect(items.map(({ nodeType }) => nodeType)).toEqual(['WEBNN']);
  expect(items[0]?.nodeExecMs).toBeGreaterThan(0);
  expect(await model.getProfilingSummary()).toMatch(/^1 nodes, /);
  expect(model.device.split(':')[0]).toBe('webnn');
  expect((await worker.loadTFLiteModel(SIN, { device: 'cpu' })).device).toBe('wasm');
});

it('a stream that is left early is freed', async () => {
  const model = await worker.loadTFLiteModel(SIN, WEBNN);
  let pulled = 0;
  function* items() {
    for (;;) yield new Float32Array(8).fill(++pulled);
  }
  for await (const _ of model.stream(items(), { inFlight: 3, transfer: true })) if (pulled >= 20) break;
  expect(pulled).toBeGreaterThanOrEqual(20);
  expect(pulled).toBeLessThan(24);
  expect((await model.run(new Float32Array(8)))[0].data.length).toBe(8);
});

it('the example of a stream of frames shows each', async () => {
  async function* frames() {
    for (let frame = 0; frame < 5; frame++) yield new Float32Array(8).fill(frame);
  }
  const shown: number[] = [];
  await showStream(SIN, frames(), ([y]: tflite.TensorResult[]) => void shown.push(floats(y)[0] ?? Number.NaN));
  expectClose(shown, sines([0, 1, 2, 3, 4]), 1e-5);
});
