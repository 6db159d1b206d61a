import { afterEach, describe, expect, it, vi } from 'vitest';
import { gpuEngines } from '../src/webnn/webnn_context.js';

interface Browser {
  /** What WebGPU returns; undefined where there is no WebGPU. */
  readonly adapter?: object | null | Error;
  /** Whether WebGL 2 runs on hardware; undefined where there is no OffscreenCanvas. */
  readonly webgl?: boolean;
}

const loseContext = vi.fn();

function pretend({ adapter, webgl }: Browser): void {
  const requestAdapter = async () => {
    if (adapter instanceof Error) throw adapter;
    return adapter;
  };
  vi.stubGlobal('navigator', adapter === undefined ? {} : { gpu: { requestAdapter } });
  const context = { getExtension: () => ({ loseContext }) };
  const canvas = class {
    getContext(_: string, { failIfMajorPerformanceCaveat }: { failIfMajorPerformanceCaveat: boolean }) {
      return webgl || !failIfMajorPerformanceCaveat ? context : null;
    }
  };
  vi.stubGlobal('OffscreenCanvas', webgl === undefined ? undefined : canvas);
}

afterEach(() => {
  loseContext.mockClear();
});

describe('gpuEngines', () => {
  it.each<[string, Browser, string[]]>([
    ['a GPU', { adapter: { info: { isFallbackAdapter: false } }, webgl: true }, ['webgpu', 'webgl']],
    ['a GPU, as the first browsers reported it', { adapter: { isFallbackAdapter: false } }, ['webgpu']],
    ['an adapter that says nothing', { adapter: {} }, ['webgpu']],
    ['software', { adapter: { info: { isFallbackAdapter: true } }, webgl: false }, []],
    ['software, as the first browsers reported it', { adapter: { isFallbackAdapter: true } }, []],
    ['no adapter, but WebGL', { adapter: null, webgl: true }, ['webgl']],
    ['a WebGPU that fails', { adapter: new Error('the GPU process is gone') }, []],
    ['neither', {}, []],
  ])('%s', async (_, browser, engines) => {
    pretend(browser);
    expect(await gpuEngines()).toEqual(engines);
  });

  it('releases the context with which it looked', async () => {
    pretend({ webgl: true });
    await gpuEngines();
    expect(loseContext).toHaveBeenCalledOnce();
  });
});
