/** The functions of LiteRT.js on the real wasm module in Node. Skipped, with the reason, where it is not built. */

import { availableParallelism } from 'node:os';
import * as litert from '@tflite-webnn/compat-litert';
import * as tflite from 'tflite-webnn';
import { expected, SIN_MODEL, writeModel } from 'tflite-webnn/fakes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnModule, wasmDirectory } from '../../../built_module.js';

// vitest.config.ts replaces the package by a module whose loader a test can replace.
const { loader } = tflite as unknown as {
  loader: { load: typeof tflite.loadTFLiteModel; preload: typeof tflite.preloadTFLite };
};

const MODEL = writeModel(SIN_MODEL);
const X = [0, 1, 2, -3];

beforeEach(async () => {
  tflite.setWasmPath(wasmDirectory.href);
  await litert.loadLiteRt();
});

afterEach(() => {
  litert.unloadLiteRt();
});

describeOnModule('on the real wasm module', () => {
  it('runs, and says what it ran on', async () => {
    const model = await litert.loadAndCompile(MODEL);
    expect(model.options).toMatchObject({ accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
    const [output] = await model.run(new litert.Tensor(Float32Array.from(X), [4]));
    const values = [...(output as litert.Tensor).toTypedArray()];
    expect(values).toEqual(expected(X).map((value) => expect.closeTo(value, 5)));
    expect(model.isFullyAccelerated).toBe(true);
  });

  it('warns once where there is no WebNN', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const models = await Promise.all([1, 2].map(() => litert.loadAndCompile(MODEL, { accelerator: 'webnn' })));
    expect(models.map(({ isFullyAccelerated }) => isFullyAccelerated)).toEqual([false, false]);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("models for 'webnn' run on the CPU: this browser has no WebNN")],
    ]);
  });

  it("rejects inputs with the runtime's messages", async () => {
    const model = await litert.loadAndCompile(MODEL);
    await expect(model.run(new litert.Tensor(Int32Array.from(X)))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_DTYPE' }),
    );
    await expect(model.run(new litert.Tensor(new Float32Array(4), [2, 2]))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    await expect(model.run('none', [])).rejects.toThrow(tflite.SignatureError);
    await expect(litert.loadAndCompile(new Uint8Array(64))).rejects.toThrow(tflite.NotATFLiteModelError);
    await expect(litert.loadAndCompile(42 as never)).rejects.toThrow(tflite.ModelFetchError);
  });

  it('reads a model from a reader', async () => {
    const reader = new Blob([MODEL as BlobPart]).stream().getReader();
    expect((await litert.loadAndCompile(reader)).getInputDetails()).toHaveLength(1);
  });

  it('frees models when it is unloaded', async () => {
    const model = await litert.loadAndCompile(MODEL);
    litert.unloadLiteRt();
    expect(model.deleted).toBe(true);
    expect(() => litert.loadAndCompile(MODEL)).toThrow(litert.LiteRtNotLoadedError);
    expect(litert.getGlobalLiteRtPromise()).toBeUndefined();
  });
});

describe('models are loaded', () => {
  function fakeModels(parts: object = {}) {
    const disposed = vi.fn();
    const report = { webnn: { used: true, reason: null }, threads: { reason: null } };
    const empty = {
      inputs: [],
      outputs: [],
      signatures: [],
      subgraphs: [],
      executionMode: 'direct',
      report: async () => report,
    };
    const model = { ...empty, dispose: disposed, ...parts } as unknown as tflite.TFLiteModel;
    return { load: vi.spyOn(loader, 'load').mockResolvedValue(model), disposed };
  }

  const onGpu = { enableWebnnDelegate: true, webnnDelegateOptions: { devicePreference: 'gpu' } };

  it('by a library that is loaded once, with the options of the last call', async () => {
    const { load } = fakeModels();
    vi.stubGlobal('navigator', { hardwareConcurrency: 6 });
    const again = await litert.loadLiteRt('/anywhere/', { threads: true });
    expect(again).toBe(litert.getGlobalLiteRt());
    const model = await litert.loadAndCompile('m.tflite', { accelerator: 'wasm' });
    expect(model.options.cpuOptions).toEqual({ numThreads: 6 });
    expect(load).toHaveBeenLastCalledWith('m.tflite', { numThreads: 6, device: 'cpu' });
  });

  it('for a GPU where there is one, else for the CPU', async () => {
    const { load } = fakeModels();
    const model = await litert.loadAndCompile('m.tflite');
    expect(load).toHaveBeenLastCalledWith('m.tflite', { numThreads: 1, device: 'cpu' });
    const { environment, ...options } = model.options;
    expect(environment).toBe(litert.getDefaultEnvironment());
    expect(options).toEqual({
      accelerator: 'wasm',
      cpuOptions: { numThreads: 1 },
      gpuOptions: {},
      webNNOptions: {},
    });
    vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => ({}) } });
    await litert.loadAndCompile('m.tflite');
    expect(load).toHaveBeenLastCalledWith('m.tflite', { numThreads: 1, ...onGpu });
    vi.unstubAllGlobals();
    const device = await litert.Environment.create({ webGpuDevice: {} as GPUDevice });
    await litert.loadAndCompile('m.tflite', { environment: device, cpuOptions: { numThreads: 3 } });
    expect(load).toHaveBeenLastCalledWith('m.tflite', { numThreads: 3, ...onGpu });
    litert.getGlobalLiteRt().setDefaultEnvironment(device);
    expect((await litert.loadAndCompile('m.tflite')).options).toMatchObject({
      accelerator: 'webgpu',
      environment: device,
    });
    const provided = {
      accelerator: 'webnn',
      gpuOptions: { precision: 'fp16' },
      webNNOptions: { precision: 'fp32' },
    } as const;
    expect((await litert.loadAndCompile('m.tflite', provided)).options).toMatchObject(provided);
  });

  it.each([
    ['direct', true],
    ['stepped', false],
  ])('and say whether all of them is on WebNN: %s', async (executionMode, isAll) => {
    fakeModels({ executionMode });
    expect((await litert.loadAndCompile('m.tflite', { accelerator: 'webnn' })).isFullyAccelerated).toBe(isAll);
    expect((await litert.loadAndCompile('m.tflite', { accelerator: 'wasm' })).isFullyAccelerated).toBe(true);
  });

  it('with a warning, once for each reason', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const threads = { reason: null };
    for (const report of [
      { webnn: { used: false, reason: 'it rains' }, threads },
      { webnn: { used: false, reason: null }, threads },
      { webnn: { used: true, reason: null }, threads: { reason: 'the page is not isolated' }, variant: 'simd' },
      { webnn: { used: true, reason: null }, threads: { reason: 'runs are short' }, variant: 'simd-threads' },
    ]) {
      fakeModels({ report: async () => report });
      for (const accelerator of ['webgpu', 'webgpu', 'wasm'] as const) {
        await litert.loadAndCompile('m.tflite', { accelerator });
      }
    }
    expect(warn.mock.calls.flat()).toEqual([
      "tflite-webnn/litert: models for 'webgpu' run on the CPU: it rains",
      "tflite-webnn/litert: models for 'webgpu' run on the CPU: WebNN accepted none of their nodes",
      'tflite-webnn/litert: models run on one thread: the page is not isolated',
    ]);
  });

  it('from a reader, which is canceled', async () => {
    const { load } = fakeModels();
    const bytes = [Uint8Array.of(1, 2), Uint8Array.of(3)];
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = bytes.shift();
        if (next) controller.enqueue(next);
        else controller.close();
      },
    });
    await litert.loadAndCompile(source.getReader());
    const provided = () => load.mock.calls.at(-1)?.[0] as ReadableStream<Uint8Array>;
    expect(new Uint8Array(await new Response(provided()).arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
    const cancel = vi.fn();
    await litert.loadAndCompile(new ReadableStream({ cancel }).getReader());
    await provided().cancel('enough');
    expect(cancel).toHaveBeenCalledWith('enough');
  });

  it('and freed once', async () => {
    const { disposed } = fakeModels();
    const [one] = await Promise.all([1, 2].map(() => litert.loadAndCompile('m.tflite')));
    one?.delete();
    litert.unloadLiteRt();
    expect(disposed).toHaveBeenCalledTimes(2);
    litert.unloadLiteRt();
    expect(disposed).toHaveBeenCalledTimes(2);
  });
});

describe('loadLiteRt()', () => {
  it.each([
    [{ threads: true }, { hardwareConcurrency: 8 }, 8],
    [{ threads: true }, {}, availableParallelism()],
    [{ threads: true }, { hardwareConcurrency: 0 }, 1],
    [{}, { hardwareConcurrency: 8 }, 1],
  ])('begins to load the module: %j, %j', async (options, navigator, numThreads) => {
    const preload = vi.spyOn(loader, 'preload').mockRejectedValue(new Error('the first model meets it again'));
    vi.stubGlobal('navigator', navigator);
    litert.unloadLiteRt();
    const [first, again] = [litert.loadLiteRt('', options), litert.getGlobalLiteRtPromise()];
    expect(preload).toHaveBeenLastCalledWith({ numThreads });
    expect(await first).toBe(await again);
    expect(await first).toBe(litert.getGlobalLiteRt());
  });

  it('is needed before anything else', () => {
    litert.unloadLiteRt();
    for (const use of [litert.getGlobalLiteRt, litert.getDefaultEnvironment, litert.getWebGpuDevice]) {
      expect(use).toThrow(litert.LiteRtNotLoadedError);
      expect(use).toThrow('LiteRT is not loaded: await loadLiteRt().');
    }
  });
});

describe('the environment', () => {
  it('remembers the device of the page, and models are for a GPU then', async () => {
    const device = {} as GPUDevice;
    expect(litert.getWebGpuDevice()).toBeNull();
    litert.setWebGpuDevice(device);
    expect(litert.getWebGpuDevice()).toBe(device);
    expect(litert.getDefaultEnvironment().options).toEqual({ webGpuDevice: device });
  });

  it('requests a GPU where no accelerator is named', async () => {
    const adapters = [{ info: { isFallbackAdapter: true } }, { info: {} }];
    vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => adapters.shift() ?? null } });
    expect(litert.isWebGPUSupported()).toBe(true);
    const { hasGpu } = await import('../src/environment.js');
    expect([await hasGpu(), await hasGpu(), await hasGpu()]).toEqual([false, true, false]);
    vi.stubGlobal('navigator', { gpu: { requestAdapter: () => Promise.reject(new Error('no GPU')) } });
    expect(await hasGpu()).toBe(false);
    for (const navigator of [{}, undefined]) {
      vi.stubGlobal('navigator', navigator);
      expect([litert.isWebGPUSupported(), await hasGpu()]).toEqual([false, false]);
    }
  });

  it('knows features by their names', async () => {
    expect(await litert.supportsFeature('webnn')).toBe(false);
    vi.stubGlobal('navigator', { ml: {} });
    expect(await litert.supportsFeature('webnn')).toBe(true);
    expect(await litert.supportsFeature('jspi')).toBe('Suspending' in WebAssembly);
    vi.stubGlobal('WebAssembly', { Suspending: class {} });
    expect(await litert.supportsFeature('jspi')).toBe(true);
    vi.unstubAllGlobals();
    await expect(litert.supportsFeature('toString' as never)).rejects.toThrow('there is no feature "toString"');
    const { relaxedSimd, threads } = await tflite.getWasmFeatures();
    expect(await litert.supportsFeature('relaxedSimd')).toBe(relaxedSimd);
    expect(await litert.supportsFeature('threads')).toBe(threads);
    await expect(litert.supportsFeature('magic' as never)).rejects.toThrow('one of relaxedSimd, threads, jspi, webnn');
  });
});

describe('errors', () => {
  it.each([
    [new litert.LiteRtNotLoadedError(), 'LiteRtNotLoadedError', 'LITERT_NOT_LOADED'],
    [new litert.LiteRtUnsupportedError(''), 'LiteRtUnsupportedError', 'LITERT_UNSUPPORTED'],
  ])('have a name and a code (%s)', (error, name, code) => {
    expect(error).toMatchObject({ name, code });
  });
});
