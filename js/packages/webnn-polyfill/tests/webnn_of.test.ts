import { describe, expect, it, vi } from 'vitest';
import { type InstallOptions, install, type TFLiteEngineOptions, tfliteEngine, webnnOf } from 'webnn-polyfill';
import { FakeEngine } from './fakes/engine.js';

describe('webnnOf', () => {
  it('returns WebNN on a new object, and installs nothing', async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    const scope = webnnOf(new FakeEngine());
    expect(scope.navigator?.ml?.polyfill).toMatchObject({ engine: new FakeEngine().name });
    expect(scope.MLGraphBuilder).toBeTypeOf('function');
    expect(await scope.navigator?.ml?.createContext()).toBeInstanceOf(scope.MLContext as new () => object);
    expect(Object.getOwnPropertyDescriptor(globalThis, 'navigator')).toEqual(before);
    expect(globalThis).not.toHaveProperty('MLGraphBuilder');
  });

  it('knows its engines by name', () => {
    expect(() => webnnOf('abacus' as 'tflite')).toThrow('is one of tflite, webgpu, webgl, or an object with open()');
  });
});

describe('options', () => {
  it.each([
    [{ engin: 'webgpu' }, 'there is no option "engin": did you mean engine?'],
    [{ device: 'gpu' }, 'there is no option "device": it is one of engine, force'],
    [{ engine: 'WebGPU' }, 'is one of tflite, webgpu, webgl, or an object with open(); got "WebGPU"'],
    [{ engine: {} }, 'or an object with open(); got [object Object]'],
    [{ force: 1 }, 'is true or false; got 1'],
    ['webgpu', 'the options are an object; got "webgpu"'],
  ])('of install() are checked, and nothing is installed: %j', async (options, message) => {
    await expect(install(options as InstallOptions)).rejects.toThrow(message);
    expect(globalThis).not.toHaveProperty('MLGraphBuilder');
  });

  it.each([
    [{ wasmpath: '/wasm/' }, 'did you mean wasmPath?'],
    [{ thread: 'main' }, 'is one of own, worker, auto; got "main"'],
    [{ workerUrl: 3 }, 'is a string or a URL; got 3'],
    [{ variant: 'simd-threads' }, 'is one of auto, simd, relaxed-simd;'],
  ])('of tfliteEngine() are checked: %j', (options, message) => {
    expect(() => tfliteEngine(options as TFLiteEngineOptions)).toThrow(message);
  });
});

it('defines the name GPUDevice, which clients use in browsers without WebGPU, too', () => {
  const scope = webnnOf(new FakeEngine());
  const { GPUDevice } = scope as { GPUDevice: new () => object };
  expect({} instanceof GPUDevice).toBe(false);
  expect(() => new GPUDevice()).toThrow('Illegal constructor');
  expect(Object.keys(scope)).not.toContain('GPUDevice');
  class OfBrowser {}
  vi.stubGlobal('GPUDevice', OfBrowser);
  expect(webnnOf(new FakeEngine())).not.toHaveProperty('GPUDevice');
});

it('starts no worker for a directory that is no address', async () => {
  const started = vi.fn();
  vi.stubGlobal('Worker', started);
  vi.stubGlobal('location', { href: 'https://page.example/' });
  vi.stubGlobal('origin', 'https://page.example');
  const engine = tfliteEngine({ thread: 'worker', wasmPath: 'http://[', workerUrl: 'https://page.example/w.mjs' });
  await expect(engine.open({} as never)).rejects.toThrow('Invalid URL');
  expect(started).not.toHaveBeenCalled();
});
