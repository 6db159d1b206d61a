import type { PolyfillEngine, WebnnDelegateOptions } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { chooseWebnn, openWebnn } from '../src/webnn/webnn_context.js';
import type { ML } from '../src/webnn_types.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

const GPU: WebnnDelegateOptions = { devicePreference: 'gpu' };

/** A browser whose own WebNN works or not, with these ways to a GPU and these engines that start. */
function environment(native: boolean, gpu: ('webgpu' | 'webgl')[] = [], works: PolyfillEngine[] = []) {
  const mlOf = (polyfill?: ML['polyfill']): ML => ({
    ...(polyfill && { polyfill }),
    createContext: async () => new FakeContext(),
  });
  const loadPolyfill = vi.fn(async (engine: PolyfillEngine) => {
    if (!works.includes(engine)) throw new Error(`${engine} does not start`);
    return { navigator: { ml: mlOf({ engine, version: '1.2.3' }) }, MLGraphBuilder: FakeGraphBuilder };
  });
  const globals = native ? { navigator: { ml: mlOf() }, MLGraphBuilder: FakeGraphBuilder } : {};
  const open: typeof openWebnn = (options, provided = globals) => openWebnn(options, provided);
  return { openWebnn: open, gpuEngines: async () => gpu, loadPolyfill };
}

describe('chooseWebnn', () => {
  it("accepts the browser's WebNN where it works", async () => {
    const here = environment(true, ['webgpu'], ['webgpu']);
    expect(await chooseWebnn(GPU, undefined, here)).toMatchObject({ backend: null, owned: true });
    expect(here.loadPolyfill).not.toHaveBeenCalled();
  });

  it('accepts the polyfill on a GPU that is requested and there', async () => {
    const webgpu = await chooseWebnn(GPU, undefined, environment(false, ['webgpu', 'webgl'], ['webgpu', 'webgl']));
    expect(webgpu).toMatchObject({ backend: 'polyfill 1.2.3, webgpu' });
    const webgl = await chooseWebnn(GPU, undefined, environment(false, ['webgpu', 'webgl'], ['webgl']));
    expect(webgl).toMatchObject({ backend: 'polyfill 1.2.3, webgl' });
  });

  it('reports all reasons if nothing works', async () => {
    expect(await chooseWebnn(GPU, undefined, environment(false, ['webgl']))).toEqual({
      context: null,
      reason: expect.stringMatching(
        /navigator\.ml is missing.*; the polyfill \(webgl\) is not available: Error: webgl does not start/,
      ),
    });
  });

  it('leaves a model to XNNPACK where no GPU is requested, and where the polyfill is not requested', async () => {
    const here = environment(false, ['webgpu'], ['webgpu', 'tflite']);
    expect(await chooseWebnn({}, undefined, here)).toMatchObject({ context: null });
    expect(await chooseWebnn({ ...GPU, polyfill: 'never' }, undefined, here)).toMatchObject({ context: null });
    expect(here.loadPolyfill).not.toHaveBeenCalled();
  });

  it('accepts the engine that is requested, whatever the browser has', async () => {
    const here = environment(true, [], ['tflite']);
    expect(await chooseWebnn({ polyfill: 'tflite' }, '/wasm/', here)).toMatchObject({
      backend: 'polyfill 1.2.3, tflite',
    });
    expect(here.loadPolyfill).toHaveBeenCalledWith('tflite', '/wasm/');
    const rejected = await chooseWebnn({ polyfill: 'webgl' }, undefined, here);
    expect(rejected).toMatchObject({ context: null, reason: expect.stringContaining('webgl') });
  });

  it("accepts the caller's context", async () => {
    const context = new FakeContext();
    const here = environment(true, ['webgpu'], ['webgpu']);
    expect(await chooseWebnn({ ...GPU, context, polyfill: 'tflite' }, undefined, here)).toMatchObject({ context });
  });
});
