import { describe, expect, it } from 'vitest';
import { ContextLostError, InputShapeError, ModelDisposedError, WasmTrapError, WebnnRunError } from '../src/errors.js';
import { prepareModel } from '../src/prepare_model.js';
import { makeReport } from '../src/report.js';
import { TFLiteModel } from '../src/tflite_model.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { DIRECT, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

async function load(behaviour: FakeRunner) {
  const context = new FakeContext();
  const webnn = backendOn(context);
  const wasm = new FakeWasm(behaviour);
  const options = { enableWebnnDelegate: true };
  const prepared = await prepareModel({ wasm, model: new Uint8Array(8), options, webnn });
  const report = makeReport(prepared, options, wasm.variant, 0);
  return { model: new TFLiteModel(prepared.description, report, prepared.executor, webnn), context, wasm };
}

const ZEROS = new Float32Array(4);

describe('TFLiteModel', () => {
  it('reports where the nodes run', async () => {
    const { model } = await load(sinRunner(STEPPED));
    expect(model.executionMode).toBe('stepped');
    expect(model.report).toMatchObject({
      variant: 'simd',
      delegatedNodeCount: 2,
      totalNodeCount: 5,
      webnn: { requested: true, used: true, reason: null, devicePreference: 'default', deniedNodes: [] },
    });
    expect(model.report.partitions.map(({ ops }) => ops)).toEqual([['SIN'], ['ADD', 'MUL'], ['SIN'], ['ADD']]);
  });

  it('runs one after the other what is asked for at once', async () => {
    const { model, wasm } = await load(sinRunner(STEPPED));
    const runs = [0, 1, 2].map((x) => model.run(new Float32Array(4).fill(x)));
    const results = await Promise.all(runs);
    results.forEach(([y], x) => {
      expect(y?.[0]).toBeCloseTo(Math.sin(x) + x + Math.sin(2 * x), 5);
    });
    const steps = ['invoke steps 1+2', 'invoke steps 4+1'];
    expect(wasm.calls.slice(1)).toEqual([...steps, ...steps, ...steps]);
  });

  it('goes on after a run that failed', async () => {
    const { model } = await load(sinRunner(STEPPED));
    const bad = model.run(new Float32Array(3));
    const good = model.run(ZEROS);
    await expect(bad).rejects.toThrow(InputShapeError);
    expect((await good)[0]).toHaveLength(4);
  });

  it('lets the run under way finish before it frees, refuses those that wait, and can be disposed twice', async () => {
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

  it('frees at once when nothing runs', async () => {
    const { model, context } = await load(sinRunner(DIRECT));
    context.takeCalls();
    model.dispose();
    expect(context.takeCalls()).toBe('destroy graph0\ndestroy tensor0\ndestroy tensor1\ndestroy context');
  });

  it('tells that the context was lost', async () => {
    const { model, context } = await load(sinRunner(DIRECT));
    context.lose('the GPU was unplugged');
    await Promise.resolve();
    const error = await model.run(ZEROS).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ContextLostError);
    expect((error as Error).message).toContain('the GPU was unplugged');
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
