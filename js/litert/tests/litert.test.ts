/** The functions of LiteRT.js on the real wasm module in Node. Skipped, with the reason, where it is not built. */

import { existsSync } from 'node:fs';
import * as tflite from 'tflite-webnn';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expected, SIN_MODEL, writeModel } from '../../runtime/tests/fakes/index.js';
import * as litert from '../src/index.js';

const wasmFolder = new URL('../../../build/wasm/', import.meta.url);
const moduleUrl = new URL('simd/tflite_webnn.mjs', wasmFolder);
const isBuilt = existsSync(moduleUrl);
if (!isBuilt) console.warn(`skipped: ${moduleUrl.pathname} is not there; python3 build.py build makes it`);

const MODEL = writeModel(SIN_MODEL);
const X = [0, 1, 2, -3];

beforeEach(async () => {
  tflite.setWasmPath(wasmFolder.href);
  await litert.loadLiteRt();
});

afterEach(() => {
  litert.unloadLiteRt();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe.skipIf(!isBuilt)('on the real wasm module', () => {
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

  it("refuses inputs in the runtime's words", async () => {
    const model = await litert.loadAndCompile(MODEL);
    await expect(model.run(new litert.Tensor(Int32Array.from(X)))).rejects.toThrow(tflite.InputDTypeError);
    await expect(model.run(new litert.Tensor(new Float32Array(4), [2, 2]))).rejects.toThrow(tflite.InputShapeError);
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

  it('is loaded once, with the options of the last call', async () => {
    vi.stubGlobal('navigator', { hardwareConcurrency: 6 });
    const again = await litert.loadLiteRt('/anywhere/', { threads: true });
    expect(again).toBe(litert.getGlobalLiteRt());
    const model = await litert.loadAndCompile(MODEL, { accelerator: 'wasm' });
    expect(model.options.cpuOptions).toEqual({ numThreads: 6 });
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

  it('asks for a GPU where no accelerator is named', async () => {
    const adapters = [{ info: { isFallbackAdapter: true } }, { info: {} }];
    vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => adapters.shift() ?? null } });
    expect(litert.isWebGPUSupported()).toBe(true);
    const { hasGpu } = await import('../src/features.js');
    expect([await hasGpu(), await hasGpu(), await hasGpu()]).toEqual([false, true, false]);
  });

  it('knows features by their names', async () => {
    expect(await litert.supportsFeature('webnn')).toBe(false);
    const { relaxedSimd, threads } = await tflite.getWasmFeatures();
    expect(await litert.supportsFeature('relaxedSimd')).toBe(relaxedSimd);
    expect(await litert.supportsFeature('threads')).toBe(threads);
    await expect(litert.supportsFeature('magic' as never)).rejects.toThrow('one of relaxedSimd, threads, jspi, webnn');
  });
});
