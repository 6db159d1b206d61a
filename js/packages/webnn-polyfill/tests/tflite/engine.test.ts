/** The tflite engine on the real wasm module: in this thread, behind a worker's messages, and in both. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EngineContext, type EngineGraph, type RecordedGraph, tfliteEngine } from 'webnn-polyfill';
import { describeOnModule, WASM, wasmDirectory } from '../../../../built_module.js';
import { CompiledGraph } from '../../src/tflite/engine/compiled_graph.js';
import { EngineWorker } from '../../src/tflite/engine/engine_workers.js';
import { LocalContext, openLocalContext } from '../../src/tflite/engine/local_context.js';
import { PageContext } from '../../src/tflite/engine/page_context.js';
import { WorkerContext } from '../../src/tflite/engine/worker_context.js';
import { bytes, FLOATS, hostedWorker, sumGraph, values } from './engines.js';

const THREADS: Record<string, () => Promise<EngineContext>> = {
  'in this thread': () => openLocalContext(WASM),
  'behind messages': () => WorkerContext.open(hostedWorker(), WASM),
  'of a page': async () =>
    new PageContext(await WorkerContext.open(hostedWorker(), WASM), () => openLocalContext(WASM)),
};

let context: EngineContext | null = null;

async function open(thread: string): Promise<EngineContext> {
  const opened = await (THREADS[thread] as () => Promise<EngineContext>)();
  context = opened;
  return opened;
}

afterEach(() => {
  context?.destroy();
  context = null;
});

describeOnModule('the engine', () => {
  describe.each(Object.keys(THREADS))('%s', (thread) => {
    it('computes in the order of the calls', async () => {
      const engine = await open(thread);
      const graph = await engine.build(sumGraph(bytes(10, 20, 30, 40)));
      const [a, b] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
      a.write(bytes(1, 2, 3, 4));
      graph.dispatch([a], [b]);
      graph.dispatch([b], [a]);
      const first = a.read();
      a.write(bytes(0, 0, 0, 0));
      const second = a.read();
      expect(await values(first)).toEqual([21, 42, 63, 84]);
      expect(await values(second)).toEqual([0, 0, 0, 0]);
      expect(await values(b.read())).toEqual([11, 22, 33, 44]);
    });

    it('begins with zeros', async () => {
      const engine = await open(thread);
      expect(await values(engine.createTensor(FLOATS).read())).toEqual([0, 0, 0, 0]);
    });

    it('does what is queued when something is destroyed', async () => {
      const engine = await open(thread);
      const graph = await engine.build(sumGraph(bytes(1, 1, 1, 1)));
      const [x, y] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
      graph.dispatch([x], [y]);
      graph.destroy();
      x.destroy();
      expect(await values(y.read())).toEqual([1, 1, 1, 1]);
    });

    it('frees the constants that are its own, and leaves those of tensors to other graphs', async () => {
      const engine = await open(thread);
      const [provided, shared] = [bytes(1, 1, 1, 1), bytes(2, 2, 2, 2)];
      await engine.build(sumGraph(provided));
      expect(provided.byteLength).toBe(0);
      for (let iteration = 0; iteration < 2; iteration++) {
        const graph: RecordedGraph = {
          ...sumGraph(shared),
          constants: [{ operand: 1, bytes: shared, isShared: true }],
        };
        const built = await engine.build(graph);
        const [x, y] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
        built.dispatch([x], [y]);
        expect(await values(y.read())).toEqual([2, 2, 2, 2]);
      }
    });

    it('accepts constants in shared memory', async () => {
      const engine = await open(thread);
      const shared = new Uint8Array(new SharedArrayBuffer(16));
      shared.set(bytes(3, 3, 3, 3));
      const graph = await engine.build({
        ...sumGraph(shared),
        constants: [{ operand: 1, bytes: shared, isShared: true }],
      });
      const [x, y] = [engine.createTensor(FLOATS), engine.createTensor(FLOATS)];
      graph.dispatch([x], [y]);
      expect(await values(y.read())).toEqual([3, 3, 3, 3]);
    });

    it('rejects a graph that cannot be built, and goes on', async () => {
      const engine = await open(thread);
      await expect(engine.build(sumGraph(bytes(1, 1, 1, 1), 'nothing'))).rejects.toThrow('no operator nothing');
      await expect(engine.build(sumGraph(bytes(1, 1, 1, 1)))).resolves.toBeDefined();
    });

    it('is lost when a graph fails', async () => {
      const engine = await open(thread);
      const graph: EngineGraph = await engine.build(sumGraph(bytes(1, 1, 1, 1)));
      vi.spyOn(CompiledGraph.prototype, 'run').mockImplementation(() => {
        throw new Error('out of order');
      });
      graph.dispatch([engine.createTensor(FLOATS)], [engine.createTensor(FLOATS)]);
      expect(await engine.lost).toContain('out of order');
    });

    it('does not open where wasm is missing', async () => {
      await open(thread);
      const wasmPath = new URL('nowhere/', wasmDirectory).href;
      const opening = thread === 'in this thread' ? openLocalContext : WorkerContext.open.bind(null, hostedWorker());
      await expect(opening({ ...WASM, wasmPath })).rejects.toThrow('nowhere');
    });
  });
});

it('is lost when the worker fails', async () => {
  const listeners = new Map<string, (event: object) => void>();
  const worker = {
    postMessage() {},
    terminate: vi.fn(),
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    removeEventListener() {},
  } as unknown as Worker;
  const opening = WorkerContext.open(new EngineWorker(worker), WASM);
  listeners.get('error')?.({ message: 'no such script' });
  await expect(opening).rejects.toThrow('polyfill_worker.mjs');
  expect(worker.terminate).toHaveBeenCalled();
});

describeOnModule('a page without its worker', () => {
  const options = { powerPreference: 'default', accelerated: true } as const;

  it('computes in its own thread, and warns once', async () => {
    vi.stubGlobal('document', { baseURI: wasmDirectory.href });
    vi.stubGlobal('Worker', function reject() {
      throw new DOMException('no workers here', 'SecurityError');
    });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (let again = 0; again < 2; again++) expect(await tfliteEngine(WASM).open(options)).toBeInstanceOf(LocalContext);
    await expect(tfliteEngine({ ...WASM, thread: 'worker' }).open(options)).rejects.toThrow('no workers here');
    expect(warn.mock.calls).toEqual([[expect.stringContaining("the page's thread")]]);
    expect(warn.mock.calls[0]?.[0]).toContain('no workers here');
  });
});
