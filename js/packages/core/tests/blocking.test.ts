import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { BlockingError, loadTFLiteModel, WorkerFailedError } from 'tflite-webnn';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM, wasmDirectory } from '../../../built_module.js';
import { whyCannotBlock } from '../src/blocking/blocking_helper.js';
import { openBlockingWebnn } from '../src/blocking/blocking_webnn.js';
import { Mailbox, memoryLayout } from '../src/blocking/helper_protocol.js';
import { expected } from './fakes/sin_model.js';
import { SIN_MODEL, writeModel } from './fakes/tiny_model.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('Mailbox', () => {
  it('carries a response from one thread to the other', () => {
    const box = new Mailbox();
    box.empty();
    const other = new Mailbox(box.memory);
    expect(box.isFull).toBe(false);
    other.put({ kind: 'unavailable', reason: 'größer als ASCII' });
    expect(box.wait()).toEqual({ kind: 'unavailable', reason: 'größer als ASCII' });
  });

  it('is not woken by the notification of an earlier response', () => {
    const box = new Mailbox(undefined, 1);
    box.put({ kind: 'done' });
    box.empty();
    const waits = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      if (waits.mock.calls.length === 3) new Mailbox(box.memory).put({ kind: 'lost', reason: 'the new one' });
      return 'ok';
    });
    expect(box.wait()).toEqual({ kind: 'lost', reason: 'the new one' });
  });

  it('gives up on a helper without a heartbeat, and not on a slow one', () => {
    vi.useFakeTimers();
    const box = new Mailbox(undefined, 1);
    box.empty();
    expect(() => box.wait()).toThrow(WorkerFailedError);
    const stop = new Mailbox(box.memory, 2).startHeartbeat();
    vi.advanceTimersByTime(20);
    stop();
    vi.advanceTimersByTime(20);
    expect(new Int32Array(box.memory, 0, 3)[2]).toBe(20);
  });

  it('reports a response that has no space', () => {
    const box = new Mailbox();
    box.put({ kind: 'failed', message: 'x'.repeat(box.memory.byteLength) });
    expect(box.wait()).toMatchObject({ kind: 'failed', message: expect.stringContaining('too long') });
  });
});

describe('memoryLayout', () => {
  it('lays inputs and outputs out one after the other, in the sizes of TFLite', () => {
    const port = { id: 0, name: 't', tensor: 1, shape: [3] } as const;
    const ranges = memoryLayout({
      inputs: [
        { ...port, dataType: 'int32', tensorType: 'int16' },
        { ...port, dataType: 'float32' },
      ],
      outputs: [{ ...port, dataType: 'int64', shape: [] }],
    });
    expect(ranges.inputs.map(({ offset, byteLength }) => [offset, byteLength])).toEqual([
      [0, 6],
      [8, 12],
    ]);
    expect(ranges.outputs.map(({ offset, byteLength }) => [offset, byteLength])).toEqual([[24, 8]]);
    expect(ranges.byteLength).toBe(32);
  });
});

describe('whyCannotBlock', () => {
  it('lets Node wait', () => expect(whyCannotBlock()).toBeNull());

  it('names the headers to a page that is not isolated', () => {
    vi.stubGlobal('crossOriginIsolated', false);
    expect(whyCannotBlock()).toContain('Cross-Origin-Opener-Policy: same-origin');
  });

  it('sends the page to a worker', () => {
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      throw new TypeError('Atomics.wait cannot be called in this context');
    });
    expect(whyCannotBlock()).toContain('in a worker');
  });
});

const directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
const helper = join(directory, 'helper.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('fakes/node_helper.ts', import.meta.url));
  buildSync({
    entryPoints: [entry],
    outfile: helper,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['./gpu_bugs.mjs', './polyfill.mjs'],
  });
});
afterAll(() => rmSync(directory, { recursive: true }));

it('leaves a worker that it was passed to its owner, also for later models', async () => {
  const worker = new Worker(pathToFileURL(helper));
  const terminate = vi.spyOn(worker, 'terminate');
  for (let model = 0; model < 2; model++) {
    const { context } = await openBlockingWebnn({ blockingHelper: worker, polyfill: 'never' });
    expect(context).not.toBeNull();
    context?.destroy();
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(terminate).not.toHaveBeenCalled();
  await worker.terminate();
});

describeOnModule('in Node, on the real wasm module', () => {
  const load = (blockingHelper: URL, context?: object) =>
    loadTFLiteModel(writeModel(SIN_MODEL), {
      ...WASM,
      enableWebnnDelegate: true,
      webnnDelegateOptions: {
        blocking: true,
        blockingHelper,
        ignorePartitionCost: true,
        ...(context && { context: context as never }),
      },
    });

  it('runs while it waits', async () => {
    const model = await load(pathToFileURL(helper));
    expect(model.executionMode).toBe('blocking');
    expect(model.context).toBeNull();
    for (const x of [
      [0, 1, 2, -3],
      [4, 5, 6, 7],
    ]) {
      const y = model.runSync(Float32Array.from(x))[0];
      expect(Array.from(y.data as Float32Array)).toEqual(expected(x).map((value) => expect.closeTo(value, 5)));
    }
    expect((await model.report()).partitions[0]?.dispatchMs?.count).toBe(2);
    model.dispose();
  });

  it('names the helper that it cannot start', async () => {
    const loading = load(new URL('nowhere.mjs', wasmDirectory));
    await expect(loading).rejects.toThrow(WorkerFailedError);
    await expect(loading).rejects.toThrow(/nowhere\.mjs.*did not start/);
  });

  it('has no use for a context of this thread', async () => {
    await expect(load(pathToFileURL(helper), {})).rejects.toThrow(BlockingError);
  });
});
