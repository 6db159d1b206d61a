import * as comlink from 'comlink';
import {
  type LoadProgress,
  MalformedModelError,
  ModelDisposedError,
  ModelFetchError,
  type ModelSource,
  OptionError,
  SignatureError,
  type SignatureInputs,
  StateError,
  TensorError,
  type TFLiteModel,
  WorkerFailedError,
} from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { makeModelServer } from '../src/worker/model_server.js';
import { errorOf, textOf, WorkerConnection } from '../src/worker/worker_connection.js';
import type { FakeRunner } from './fakes/fake_wasm.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { leftOn, loadOn } from './fakes/load_fake.js';
import { DIRECT, expected, ON_CPU, sinRunner } from './fakes/sin_model.js';
import { TOTAL_DIRECT, totalRunner } from './fakes/total_model.js';

const item = (x: number) => new Float32Array(4).fill(x);
const ports: MessagePort[] = [];
const arrived: ModelSource[] = [];
const arrivedOptions: unknown[] = [];

/** A Worker whose thread is this one: what crosses is cloned and moved as between threads. */
function fakeWorker(context: FakeContext, makeRunner: () => FakeRunner): Worker {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  comlink.expose(
    makeModelServer(async (source, options) => {
      arrived.push(source);
      arrivedOptions.push(options);
      if (source === 'http://slow/') {
        options?.onProgress?.({ phase: 'download', loadedBytes: 1, totalBytes: 2 });
        await new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        });
      }
      if (source === 'http://bad/') throw new MalformedModelError('it is cut off', { cause: 'why' });
      return loadOn([context], makeRunner(), { enableProfiling: true });
    }),
    port1 as unknown as comlink.Endpoint,
  );
  return Object.assign(port2, { terminate: () => undefined }) as unknown as Worker;
}

async function load(description: ModelDescription = DIRECT, makeRunner = () => sinRunner(description)) {
  const context = new FakeContext();
  const thread = fakeWorker(context, makeRunner);
  const worker = new TFLiteWorker({ worker: thread });
  const model = await worker.loadTFLiteModel(new Uint8Array(8));
  return { context, worker, model, thread };
}

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
  arrived.length = 0;
});

describe('a model in a worker', () => {
  it('is described and runs as in the page', async () => {
    const { model } = await load();
    expect(model.inputs[0]).toMatchObject({ name: 'x', dtype: 'float32', shape: [4] });
    expect(model.executionMode).toBe('direct');
    const provided = new Float32Array(4);
    const { f } = await model.run({ angle: item(1) }, { outputs: [provided] });
    expect(f?.data).toBe(provided);
    expect(f).toMatchObject({ name: 'f', dtype: 'float32', shape: [4], quantization: null });
    expect(f?.dequantized()).toBe(provided);
    expect(provided[0]).toBeCloseTo(expected([1])[0] as number, 5);
    expect((await model.report()).executionMode).toBe('direct');
  });

  it('moves inputs where the caller allows it, but never a part of a buffer', async () => {
    const { model } = await load();
    const [kept, moved, both] = [item(1), item(1), new Float32Array(8)];
    await model.run(kept);
    await model.run(moved, { transfer: true });
    await model.run(both.subarray(0, 4), { transfer: true });
    expect([kept.length, moved.length, both.length]).toEqual([4, 0, 8]);
  });

  it.each([
    ['direct', DIRECT, 3],
    ['cpu', ON_CPU, 1],
  ])('streams, with as many in flight as its mode allows (%s)', async (_, description, maxAhead) => {
    const { model, context } = await load(description);
    let taken = 0;
    let provided = 0;
    let ahead = 0;
    function* items() {
      while (taken < 9) {
        ahead = Math.max(ahead, ++taken - provided);
        yield item(taken - 1);
      }
    }
    for await (const [y] of model.stream(items(), { inFlight: 3 })) {
      expect(y?.data[0]).toBeCloseTo(expected([provided])[0] as number, 4);
      provided++;
    }
    expect(provided).toBe(9);
    expect(ahead).toBe(maxAhead);
    await model.dispose();
    await vi.waitFor(() => expect(leftOn(context)).toEqual([]));
  });

  it('reads a stream first where the browser cannot move streams', async () => {
    const { worker } = await load();
    const bytes = () => new Response(new Uint8Array([1, 2, 3])).body as ReadableStream<Uint8Array>;
    await worker.loadTFLiteModel(bytes());
    vi.stubGlobal('structuredClone', () => {
      throw new DOMException('The object can not be cloned.', 'DataCloneError');
    });
    await worker.loadTFLiteModel(bytes());
    const [, moved, read] = arrived;
    expect(moved).toBeInstanceOf(ReadableStream);
    expect(new Uint8Array(read as ArrayBuffer)).toEqual(new Uint8Array([1, 2, 3]));
  });

  it('rejects with the classes of the page', async () => {
    const { worker, model } = await load();
    await expect(model.run(new Float32Array(3))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    const error: unknown = await worker.loadTFLiteModel('http://bad/').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MalformedModelError);
    expect(error).toMatchObject({ name: 'MalformedModelError', code: 'MALFORMED_MODEL', message: 'it is cut off' });
    await model.dispose();
    await model.dispose();
    await expect(model.run(item(0))).rejects.toThrow(ModelDisposedError);
    expect(() => model.stream([])).toThrow(ModelDisposedError);
  });

  it('returns results in the structure of the inputs, and resets what it remembers', async () => {
    const { model } = await load();
    const { f } = await model.run({ x: item(1) });
    expect(f?.data[0]).toBeCloseTo(expected([1])[0] as number, 5);
    await model.resetState();
  });

  it('runs a signature by its names, into provided arrays and with moved inputs', async () => {
    const { model } = await load();
    const [angle, f] = [item(1), new Float32Array(4)];
    const found = await model.runSignature('serving_default', { angle }, { outputs: { f }, transfer: true });
    expect(found.f?.data).toBe(f);
    expect(f[0]).toBeCloseTo(expected([1])[0] as number, 5);
    expect(angle.length).toBe(0);
    expect((await model.runSignature('serving_default', { angle: item(1) })).f?.data).toEqual(f);
  });

  it('ends a run with the signal, and does not start one that waits', async () => {
    const { model, context } = await load();
    const abort = new AbortController();
    const { signal } = abort;
    const key = 'serving_default';
    const runs = [
      model.run(item(1), { signal }),
      model.run(item(2), { signal }),
      model.runSignature(key, { angle: item(3) }, { signal }),
      model.stream([item(4)], { signal }).next(),
    ];
    const kept = model.run(item(5));
    abort.abort(new Error('enough'));
    for (const run of runs) await expect(run).rejects.toThrow('enough');
    await kept;
    expect(context.calls.filter((call) => call.startsWith('dispatch')).length).toBeLessThan(4);
    await expect(model.run(item(1), { signal })).rejects.toThrow('enough');
    const again = new AbortController();
    await model.run(item(1), { signal: again.signal });
    again.abort();
    expect((await model.run(item(0)))[0]?.data[0]).toBeCloseTo(expected([0])[0] as number, 5);
  });

  it('rejects a wrong signature before anything is moved', async () => {
    const { model } = await load();
    const angle = item(1);
    const run = (key: string, inputs: SignatureInputs, outputs = {}) =>
      model.runSignature(key, inputs, { outputs, transfer: true });
    await expect(run('training', { angle })).rejects.toThrow('serving_default');
    await expect(run('serving_default', { x: angle })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    await expect(run('serving_default', { angle }, { y: angle })).rejects.toThrow(SignatureError);
    await expect(run('serving_default', { angle }, { f: item(0).subarray(1) })).rejects.toThrow(
      expect.objectContaining({ name: 'OutputError', code: 'OUTPUT_BUFFER' }),
    );
    expect(angle.length).toBe(4);
  });

  it('reports the device, and what a run spent its time on', async () => {
    const { model } = await load();
    expect(model.device).toBe('webnn');
    expect((await load(ON_CPU)).model.device).toBe('wasm');
    await model.run(item(1));
    const results = await model.getProfilingResults();
    expect(results).toMatchObject([{ nodeType: 'WEBNN', nodeName: 'SIN to ADD, 5 nodes' }]);
    expect(await model.getProfilingSummary()).toMatch(/^1 nodes, .* ms\nWEBNN: 1 x/);
  });

  it('accepts new shapes in all forms', async () => {
    const { model } = await load();
    const wrapped = [Int32Array.of(4), [Int32Array.of(4)], { x: Int32Array.of(4) }];
    for (const shapes of [[4], [[4]], { x: [4] }, ...wrapped]) await model.resizeInputs(shapes);
    expect(model.inputs[0]?.shape).toEqual([4]);
    await expect(model.resizeInputs({ y: [4] })).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    await expect(model.resizeInputs(null as unknown as number[])).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_NAME' }),
    );
    for (const wrong of [[2 ** 31], [[Number.NaN]], [Array(1e6).fill(1)]]) {
      await expect(model.resizeInputs(wrong as number[])).rejects.toThrow(
        expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
      );
    }
  });

  it('is freed at the end of its block, and so is its worker', async () => {
    const { worker, model } = await load();
    await model[Symbol.asyncDispose]();
    await expect(model.getProfilingResults()).rejects.toThrow(ModelDisposedError);
    await expect(model.runSignature('serving_default', {})).rejects.toThrow(ModelDisposedError);
    worker[Symbol.dispose]();
    await expect(worker.loadTFLiteModel(new Uint8Array(8))).rejects.toThrow(ModelDisposedError);
  });

  it('reports the progress of its loading, and can end it', async () => {
    const { worker } = await load();
    const abort = new AbortController();
    const phases: string[] = [];
    const onProgress = ({ phase }: LoadProgress) => {
      phases.push(phase);
      abort.abort(new Error('enough'));
    };
    const loading = worker.loadTFLiteModel('http://slow/', { signal: abort.signal, onProgress });
    await expect(loading).rejects.toThrow('enough');
    expect(phases).toEqual(['download']);
    await expect(worker.loadTFLiteModel('http://slow/', { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('ends with a worker that does not respond to an abort, and the next one starts another', async () => {
    const ended: string[] = [];
    class RestartingWorker extends TFLiteWorker {
      protected override start(): Worker {
        if (ended.length > 0) return fakeWorker(new FakeContext(), () => sinRunner(DIRECT));
        const { port1, port2 } = new MessageChannel(); // nobody responds
        ports.push(port1, port2);
        return Object.assign(port2, { terminate: () => ended.push('worker') }) as unknown as Worker;
      }
    }
    const worker = new RestartingWorker();
    const abort = new AbortController();
    const loading = worker.loadTFLiteModel('http://hostile/', { signal: abort.signal });
    await new Promise((resolve) => setTimeout(resolve, 10));
    abort.abort(new Error('enough'));
    await expect(loading).rejects.toThrow('enough');
    expect(ended).toEqual(['worker']);
    expect((await worker.loadTFLiteModel(new Uint8Array(8))).executionMode).toBe('direct');
  });

  it('leaves a busy worker to its other models', async () => {
    const { worker, model, thread } = await load();
    const terminate = vi.spyOn(thread, 'terminate');
    const abort = new AbortController();
    const loading = worker.loadTFLiteModel('http://slow/', { signal: abort.signal });
    await vi.waitFor(() => expect(arrived).toContain('http://slow/'));
    const held: unknown[][] = [];
    const posting = vi.spyOn(thread, 'postMessage').mockImplementation((...message) => void held.push(message));
    abort.abort(new Error('enough'));
    await expect(loading).rejects.toThrow('enough');
    expect(terminate).not.toHaveBeenCalled();
    posting.mockRestore();
    for (const [message, moved] of held) thread.postMessage(message, moved as Transferable[]);
    await model.run(item(0));
  });

  it('accepts its states and pipelines with it', async () => {
    const state = { tensors: [], read: async () => new Float32Array(1), dispose: async () => undefined };
    const ring = { limit: 1, start: async () => [], close: () => undefined };
    const server = makeModelServer(async () => {
      const dispose = () => undefined;
      return { placing: {}, createState: async () => state, openRing: () => ring, dispose } as unknown as TFLiteModel;
    });
    for (const id of [1, 2]) await server.load(id, 'http://model/', {}, null);
    const [gone, kept] = [await server.createState(1, undefined), await server.createState(2, undefined)];
    const [pipeline] = server.openPipeline(1, 1);
    server.dispose(1);
    await expect(server.readState(gone.id, 'x')).rejects.toThrow(ModelDisposedError);
    await expect(server.runPipelined(pipeline, [])).rejects.toThrow(ModelDisposedError);
    server.disposeState(gone.id);
    server.closePipeline(pipeline);
    expect(await server.readState(kept.id, 'x')).toEqual(new Float32Array(1));
  });

  it('is there after its listener has heard everything', async () => {
    const events: string[] = [];
    const server = makeModelServer(async (_, options) => {
      options?.onProgress?.({ phase: 'init', loadedBytes: 1, totalBytes: 1 });
      return loadOn([new FakeContext()], sinRunner(DIRECT));
    });
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push('heard');
    };
    await server.load(1, 'http://model/', {}, slow);
    events.push('loaded');
    expect(events).toEqual(['heard', 'loaded']);
  });

  it('ends its loading when the listener throws', async () => {
    const { worker } = await load();
    const onProgress = () => {
      throw new RangeError('no space for a progress bar');
    };
    await expect(worker.loadTFLiteModel('http://slow/', { onProgress })).rejects.toThrow(RangeError);
  });

  it.each([
    ['a Response', (body: ReadableStream) => new Response(body)],
    ['a stream where the browser cannot move streams', (body: ReadableStream) => body],
  ])('is aborted while %s is read for it, and its sender stops', async (_, make) => {
    const { worker } = await load();
    vi.stubGlobal('structuredClone', () => {
      throw new DOMException('The object can not be cloned.', 'DataCloneError');
    });
    const cancelled = vi.fn();
    const source = make(
      new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(8)), cancel: cancelled }),
    );
    const abort = new AbortController();
    const loading = worker.loadTFLiteModel(source, { signal: abort.signal });
    await new Promise((resolve) => setTimeout(resolve, 10));
    abort.abort(new Error('enough'));
    await expect(loading).rejects.toThrow('enough');
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });

  it('is no page of a server that has none', async () => {
    const { worker } = await load();
    const loading = worker.loadTFLiteModel(new Response('gone', { status: 410 }));
    await expect(loading).rejects.toThrow(ModelFetchError);
    await expect(loading).rejects.toThrow(/HTTP 410/);
  });

  it.each(['before', 'after'])('is freed with its worker, and so is its state: dispose() %s it ends', async (when) => {
    const { worker, model } = await load(TOTAL_DIRECT, () => totalRunner(TOTAL_DIRECT));
    const state = await model.createState();
    if (when === 'after') worker.dispose();
    const freeing = [state.dispose(), model.dispose()];
    if (when === 'before') worker.dispose();
    expect(await Promise.all(freeing)).toEqual([undefined, undefined]);
  });

  it('ends with its worker', async () => {
    const { worker, model } = await load();
    const run = model.run(item(0));
    worker.dispose();
    await expect(run).rejects.toThrow(ModelDisposedError);
    await expect(model.run(item(0))).rejects.toThrow('The worker has been disposed. Make a new TFLiteWorker.');
    await expect(worker.loadTFLiteModel(new Uint8Array(8))).rejects.toThrow(ModelDisposedError);
  });
});

describe('a state in a worker', () => {
  const loadTotal = () => load(TOTAL_DIRECT, () => totalRunner(TOTAL_DIRECT));

  it('persists there between runs, separate from others', async () => {
    const { model } = await loadTotal();
    const [first, second] = [await model.createState(), await model.createState()];
    expect(first.tensors.map(({ name }) => name)).toEqual(['total']);
    const step = async (state: typeof first, x: number) =>
      (await model.runSignature('step', { x: item(x) }, { state })).y?.data[0];
    expect([await step(first, 2), await step(second, 5), await step(first, 3)]).toEqual([4, 25, 15]);
    expect(await first.read('total')).toEqual(item(5));
    const provided = item(0);
    expect(await second.read('total', provided)).toBe(provided);
    expect(provided).toEqual(item(5));
    expect(await first.read('total')).toEqual(item(5)); // reading moves a copy
  });

  it('accepts values of the caller, and is reset', async () => {
    const { model } = await loadTotal();
    const state = await model.createState();
    const values = item(7);
    await state.write('total', values);
    expect(values).toEqual(item(7));
    expect(await state.read('total')).toEqual(values);
    await state.reset();
    expect(await state.read('total')).toEqual(item(0));
    await expect(state.read('sum')).rejects.toThrow(StateError);
  });

  it('is of no use when it is freed, nor to another model', async () => {
    const { model, worker } = await loadTotal();
    const state = await model.createState();
    const other = await worker.loadTFLiteModel(new Uint8Array(8));
    await expect(other.run({ x: item(1) }, { state })).rejects.toThrow(StateError);
    await state.dispose();
    await state.dispose();
    for (const use of [() => state.read('total'), () => state.reset(), () => model.run({ x: item(1) }, { state })]) {
      await expect(use()).rejects.toThrow(ModelDisposedError);
    }
  });
});

describe('a worker that fails', () => {
  it.each([
    [
      Object.assign(new Event('error'), { message: 'out of memory' }),
      /^The worker failed: out of memory\. .*TFLiteWorker/,
    ],
    [new Event('error'), /^The worker failed to start\. Is the package's model_worker\.mjs next to its index\.mjs\?/],
    [new Event('messageerror'), /^A message to or from the worker could not be read\.$/],
  ])('ends what waits for it', async (event, message) => {
    const { model, thread } = await load();
    const running = model.run(item(1));
    thread.dispatchEvent(event);
    await expect(running).rejects.toThrow(message);
    await expect(model.run(item(1))).rejects.toThrow(WorkerFailedError);
  });
});

describe('a worker that goes on', () => {
  it('after a stray exception, with its models', async () => {
    const { model, thread } = await load();
    const event = Object.assign(new Event('error'), { message: 'stray', filename: 'https://page.example/other.mjs' });
    const running = model.run(item(1));
    thread.dispatchEvent(event);
    await running;
    await model.run(item(1));
  });

  it('but not if its script fails before it has responded', async () => {
    const { port2 } = new MessageChannel();
    ports.push(port2);
    const worker = new TFLiteWorker({ worker: Object.assign(port2, { terminate() {} }) as unknown as Worker });
    const loading = worker.loadTFLiteModel(new Uint8Array(8));
    await Promise.resolve();
    port2.dispatchEvent(Object.assign(new Event('error'), { message: 'bad syntax', filename: 'worker.mjs' }));
    await expect(loading).rejects.toThrow('The worker failed: bad syntax');
  });
});

describe('what is passed to a worker', () => {
  it('is freed when the loading is aborted in its last moment', async () => {
    const { worker, context } = await load();
    const before = leftOn(context).length;
    const abort = new AbortController();
    const spied = vi.spyOn(WorkerConnection.prototype, 'call').mockImplementationOnce(async (calling) => {
      const info = await calling;
      abort.abort(new Error('enough'));
      return info;
    });
    const loading = worker.loadTFLiteModel(new Uint8Array(8), { signal: abort.signal });
    await expect(loading).rejects.toThrow('enough');
    spied.mockRestore();
    await vi.waitFor(() => expect(leftOn(context).length).toBe(before));
  });

  it.each([[null], [undefined], [7], [new Map()], [Symbol('model')]])('has to be a model: %s', async (source) => {
    const { worker } = await load();
    await expect(worker.loadTFLiteModel(source as unknown as string)).rejects.toThrow(ModelFetchError);
  });

  it('may be a buffer that was transferred: then it is empty', async () => {
    const { worker } = await load();
    const bytes = new ArrayBuffer(8);
    structuredClone(bytes, { transfer: [bytes] });
    await worker.loadTFLiteModel(bytes, { transfer: true });
    expect((arrived.at(-1) as Uint8Array).byteLength).toBe(0);
  });

  it('may be shared memory', async () => {
    const { worker } = await load();
    await worker.loadTFLiteModel(new SharedArrayBuffer(8) as unknown as ArrayBuffer, { transfer: true });
    expect((arrived.at(-1) as Uint8Array).byteLength).toBe(8);
  });

  it('may not be a stream that another reader has', async () => {
    const { worker } = await load();
    const stream = new ReadableStream<Uint8Array>();
    stream.getReader();
    await expect(worker.loadTFLiteModel(stream)).rejects.toThrow(ModelFetchError);
  });

  it('may have the address of a helper', async () => {
    const { worker } = await load();
    const blockingHelper = new URL('https://page.example/webnn_helper.mjs');
    await worker.loadTFLiteModel(new Uint8Array(8), { webnnDelegateOptions: { blocking: true, blockingHelper } });
    const webnnDelegateOptions = { blocking: true, blockingHelper: blockingHelper.href };
    expect(arrivedOptions.at(-1)).toMatchObject({ webnnDelegateOptions });
  });

  it('is named if it cannot be cloned', async () => {
    const { worker } = await load();
    const blockingHelper = { postMessage() {} } as unknown as Worker;
    const loading = worker.loadTFLiteModel(new Uint8Array(8), { webnnDelegateOptions: { blockingHelper } });
    await expect(loading).rejects.toThrow(OptionError);
    await expect(loading).rejects.toThrow('cannot be sent to the worker');
  });
});

describe('errors between threads', () => {
  it('keep class, code, details and cause', () => {
    const cause = new DOMException('no memory', 'OperationError');
    const sent = new TensorError('TENSOR_IO_UNAVAILABLE', 'not here', { cause, details: { executionMode: 'cpu' } });
    const received = errorOf(structuredClone(textOf(sent)));
    expect(received).toBeInstanceOf(TensorError);
    expect(received).toMatchObject({ ...sent, message: 'not here', stack: sent.stack });
    expect(received.cause).toMatchObject({ name: 'OperationError', message: 'no memory' });
  });

  it('may be anything that was thrown', () => {
    expect(errorOf(structuredClone(textOf('text')))).toMatchObject({ name: 'Error', message: 'text' });
  });
});
