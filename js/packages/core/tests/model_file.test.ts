/** Where a model's file lies: a download goes into the wasm heap immediately, and is copied only where it must be. */

import { describe, expect, it, vi } from 'vitest';
import { fetchModel } from '../src/load/model_source.js';
import { RecoveringModel } from '../src/model/recovering_model.js';
import { LoadMonitor } from '../src/support/tasks.js';
import { fileBytes, HeapFile, type ModelFile } from '../src/wasm/wasm_memory.js';
import { ContextLosses } from '../src/webnn/context_losses.js';
import { type FakeRunner, FakeWasm } from './fakes/fake_wasm.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { DIRECT, ON_CPU, STEPPED, sinRunner } from './fakes/sin_model.js';

const SMALL = 1000;
/** More than half of the fake's heap. */
const LARGE = 40000;

function fileOf(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes).map((_, index) => index);
  bytes.set(new TextEncoder().encode('TFL3'), 4);
  return bytes;
}

/** Downloads a file into the heap of the first instance of a fake module. */
async function download(sizeBytes: number, behaviour: FakeRunner, headers: Record<string, string> = {}) {
  const wasm = new FakeWasm(behaviour);
  const source = new Response(new Blob([fileOf(sizeBytes) as Uint8Array<ArrayBuffer>]).stream(), { headers });
  const model = await fetchModel(source, new LoadMonitor(), Promise.resolve(wasm));
  const reopenWebnn = () => Promise.resolve(backendOn(new FakeContext()));
  return { wasm, model, parts: { wasm, model, options: {}, reopenWebnn } };
}

describe('a download', () => {
  it.each([
    ['with its size', { 'Content-Length': String(SMALL) }],
    ['without its size', {}],
    ['that is shorter than announced', { 'Content-Length': '5000' }],
    ['that is longer than announced', { 'Content-Length': '20' }],
    ['of an impossible announced size', { 'Content-Length': '9'.repeat(30) }],
  ])('goes into a wasm heap, %s', async (_, headers: Record<string, string>) => {
    const { model, wasm } = await download(SMALL, sinRunner(ON_CPU), headers);
    expect(model).toBeInstanceOf(HeapFile);
    expect(fileBytes(model)).toEqual(fileOf(SMALL));
    expect(wasm.instances).toHaveLength(1);
  });

  it('that does not fit into wasm is an error', async () => {
    await expect(download(100_000, sinRunner(ON_CPU))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });

  it('of more than wasm can address ends after its first megabytes', async () => {
    let sentBytes = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const chunk = new Uint8Array(1 << 20);
      if (sentBytes === 0) chunk.set(fileOf(SMALL).subarray(0, 8));
      sentBytes += chunk.length;
      if (sentBytes > 100 << 20) controller.close();
      else controller.enqueue(chunk);
    };
    const source = new Response(new ReadableStream({ pull }), { headers: { 'Content-Length': '4800000000' } });
    const model = fetchModel(source, new LoadMonitor(), Promise.resolve(new FakeWasm(sinRunner(ON_CPU))));
    await expect(model).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(sentBytes).toBeLessThan(32 << 20);
  });

  it('that is not a model ends the threads of its instance', async () => {
    const wasm = new FakeWasm(sinRunner(ON_CPU), 2);
    const page = new Response('<!doctype html>', { headers: { 'Content-Length': '15' } });
    await expect(fetchModel(page, new LoadMonitor(), Promise.resolve(wasm))).rejects.toThrow('is not a TFLite model');
    await vi.waitFor(() => expect(wasm.calls).toEqual(['close']));
  });

  it.each([
    ['with its size', { 'Content-Length': String(SMALL) }],
    ['without its size', {}],
  ])('of a model that shares an instance waits for no module, %s', async (_, headers: Record<string, string>) => {
    const compiling = new Promise<never>(() => {});
    const source = new Response(new Blob([fileOf(SMALL) as Uint8Array<ArrayBuffer>]).stream(), { headers });
    const model = await fetchModel(source, new LoadMonitor(), compiling, { sharesInstance: true });
    expect(model).toEqual(fileOf(SMALL));
  });

  it('fails with the module', async () => {
    const failing = Promise.reject(new TypeError('no such module'));
    const model = fetchModel(new Response(fileOf(SMALL) as Uint8Array<ArrayBuffer>), new LoadMonitor(), failing);
    await expect(model).rejects.toThrow('no such module');
  });
});

describe('a file in a wasm heap', () => {
  it('is where its runner needs it', async () => {
    const { parts, wasm } = await download(SMALL, sinRunner(DIRECT));
    await RecoveringModel.prepare({ ...parts, webnn: backendOn(new FakeContext()) });
    expect(wasm.instances).toHaveLength(1);
    expect(wasm.calls).toEqual([`init ${SMALL} bytes`, 'allocate subgraph 0', 'delete', 'close']);
  });

  it('is complete where another instance must try', async () => {
    const initError = ({ enable_webnn_delegate }: Readonly<Record<string, string>>) =>
      enable_webnn_delegate === '1' ? '{"code":"DELEGATE_FAILED","message":"no"}' : '';
    const { parts, wasm } = await download(SMALL, sinRunner(ON_CPU, { initError }));
    const { prepared } = await RecoveringModel.prepare({ ...parts, webnn: backendOn(new FakeContext()) });
    expect(prepared.schedule.mode).toBe('cpu');
    expect(wasm.calls).toEqual([
      `init ${SMALL} bytes`,
      'delete',
      'close',
      `init ${SMALL} bytes`,
      'allocate subgraph 0',
    ]);
    expect(wasm.instances[1]?.file).toEqual(fileOf(SMALL));
  });

  it.each([
    ['small, direct', SMALL, DIRECT],
    ['large, direct', LARGE, DIRECT],
    ['stepped', SMALL, STEPPED],
  ])('is there for a model that has lost its context, %s', async (_, sizeBytes, description) => {
    const { parts, wasm } = await download(sizeBytes, sinRunner(description));
    const context = new FakeContext();
    const recovering = await RecoveringModel.prepare({ ...parts, webnn: backendOn(context) });
    context.lose('gone');
    await Promise.resolve();
    await recovering.recover();
    expect(recovering.losses).toBeInstanceOf(ContextLosses);
    expect(recovering.losses.count).toBe(1);
    expect(recovering.prepared.schedule.mode).not.toBe('cpu');
    const isReused = description === STEPPED;
    expect(wasm.instances).toHaveLength(isReused ? 1 : 2);
    // Further behind, the fake puts its constants.
    expect(wasm.instances.at(-1)?.file?.subarray(0, SMALL)).toEqual(fileOf(sizeBytes).subarray(0, SMALL));
  });

  it.each([
    [SMALL, true],
    [LARGE, false],
  ])('of %i bytes is kept alone: %o', async (sizeBytes, isAlone) => {
    const { model } = await download(sizeBytes, sinRunner(ON_CPU));
    const kept: ModelFile = (model as HeapFile).compact();
    expect(kept instanceof Uint8Array).toBe(isAlone);
    expect(fileBytes(kept)).toEqual(fileOf(sizeBytes));
  });
});
