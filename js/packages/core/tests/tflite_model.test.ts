import { BlockingError, ModelDisposedError, WasmTrapError, WebnnRunError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { TFLiteModel } from '../src/load/tflite_model.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { reportOn } from '../src/report/report.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { DIRECT, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

async function load(behaviour: FakeRunner) {
  const context = new FakeContext();
  const wasm = new FakeWasm(behaviour);
  const options = { enableWebnnDelegate: true };
  const reopenWebnn = () => Promise.reject(new Error('nothing was lost'));
  const parts = { wasm, model: new Uint8Array(8), options: {}, webnn: backendOn(context), reopenWebnn };
  const recovering = await RecoveringModel.prepare(parts);
  const model = new TFLiteModel(recovering, () => reportOn(recovering, options, wasm, 0));
  return { model, context, wasm };
}

const ZEROS = new Float32Array(4);

describe('TFLiteModel', () => {
  it('reports where the nodes run', async () => {
    const { model } = await load(sinRunner(STEPPED));
    expect(model.executionMode).toBe('stepped');
    expect(await model.report()).toMatchObject({
      variant: 'simd',
      totals: { nodes: 5, delegatedNodes: 2, webnnPartitions: 2, bytesCrossing: 64, dispatchMs: null },
      webnn: { requested: true, used: true, reason: null, devicePreference: 'default', excludedNodes: [] },
    });
    const { partitions } = await model.report();
    expect(partitions.map(({ ops }) => ops)).toEqual([['SIN'], ['ADD', 'MUL'], ['SIN'], ['ADD']]);
    expect(partitions.map(({ bytesIn, bytesOut }) => [bytesIn, bytesOut])).toEqual([
      [16, 16],
      [32, 32],
      [16, 16],
      [32, 16],
    ]);
    expect(partitions.map(({ buildMs }) => typeof buildMs)).toEqual(['number', 'object', 'number', 'object']);
  });

  it('reports what the dispatches took', async () => {
    const { model } = await load(sinRunner(STEPPED));
    for (let run = 0; run < 3; run++) await model.run(ZEROS);
    const { partitions, totals } = await model.report();
    expect(partitions.map(({ dispatchMs }) => dispatchMs?.count ?? null)).toEqual([3, null, 3, null]);
    // The fake's reads take a millisecond.
    expect(partitions[0]?.dispatchMs).toMatchObject({ last: expect.any(Number), mean: expect.any(Number) });
    expect(totals.dispatchMs).toBeGreaterThan(1);
  });

  it('runs before a call returns on the CPU, and not on WebNN', async () => {
    const { model } = await load(sinRunner(ON_CPU));
    const y = new Float32Array(4);
    const [result] = model.runSync([new Float32Array(4).fill(1)], { outputs: [y] });
    expect(result).toEqual((await model.run([new Float32Array(4).fill(1)]))[0]);
    expect(result?.data).toBe(y);
    expect(() => model.runSync(new Float32Array(3))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    model.dispose();
    expect(() => model.runSync(ZEROS)).toThrow(ModelDisposedError);
    for (const description of [DIRECT, STEPPED]) {
      const { model: onWebnn } = await load(sinRunner(description));
      expect(() => onWebnn.runSync(ZEROS)).toThrow(BlockingError);
      expect(() => onWebnn.runSync(ZEROS)).toThrow(/runSync\(\) would have to wait for WebNN. Await run\(\)/);
    }
  });

  it('runs one after the other what is requested at the same time', async () => {
    const { model, wasm } = await load(sinRunner(STEPPED));
    const runs = [0, 1, 2].map((x) => model.run(new Float32Array(4).fill(x)));
    const results = await Promise.all(runs);
    results.forEach(([y], x) => {
      expect(y?.data[0]).toBeCloseTo(Math.sin(x) + x + Math.sin(2 * x), 5);
    });
    const steps = ['invoke steps 1+2', 'invoke steps 4+1'];
    expect(wasm.calls.slice(2)).toEqual([...steps, ...steps, ...steps]);
  });

  it('names an input whose array was moved to another thread while its run waited', async () => {
    for (const description of [ON_CPU, DIRECT, STEPPED]) {
      const { model } = await load(sinRunner(description));
      const first = model.run(ZEROS);
      const moved = new Float32Array(4);
      const second = model.run(moved);
      structuredClone(moved, { transfer: [moved.buffer] });
      await expect(second).rejects.toMatchObject({ name: 'InputError', code: 'INPUT_SHAPE' });
      await expect(second).rejects.toThrow(/of input x were moved to another thread .* or pass a copy/);
      await first;
      expect((await model.run(ZEROS))[0]?.data).toHaveLength(4);
    }
  });

  it('goes on after a run that failed', async () => {
    const { model } = await load(sinRunner(STEPPED));
    const bad = model.run(new Float32Array(3));
    const good = model.run(ZEROS);
    await expect(bad).rejects.toThrow(expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }));
    expect((await good)[0]?.data).toHaveLength(4);
  });

  it('lets the run in flight finish before it frees, rejects those that wait, and can be disposed twice', async () => {
    const { model, context } = await load(sinRunner(STEPPED));
    const [first, second] = [model.run(ZEROS), model.run(ZEROS)];
    model.dispose();
    model.dispose();
    expect(context.destroyed).toBe(false);
    await expect(first).resolves.toHaveLength(1);
    await expect(second).rejects.toThrow(ModelDisposedError);
    await expect(model.run(ZEROS)).rejects.toThrow(ModelDisposedError);
    expect(context.destroyed).toBe(true);
    expect(context.calls.filter((line) => line === 'destroy tensor0')).toHaveLength(1);
  });

  it.each([
    ['direct', DIRECT],
    ['stepped', STEPPED],
    ['cpu', ON_CPU],
  ])('fills the arrays of a list that is frozen (%s)', async (_, description) => {
    const { model } = await load(sinRunner(description));
    const outputs = Object.freeze([new Float32Array(4)]);
    const [y] = await model.run(new Float32Array(4).fill(1), { outputs });
    expect(y?.data).toBe(outputs[0]);
    expect(outputs[0]?.[0]).toBeCloseTo(Math.sin(1) + 1 + Math.sin(2), 5);
  });

  it('frees immediately when nothing runs', async () => {
    const { model, context } = await load(sinRunner(DIRECT));
    context.takeCalls();
    model.dispose();
    expect(context.takeCalls()).toBe('destroy graph0\ndestroy tensor0\ndestroy tensor1\ndestroy context');
  });

  it("passes on the browser's message where a run fails", async () => {
    const { model, context } = await load(sinRunner(DIRECT));
    context.dispatch = () => {
      throw new DOMException('no more memory', 'OperationError');
    };
    const error = await model.run(ZEROS).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WebnnRunError);
    expect((error as Error).message).toContain('OperationError: no more memory');
  });

  it('is spoiled by a trap, and says so', async () => {
    const trap = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    const { model } = await load(sinRunner(ON_CPU, { invoke: trap }));
    await expect(model.run(ZEROS)).rejects.toThrow(WasmTrapError);
    await expect(model.run(ZEROS)).rejects.toThrow(/unreachable.*INFO: a line of the log/);
  });
});

it('reports the shape of its own run, whatever runs before its promise settles', async () => {
  let size = 4;
  const shape = () => [size];
  const model = await loadOn([null], sinRunner(ON_CPU, { shape }));
  size = 3;
  const running = model.run(new Float32Array(4));
  size = 2;
  model.runSync(new Float32Array(4));
  expect((await running)[0]?.shape).toEqual([3]);
});

it('has no context after dispose()', async () => {
  const model = await loadOn([new FakeContext()], sinRunner(DIRECT));
  expect(model.context).not.toBeNull();
  model.dispose();
  expect(() => model.context).toThrow(ModelDisposedError);
});

describe("names that are not the caller's", () => {
  const signature = (key: string, subgraph: number, input: string, output: string) => ({
    key,
    subgraph,
    inputs: [{ name: input, tensor: 0 }],
    outputs: [{ name: output, tensor: 5 }],
  });
  const withSignatures = (description: ModelDescription) => ({
    ...description,
    signatures: [signature('serve', 0, 'angle', 'toString'), signature('other', 1, 'strange', 'constructor')],
  });

  it('of another subgraph are not inputs of run()', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(withSignatures(DIRECT)));
    await model.run({ angle: new Float32Array(4) });
    await expect(model.run({ strange: new Float32Array(4) })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
  });

  it('of Object.prototype are no arrays for outputs', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(withSignatures(DIRECT)));
    const results = await model.runSignature('serve', { angle: new Float32Array(4) });
    expect(Object.keys(results)).toEqual(['toString']);
  });
});
