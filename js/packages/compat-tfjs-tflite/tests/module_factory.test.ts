/** The global that `@tensorflow/tfjs-tflite` calls. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebApiModule } from '../src/web_api_module.js';

const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

type Locate = (name: string, directory: string) => string;
type Factory = (moduleArguments?: { locateFile: Locate }) => Promise<WebApiModule>;

async function factory(): Promise<Factory> {
  await import('../src/module_factory.js');
  return (globalThis as unknown as { tflite_web_api_ModuleFactory: Factory }).tflite_web_api_ModuleFactory;
}

// The features of a browser are found once for all of a worker's files.
beforeEach(() => {
  vi.resetModules();
});

afterEach(() => {
  vi.resetModules();
});

describe('tflite_web_api_ModuleFactory', () => {
  it("fetches the module from the client's address, and has a heap", async () => {
    const fetched = vi.fn(async (_url: URL) => new Response(EMPTY_MODULE));
    vi.stubGlobal('fetch', fetched);
    const locateFile = vi.fn<Locate>((name) => `https://example.com/files/${name}`);
    const module = await (await factory())({ locateFile });
    const { calls } = await import('./fakes/emscripten_module.js');
    expect(locateFile.mock.calls[0]?.[0]).toBe('tflite_web_api_cc_simd.wasm');
    expect(String(fetched.mock.calls[0]?.[0])).toBe('https://example.com/files/tflite_web_api_cc_simd.wasm');
    expect(module.HEAPU8.length).toBe(16);
    expect(calls).toHaveLength(1);
  });

  it('reports a browser without SIMD', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    const starting = (await factory())();
    await expect(starting).rejects.toThrow(/WebAssembly SIMD/);
    await expect(starting).rejects.toMatchObject({ name: 'WasmLoadError' });
  });
});
