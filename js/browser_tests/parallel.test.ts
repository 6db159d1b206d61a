/** Concurrent calls on a model on native WebNN: no mix-ups, no leaks. */

import { loadTFLiteModel, type Model, type TensorResult } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { addressOf } from './fixtures.js';
import { expectNothingHeld } from './held.js';

const URL = addressOf('face_detection_short_range');
const DIRECT = { enableWebnnDelegate: true };
const STEPPED = { ...DIRECT, webnnDelegateOptions: { excludedOps: ['MAX_POOL_2D'], ignorePartitionCost: true } };

expectNothingHeld();

/** Inputs of floats, another wave for each number. */
const inputsOf = (model: Model, number: number) =>
  model.inputs.map(({ sizeBytes }) =>
    Float32Array.from({ length: sizeBytes / 4 }, (_, at) => Math.sin(at * (number + 1))),
  );
const values = (results: readonly TensorResult[]) => results.map(({ data }) => data);
const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fulfilled',
    (error: Error) => error.name,
  );

describe.each([
  ['direct', DIRECT],
  ['stepped', STEPPED],
])('a %s model', (mode, options) => {
  it('does not mix the inputs of runs that are started in parallel', async () => {
    const model = await loadTFLiteModel(URL, options);
    expect(model.executionMode).toBe(mode);
    const inputs = [0, 1, 2, 3].map((number) => inputsOf(model, number));
    const expected: unknown[] = [];
    for (const one of inputs) expected.push(values(await model.run(one)));
    expect(expected[0]).not.toEqual(expected[1]);
    const found = await Promise.all(inputs.map((one) => model.run(one)));
    expect(found.map(values)).toEqual(expected);
    model.dispose();
  });

  it('rejects the runs that wait when it is disposed', async () => {
    const model = await loadTFLiteModel(URL, options);
    const runs = [0, 1, 2].map((number) => outcomeOf(model.run(inputsOf(model, number))));
    model.dispose();
    expect(await Promise.all(runs)).toEqual(['fulfilled', 'ModelDisposedError', 'ModelDisposedError']);
  });

  it('frees what the browser has built when loading is aborted meanwhile, and builds no more', async () => {
    const { build } = MLGraphBuilder.prototype;
    const controller = new AbortController();
    const built: Promise<unknown>[] = [];
    vi.spyOn(MLGraphBuilder.prototype, 'build').mockImplementation(function (this: unknown, outputs) {
      const building = build.call(this as never, outputs);
      built.push(building);
      queueMicrotask(() => controller.abort(new RangeError('no longer needed')));
      return building;
    });
    expect(await outcomeOf(loadTFLiteModel(URL, { ...options, signal: controller.signal }))).toBe('RangeError');
    await Promise.allSettled(built);
    expect(built.length).toBe(1);
    vi.restoreAllMocks();
  });
});

it("a run survives the loss of the page's context", async () => {
  const context = await navigator.ml.createContext();
  const model = await loadTFLiteModel(URL, { ...DIRECT, webnnDelegateOptions: { context } });
  const inputs = inputsOf(model, 0);
  const expected = values(await model.run(inputs));
  const run = model.run(inputs);
  context.destroy();
  expect(values(await run)).toEqual(expected);
  expect(values(await model.run(inputs))).toEqual(expected);
  expect(model.executionMode).toBe('direct');
  expect((await model.report()).webnn.contextLosses).toBe(1);
  model.dispose();
});

it('an abort of a download reaches the sender', async () => {
  const bytes = new Uint8Array(await (await fetch(URL)).arrayBuffer());
  const controller = new AbortController();
  const canceled: string[] = [];
  const stream = new ReadableStream({
    start: (sender) => sender.enqueue(bytes.subarray(0, bytes.length >> 1)),
    pull: () => controller.abort(new RangeError('no longer needed')),
    cancel: (reason: Error) => void canceled.push(reason.name),
  });
  const source = new Response(stream, { headers: { 'Content-Length': String(bytes.length) } });
  expect(await outcomeOf(loadTFLiteModel(source, { ...DIRECT, signal: controller.signal }))).toBe('RangeError');
  expect(canceled).toEqual(['RangeError']);
});
