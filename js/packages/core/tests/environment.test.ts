/** What comes from outside: WebNN, the model file, the wasm files, the browser's features. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelFetchError, NotATFLiteModelError } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { fetchModel } from '../src/load/model_source.js';
import { loadWasmModule } from '../src/wasm/wasm_module.js';
import { chooseVariant } from '../src/wasm/wasm_variants.js';
import { BugGuard } from '../src/webnn/context_losses.js';
import { contextOptions, openWebnn } from '../src/webnn/webnn_context.js';
import type { ML, MLContextOptions } from '../src/webnn_types.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

function globalsWith(createContext: ML['createContext']) {
  return { navigator: { ml: { createContext } }, MLGraphBuilder: FakeGraphBuilder, isSecureContext: true };
}

describe('openWebnn', () => {
  it('requests in all the terms that browsers understand', async () => {
    const requested: (MLContextOptions | undefined)[] = [];
    const context = new FakeContext();
    const globals = globalsWith(async (options) => {
      requested.push(options);
      return context;
    });
    const webnn = await openWebnn({ devicePreference: 'npu', powerPreference: 'low-power' }, globals);
    expect(requested).toEqual([{ deviceType: 'npu', accelerated: true, powerPreference: 'low-power' }]);
    expect(webnn).toMatchObject({ context, owned: true });
    expect(contextOptions({})).toEqual({ powerPreference: 'default' });
    expect(contextOptions({ devicePreference: 'cpu' })).toMatchObject({ deviceType: 'cpu', accelerated: false });
  });

  it("accepts the caller's context and does not own it", async () => {
    const context = new FakeContext();
    const webnn = await openWebnn({ context }, { MLGraphBuilder: FakeGraphBuilder });
    expect(webnn).toMatchObject({ context, owned: false });
  });

  it('requests a context while it reads which bugs are known, and waits for both', async () => {
    const requested = vi.fn(async () => new FakeContext());
    let known = () => {};
    const guard = new BugGuard();
    vi.spyOn(guard, 'load').mockReturnValue(new Promise((resolve) => (known = resolve)));
    const opening = openWebnn({}, globalsWith(requested), guard);
    expect(requested).toHaveBeenCalled();
    const first = await Promise.race([opening, new Promise((resolve) => setTimeout(resolve, 5, 'waits'))]);
    expect(first).toBe('waits');
    known();
    expect(await opening).toMatchObject({ guard });
  });

  it('says why there is none', async () => {
    const reject = globalsWith(() => Promise.reject(new DOMException('not on this machine', 'NotSupportedError')));
    expect(await openWebnn({}, reject)).toEqual({
      context: null,
      reason: 'the browser provided no usable WebNN context: NotSupportedError: not on this machine',
    });
    expect(await openWebnn({}, { isSecureContext: true })).toMatchObject({
      reason: expect.stringContaining('navigator.ml is missing'),
    });
    expect(await openWebnn({}, { isSecureContext: false })).toMatchObject({ reason: expect.stringContaining('https') });
    const { navigator } = reject;
    expect(await openWebnn({}, { navigator })).toMatchObject({
      reason: expect.stringContaining('MLGraphBuilder is missing'),
    });
  });

  it('does not use a context of the old API, and destroys it', async () => {
    const old = new FakeContext();
    const destroyed = vi.spyOn(old, 'destroy');
    (old as { opSupportLimits?: unknown }).opSupportLimits = undefined;
    expect(
      await openWebnn(
        {},
        globalsWith(async () => old),
      ),
    ).toMatchObject({ context: null });
    expect(destroyed).toHaveBeenCalledOnce();
    await openWebnn({ context: old }, { MLGraphBuilder: FakeGraphBuilder });
    expect(destroyed).toHaveBeenCalledOnce(); // the caller's
  });
});

describe('fetchModel', () => {
  it('accepts bytes, and fetches addresses', async () => {
    const bytes = Uint8Array.of(28, 0, 0, 0, 0x54, 0x46, 0x4c, 0x33, 1, 2);
    expect(await fetchModel(bytes)).toBe(bytes);
    expect(await fetchModel(bytes.buffer)).toEqual(bytes);
    expect(await fetchModel(new Response(bytes))).toEqual(bytes);
    const fetched = vi.fn(async () => new Response(bytes));
    vi.stubGlobal('fetch', fetched);
    expect(await fetchModel(new URL('https://example.com/m.tflite'))).toEqual(bytes);
    expect(fetched).toHaveBeenCalledWith('https://example.com/m.tflite', { signal: expect.any(AbortSignal) });
  });

  it('accepts bytes that were transferred for none', async () => {
    const view = new Uint8Array(8);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    for (const bytes of [view, view.buffer]) {
      await expect(fetchModel(bytes)).rejects.toThrow(NotATFLiteModelError);
      await expect(fetchModel(bytes)).rejects.toThrow(/A buffer that was transferred is empty/);
    }
  });

  it('names the status of a failed request', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404, statusText: 'Not Found' }));
    const error = await fetchModel('m.tflite').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFetchError);
    expect(error).toMatchObject({
      status: 404,
      message: expect.stringContaining('m.tflite: the server responded with HTTP 404'),
    });
  });

  it('reports a missing response, a broken body, or a wrong source', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(fetchModel('m.tflite')).rejects.toMatchObject({ status: null, cause: expect.any(TypeError) });
    const used = new Response('x');
    await used.text();
    await expect(fetchModel(used)).rejects.toThrow(/broke off/);
    await expect(fetchModel(5 as never)).rejects.toThrow(ModelFetchError);
  });
});

describe('chooseVariant', () => {
  const all = { simd: true, relaxedSimd: true, threads: true };
  const packaged = ['simd', 'relaxed-simd'] as const;

  it('accepts the fastest one that is there and can run', () => {
    expect(chooseVariant('auto', all, 1, packaged)).toBe('relaxed-simd');
    expect(chooseVariant('auto', all, 1, ['simd'])).toBe('simd');
    expect(chooseVariant('auto', { ...all, relaxedSimd: false }, 1, packaged)).toBe('simd');
    expect(chooseVariant('simd', all, 1, packaged)).toBe('simd');
  });

  it('accepts one with threads for more than one thread', () => {
    const four = ['simd', 'relaxed-simd', 'simd-threads', 'relaxed-simd-threads'] as const;
    expect(chooseVariant('auto', all, 4, four)).toBe('relaxed-simd-threads');
    expect(chooseVariant('auto', { ...all, relaxedSimd: false }, 4, four)).toBe('simd-threads');
    expect(chooseVariant('auto', { ...all, threads: false }, 4, four)).toBe('relaxed-simd');
    expect(chooseVariant('auto', all, 4, packaged)).toBe('relaxed-simd');
    expect(chooseVariant('auto', all, 1, four)).toBe('relaxed-simd');
    expect(chooseVariant('relaxed-simd', all, 4, four)).toBe('relaxed-simd');
    expect(() => chooseVariant('simd-threads', { ...all, threads: false }, 4, four)).toThrow(/cross-origin isolated/);
  });

  it('rejects what cannot run', () => {
    expect(() => chooseVariant('relaxed-simd', { ...all, relaxedSimd: false }, 1, packaged)).toThrow(
      expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }),
    );
    expect(() => chooseVariant('auto', { ...all, simd: false }, 1, packaged)).toThrow(/WebAssembly SIMD/);
  });
});

describe('loadWasmModule', () => {
  const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const FACTORY = `export default ({ instantiateWasm, printErr }) =>
    new Promise((resolve) => instantiateWasm({}, (instance, module) => {
      printErr('started');
      resolve({ instance, module });
    }));`;

  async function withDirectory(files: Record<string, Uint8Array | string>, use: (url: string) => Promise<void>) {
    const directory = await mkdtemp(join(tmpdir(), 'tflite-webnn-'));
    try {
      await mkdir(join(directory, 'simd'));
      for (const [name, content] of Object.entries(files)) await writeFile(join(directory, 'simd', name), content);
      await use(pathToFileURL(directory).href);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  it('compiles once and instantiates for each model', async () => {
    await withDirectory({ 'tflite_webnn.mjs': FACTORY, 'tflite_webnn.wasm': EMPTY_MODULE }, async (wasmPath) => {
      const first = await (await loadWasmModule({ wasmPath, variant: 'simd' })).instantiate();
      const second = await (await loadWasmModule({ wasmPath, variant: 'simd' })).instantiate();
      const [a, b] = [first, second].map(({ bindings }) => bindings as unknown as Record<string, object>);
      expect(a?.module).toBe(b?.module);
      expect(a?.instance).not.toBe(b?.instance);
      expect(first.log).toEqual(['started']);
    });
  });

  it('names the file that is missing', async () => {
    await withDirectory({ 'tflite_webnn.mjs': FACTORY }, async (wasmPath) => {
      const loading = loadWasmModule({ wasmPath, variant: 'simd' });
      await expect(loading).rejects.toThrow(
        expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }),
      );
      await expect(loading).rejects.toThrow(/simd\/tflite_webnn\.wasm.*wasmPath/);
    });
    await withDirectory({ 'tflite_webnn.wasm': EMPTY_MODULE }, async (wasmPath) => {
      await expect(loadWasmModule({ wasmPath, variant: 'simd' })).rejects.toThrow(/simd\/tflite_webnn\.mjs/);
    });
  });

  it('reports a file that is not wasm', async () => {
    await withDirectory({ 'tflite_webnn.mjs': FACTORY, 'tflite_webnn.wasm': '<html>' }, async (wasmPath) => {
      await expect(loadWasmModule({ wasmPath, variant: 'simd' })).rejects.toThrow(/CompileError/);
    });
  });

  it.each(['application/wasm', 'text/plain'])('compiles what a server sends as %s', async (type) => {
    const headers = { 'Content-Type': type };
    vi.stubGlobal('fetch', async () => new Response(EMPTY_MODULE, { headers }));
    const loading = loadWasmModule({ wasmPath: `http://localhost:9/${type.replace('/', '-')}`, variant: 'simd' });
    await expect(loading).rejects.toThrow(/tflite_webnn\.mjs/); // the .wasm was taken; Node imports nothing over http
  });

  it('names the status of a response', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    const loading = loadWasmModule({ wasmPath: 'http://localhost:9/none', variant: 'simd' });
    await expect(loading).rejects.toThrow(expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }));
  });
});
