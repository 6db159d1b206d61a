/** The parts of a model's interface other than run(): queue, profile, signatures. */

import { SignatureError } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { profilingSummary } from '../src/model/run_profile.js';
import { findSignature, outputsInOrder, resultsByName } from '../src/model/signatures.js';
import { Queue } from '../src/support/tasks.js';
import { tensorResult } from '../src/tensors/results.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { DIRECT, floatTensor, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

describe('Queue', () => {
  it('runs one task after the other, whatever becomes of them', async () => {
    const queue = new Queue();
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push(`${name} ends`);
      if (name === 'a') throw new Error(name);
    };
    const [a, b] = [queue.add(task('a')), queue.add(task('b'))];
    queue.whenIdle(() => order.push('idle'));
    await expect(a).rejects.toThrow('a');
    await b;
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'idle']);
    queue.whenIdle(() => order.push('idle immediately'));
    expect(order.at(-1)).toBe('idle immediately');
  });

  it('does not start what is aborted before', async () => {
    const queue = new Queue();
    const abort = new AbortController();
    const started: string[] = [];
    const task = (name: string) => async () => {
      started.push(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return name;
    };
    const [first, second, third] = ['a', 'b', 'c'].map((name) =>
      queue.add(task(name), name === 'b' ? abort.signal : undefined),
    );
    abort.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(started).toEqual(['a']);
    expect([await first, await third]).toEqual(['a', 'c']);
    await expect(queue.add(task('d'), abort.signal)).rejects.toThrow('enough');
    expect(started).toEqual(['a', 'c']);
  });

  it('goes on behind a task that is aborted while it computes', async () => {
    const queue = new Queue();
    const abort = new AbortController();
    let end: () => void = () => undefined;
    const running = queue.add(() => new Promise<void>((resolve) => (end = resolve)), abort.signal);
    const next = queue.add(async () => 'next');
    abort.abort('enough');
    await expect(running).rejects.toBe('enough');
    end();
    expect(await next).toBe('next');
  });

  it('rejects what throws before it has a promise, and goes on', async () => {
    const queue = new Queue();
    const fails = () => {
      throw new Error('synchronously');
    };
    await expect(queue.add(fails)).rejects.toThrow('synchronously');
    const [behind, last] = [queue.add(fails), queue.add(async () => 'last')];
    await expect(behind).rejects.toThrow('synchronously');
    expect(await last).toBe('last');
  });
});

describe('profiles', () => {
  it('have the dispatches among the nodes, in the order of the run', async () => {
    const times = [{ op: 'ADD', name: 't2', subgraph: 0, node: 1, ms: 0.25 }];
    const model = await loadOn([new FakeContext()], sinRunner(STEPPED, { profile: () => times }), {
      enableProfiling: true,
    });
    expect(await model.getProfilingResults()).toEqual([]);
    for (let run = 0; run < 2; run++) await model.run(new Float32Array(4));
    const items = await model.getProfilingResults();
    expect(items.map(({ nodeType, nodeName }) => `${nodeType} ${nodeName}`)).toEqual([
      'WEBNN SIN',
      'ADD t2',
      'WEBNN SIN',
      'ADD t2',
    ]);
    expect(items[1]?.nodeExecMs).toBe(0.25);
    expect(await model.getProfilingSummary()).toMatch(/^4 nodes, [\d.]+ ms\n/);
  });

  it('of a model on WebNN are one entry', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(DIRECT), { enableProfiling: true });
    await model.run(new Float32Array(4));
    expect(await model.getProfilingResults()).toMatchObject([{ nodeType: 'WEBNN', nodeName: 'SIN to ADD, 5 nodes' }]);
  });

  it('are empty unless requested', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(DIRECT));
    await model.run(new Float32Array(4));
    expect(await model.getProfilingResults()).toEqual([]);
    expect(await model.getProfilingSummary()).toBe('0 nodes, 0.000 ms\n');
  });

  it('are summed up by type', () => {
    const item = (nodeType: string, nodeExecMs: number) => ({
      nodeType,
      nodeName: '',
      nodeExecMs,
      subgraph: 0,
      node: 0,
    });
    const text = profilingSummary([item('ADD', 1), item('CONV_2D', 6), item('ADD', 1)]);
    expect(text).toBe('3 nodes, 8.000 ms\nCONV_2D: 1 x, 6.000 ms, 75.0 %\nADD: 2 x, 2.000 ms, 25.0 %\n');
  });
});

describe('signatures', () => {
  const other = { index: 2, inputs: [floatTensor(0, 'raw')], outputs: [floatTensor(1, 'out')] };
  const info = { key: 'other', subgraph: 2, inputs: [{ name: 'in', tensor: 0 }], outputs: [{ name: 'y', tensor: 1 }] };
  const description = { ...ON_CPU, subgraphs: [other], signatures: [...ON_CPU.signatures, info] };

  it('rename the tensors of their subgraph', () => {
    const found = findSignature('other', description);
    expect(found.io.inputs.map(({ name }) => name)).toEqual(['in']);
    const y = new Float32Array(4);
    expect(outputsInOrder({ y }, found)).toEqual([y]);
    expect(outputsInOrder({}, found)).toEqual([undefined]);
    const result = tensorResult(floatTensor(1, 'out'), 'out', [2, 2], y);
    expect(resultsByName([result], found)).toEqual({ y: { ...result, name: 'y' } });
    expect(resultsByName([result], found).y?.data).toBe(y);
  });

  it('that do not exist are errors that list the others', () => {
    expect(() => findSignature('third', description)).toThrow(SignatureError);
    expect(() => findSignature('third', description)).toThrow('It has: serving_default, other.');
    expect(() => findSignature('third', { ...ON_CPU, signatures: [] })).toThrow('It has: none.');
    expect(() => outputsInOrder({ z: new Float32Array(4) }, findSignature('other', description))).toThrow('It has: y.');
  });

  it('run the model where they are of its main subgraph', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(DIRECT));
    const { f } = await model.runSignature('serving_default', { angle: new Float32Array(4) });
    expect(f).toMatchObject({ name: 'f', dtype: 'float32', shape: [4], data: new Float32Array(4) });
    await expect(model.runSignature('serving_default', { x: new Float32Array(4) })).rejects.toThrow(/angle/);
  });
});

describe('a run in steady state', () => {
  it('comes back few microtasks after its read: each enters code that a large model has swept from the caches', async () => {
    const context = new FakeContext();
    const model = await loadOn([context], sinRunner(DIRECT));
    await model.run(new Float32Array(4));
    let arrive: (value: never) => void = () => undefined;
    vi.spyOn(context, 'readTensor').mockReturnValue(new Promise((resolve) => (arrive = resolve)));
    let isBack = false;
    const run = model.run(new Float32Array(4)).then(() => (isBack = true));
    for (let microtask = 0; microtask < 50; microtask++) await null;
    arrive(undefined as never);
    let microtasks = 0;
    for (; !isBack; microtasks++) await null;
    await run;
    expect(microtasks).toBeLessThanOrEqual(6);
  });

  it('returns the very arrays that it got', async () => {
    const model = await loadOn([new FakeContext()], sinRunner(DIRECT));
    const outputs = [new Float32Array(4)];
    const [result] = await model.run(new Float32Array(4), { outputs });
    expect(result?.data).toBe(outputs[0]);
    const { f } = await model.run({ x: new Float32Array(4) }, { outputs: { y: outputs[0] } });
    expect(f?.data).toBe(outputs[0]);
  });
});
