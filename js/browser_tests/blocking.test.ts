/** Blocking mode: in a worker of an isolated page, runSync() waits for a helper worker's WebNN. */

import { commands } from '@vitest/browser/context';
import { type Remote, wrap } from 'comlink';
import { loadTFLiteModel, type MLContext, type WebnnDelegateOptions } from 'tflite-webnn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockingWorker } from './blocking_worker.js';
import { addressOf, errorOf, expectClose, inputOf, sines, WEBNN } from './fixtures.js';

const SIN = addressOf('sin');
const FACE = addressOf('face_detection_short_range');
// WebNN's nodes of f(x) = sin(x) + x + sin(2x): TFLite's Invoke() waits for two partitions.
const SIN_ONLY = { allowedOps: ['SIN'] };
const ALWAYS = 1000;

const x = Float32Array.from({ length: 8 }, (_, at) => -3 + (at * 6) / 7);
const image = new Float32Array(await inputOf('face_detection_short_range'));

type Loaded = Awaited<ReturnType<Remote<BlockingWorker>['load']>>;
type Bug = [name: string, ...parameters: unknown[]];

let thread: Worker;
let worker: Remote<BlockingWorker>;
beforeEach(() => {
  thread = new Worker(new URL('./blocking_worker.ts', import.meta.url), { type: 'module' });
  worker = wrap<BlockingWorker>(thread);
});
afterEach(() => thread.terminate());

const blocking = (options: WebnnDelegateOptions = {}) => ({
  ...WEBNN,
  webnnDelegateOptions: { ignorePartitionCost: true, blocking: true, ...options },
});

/** Loads a model whose helper is in a browser with a bug. */
function loadFaulty(options: WebnnDelegateOptions, ...[name, ...parameters]: Bug | []): Promise<Loaded> {
  const query = name === undefined ? '' : `?fault=${encodeURIComponent(JSON.stringify([name, parameters]))}`;
  return worker.load(SIN, blocking({ blockingHelper: `/pages/faulty_helper.mjs${query}`, ...options }));
}

/** Lets the faulty helper call a function of fault_injection.mjs, and waits for it. */
const inject = (...[name, ...parameters]: Bug) =>
  new Promise<void>((resolve) => {
    const channel = new BroadcastChannel('fault_injection');
    channel.onmessage = () => {
      channel.close();
      resolve();
    };
    channel.postMessage([name, parameters]);
  });

async function expectSines(model: Loaded, values = x, call: 'run' | 'runSync' = 'runSync'): Promise<void> {
  const [y] = await model[call](values);
  expectClose(y?.data as Float32Array, sines(values), 1e-6);
}

const helperCount = async () =>
  (await commands.workerAddresses()).filter((address) => address.includes('webnn_helper')).length;

it('run() and runSync() alternate, with the bits of a direct model', async () => {
  const [model, direct] = [await worker.load(FACE, blocking()), await worker.load(FACE, WEBNN)];
  const expected = await direct.run(image);
  expect(await model.run(image)).toEqual(expected);
  expect(await model.runSync(image)).toEqual(expected);
  expect(await model.run(image)).toEqual(expected);
  expect((await model.report()).totals.bytesCrossing).toBe((await direct.report()).totals.bytesCrossing);
});

it('Invoke() continues between partitions', async () => {
  const model = await worker.load(SIN, blocking(SIN_ONLY));
  const { partitions } = await model.report();
  expect(partitions.map(({ placement }) => placement)).toEqual(['webnn', 'cpu', 'webnn', 'cpu']);
  await expectSines(model);
  await expectSines(model, new Float32Array(8).fill(0.5));
});

it('models that share a helper are separate', async () => {
  const [one, other] = [await worker.load(SIN, blocking(SIN_ONLY)), await worker.load(FACE, blocking())];
  const expected = await other.runSync(image);
  for (let iteration = 0; iteration < 2; iteration++) {
    await expectSines(one);
    expect(await other.runSync(image)).toEqual(expected);
  }
  await one.dispose();
  expect(await other.runSync(image)).toEqual(expected);
  await expect.poll(helperCount).toBe(1);
});

it('inputs are resized', async () => {
  const model = await worker.load(FACE, blocking());
  const expected = await model.runSync(image);
  const twice = new Float32Array(2 * image.length);
  twice.set(image);
  twice.set(image, image.length);
  await model.resizeInputs([[2, 128, 128, 3]]);
  expect(await model.mode()).toBe('blocking');
  const [found] = await model.runSync(twice);
  expect(found?.data.length).toBe(2 * (expected[0]?.data.length ?? 0));
  await model.resizeInputs([[1, 128, 128, 3]]);
  expect(await model.runSync(image)).toEqual(expected);
});

describe('a lost context', () => {
  // Wasm has already computed a part of the run: only WebNN's part is repeated.
  const losses = ['dispatch', 'writeTensor', 'readTensor'].flatMap((method) =>
    [1, 2].map((times) => [method, times] as const),
  );
  it.each(losses)('in %s() is replaced %i times while Invoke() waits', async (method, times) => {
    const model = await loadFaulty(SIN_ONLY);
    await expectSines(model);
    await inject('loseDuring', 'MLContext', method, times);
    await expectSines(model);
    expect((await model.report()).webnn).toMatchObject({
      contextLosses: times,
      lastContextLoss: expect.stringMatching(/./),
    });
  });

  it('is replaced while the model is idle', async () => {
    const model = await loadFaulty(SIN_ONLY);
    for (let count = 1; count < 5; count++) {
      await expectSines(model); // a run between them separates the losses
      await inject('lose');
      await expectSines(model);
      expect((await model.report()).webnn.contextLosses).toBe(count);
    }
  });

  it('is replaced in the first run, where no node is found to be the cause', async () => {
    const model = await loadFaulty(SIN_ONLY, 'loseDuring', 'MLContext', 'dispatch', 1);
    await expectSines(model);
    expect((await model.report()).webnn).toMatchObject({ used: true, contextLosses: 1, excludedNodes: [] });
  });

  it('over any graph is an error, then the model is on the CPU', async () => {
    const model = await loadFaulty(SIN_ONLY, 'loseDuring', 'MLContext', 'dispatch', ALWAYS);
    const error = await errorOf(model.runSync(x));
    expect(error.name).toBe('ContextLostError');
    expect(error.message).toContain('also over a graph of one addition');
    await expectSines(model, x, 'run');
    const { executionMode, webnn } = await model.report();
    expect(executionMode).toBe('cpu');
    expect(webnn.excludedNodes).toEqual([]);
  });

  it('again and again is an error, then the model is on the CPU', async () => {
    const model = await loadFaulty(SIN_ONLY);
    await expectSines(model);
    await inject('loseDuring', 'MLContext', 'dispatch', ALWAYS);
    const error = await errorOf(model.runSync(x));
    expect(error.name).toBe('ContextLostError');
    expect(error.message).toContain('3 times in a row');
    await expectSines(model, x, 'run');
    expect((await model.report()).executionMode).toBe('cpu');
  });
});

it('a node that the browser rejects goes to the CPU', async () => {
  const model = await loadFaulty({}, 'throwAt', ['4:ADD']);
  expect((await model.report()).webnn.excludedNodes.map(({ node }) => node)).toEqual([4]);
  expect(await model.mode()).toBe('blocking');
  await expectSines(model);
});

it('the helper ends with the last model', async () => {
  await expect.poll(helperCount).toBe(0);
  const models: Loaded[] = [];
  for (let count = 0; count < 3; count++) models.push(await worker.load(SIN, blocking(SIN_ONLY)));
  for (const model of models) {
    expect(await helperCount()).toBe(1);
    await expectSines(model);
    await model.dispose();
  }
  await expect.poll(helperCount, { timeout: 20_000 }).toBe(0);
  await expectSines(await worker.load(SIN, blocking(SIN_ONLY))); // on a new helper
});

describe('what cannot block is an error', () => {
  it("in the page's own thread, which must not wait", async () => {
    const error = await errorOf(loadTFLiteModel(FACE, blocking()));
    expect(error.name).toBe('BlockingError');
    expect(error.message).toContain('load the model in a worker');
    const model = await loadTFLiteModel(FACE, WEBNN);
    expect(() => model.runSync(image)).toThrow(
      expect.objectContaining({ name: 'BlockingError', message: expect.stringContaining('blocking: true') }),
    );
    model.dispose();
  });

  it("with the caller's context", async () => {
    const error = await errorOf(worker.load(FACE, blocking({ context: {} as MLContext })));
    expect(error.name).toBe('BlockingError');
    expect(error.message).toContain('not both');
  });

  it('without the helper, and the next model has one', async () => {
    const error = await errorOf(worker.load(FACE, blocking({ blockingHelper: '/package/nowhere.mjs' })));
    expect(error.name).toBe('WorkerFailedError');
    expect(error.message).toContain('webnn_helper.mjs');
    const model = await worker.load(FACE, blocking());
    expect((await model.runSync(image)).length).toBeGreaterThan(0);
  });
});
