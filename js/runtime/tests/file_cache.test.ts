/** The option `cache`: what is kept, for how long, and browsers that keep nothing. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NotATFLiteModelError, OptionError } from '../src/errors.js';
import { fetchModel } from '../src/load/model_source.js';
import { deleteCachedModel, fetchKept, listCachedModels } from '../src/support/file_cache.js';
import { LoadWatch } from '../src/support/load_watch.js';
import type { HeapFile, ModelFile } from '../src/wasm/model_file.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { ON_CPU, sinRunner } from './fakes/sin_model.js';

const MODEL = new Uint8Array(100).fill(7);
MODEL.set(new TextEncoder().encode('TFL3'), 4);
const URL_A = 'https://models.example/a.tflite';
const URL_B = 'https://models.example/b.tflite';

/** What is used of a Cache, by the addresses of its keys. */
class FakeCache {
  readonly stored = new Map<string, Response>();
  putError: Error | null = null;

  async match(key: string | Request): Promise<Response | undefined> {
    return this.stored.get(typeof key === 'string' ? key : key.url)?.clone();
  }

  async put(key: string, response: Response): Promise<void> {
    if (this.putError !== null) throw this.putError;
    this.stored.set(key, response);
  }

  async delete(key: string | Request): Promise<boolean> {
    return this.stored.delete(typeof key === 'string' ? key : key.url);
  }

  async keys(): Promise<Request[]> {
    return [...this.stored.keys()].map((url) => new Request(url));
  }
}

let cache: FakeCache;
let fetched: string[];
let warnings: string[];
let now: number;

beforeEach(() => {
  cache = new FakeCache();
  fetched = [];
  warnings = [];
  now = 1000;
  vi.stubGlobal('caches', { open: async () => cache });
  serve(MODEL);
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  vi.spyOn(Date, 'now').mockImplementation(() => now++);
});

function serve(content: Uint8Array<ArrayBuffer>, init: ResponseInit = {}): void {
  vi.stubGlobal('fetch', async (url: string, options: RequestInit = {}) => {
    fetched.push(options.integrity ? `${url} ${options.integrity}` : String(url));
    return new Response(content, init);
  });
}

async function load(url: string, options: Parameters<typeof fetchModel>[3] = { cache: true }): Promise<Uint8Array> {
  const wasm = new FakeWasm(sinRunner(ON_CPU));
  const file: ModelFile = await fetchModel(url, new LoadWatch(), Promise.resolve(wasm), options);
  return (file as HeapFile).bytes;
}

async function keptUrls(): Promise<string[]> {
  return (await listCachedModels()).map(({ url }) => url);
}

describe('a kept model', () => {
  it('is fetched once', async () => {
    expect(await load(URL_A)).toEqual(MODEL);
    expect(await listCachedModels()).toEqual([
      { url: URL_A, integrity: null, kind: 'model', sizeBytes: 100, storedAt: new Date(1000) },
    ]);
    expect(await load(URL_A)).toEqual(MODEL);
    expect(fetched).toEqual([URL_A]);
    expect(warnings).toEqual([]);
  });

  it('is another one with another integrity, which the browser checks', async () => {
    for (const integrity of ['sha256-a', 'sha256-b', 'sha256-a']) {
      await load(URL_A, { cache: true, integrity });
      await listCachedModels();
    }
    expect(fetched).toEqual([`${URL_A} sha256-a`, `${URL_A} sha256-b`]);
    expect((await listCachedModels()).map(({ integrity }) => integrity)).toEqual(['sha256-a', 'sha256-b']);
  });

  it('is deleted by its address, with every integrity', async () => {
    await load(URL_A);
    await load(URL_A, { cache: true, integrity: 'sha256-a' });
    await load(URL_B);
    expect(await deleteCachedModel(URL_A)).toBe(true);
    expect(await deleteCachedModel(URL_A)).toBe(false);
    expect(await keptUrls()).toEqual([URL_B]);
  });

  it('makes room for a newer one', async () => {
    await load(URL_A, { cache: { maxBytes: 250 } });
    await keptUrls();
    await load(URL_B, { cache: { maxBytes: 250 } });
    await keptUrls();
    await load('https://models.example/c.tflite', { cache: { maxBytes: 250 } });
    expect(await keptUrls()).toEqual([URL_B, 'https://models.example/c.tflite']);
  });
});

describe('nothing is kept', () => {
  it('without the option', async () => {
    await load(URL_A, {});
    await load(URL_A, { cache: false });
    expect(await keptUrls()).toEqual([]);
  });

  it('of what is no model', async () => {
    serve(new TextEncoder().encode('<!doctype html>'));
    await expect(load(URL_A)).rejects.toThrow(NotATFLiteModelError);
    expect(await keptUrls()).toEqual([]);
  });

  it('of a file that is larger than the limit', async () => {
    expect(await load(URL_A, { cache: { maxBytes: 99 } })).toEqual(MODEL);
    expect(await keptUrls()).toEqual([]);
    expect(warnings).toEqual([`tflite-webnn: ${URL_A} is not kept: Error: it has 100 bytes, and maxBytes is 99`]);
  });

  it('where the quota is used up, with a warning', async () => {
    cache.putError = new DOMException('no space', 'QuotaExceededError');
    expect(await load(URL_A)).toEqual(MODEL);
    expect(await keptUrls()).toEqual([]);
    expect(warnings).toEqual([`tflite-webnn: ${URL_A} is not kept: QuotaExceededError: no space`]);
  });

  it('in private windows, with a warning', async () => {
    vi.stubGlobal('caches', {
      open: async () => {
        throw new DOMException('not in this window', 'SecurityError');
      },
    });
    expect(await load(URL_A)).toEqual(MODEL);
    expect(warnings[0]).toBe('tflite-webnn: no files can be kept here: SecurityError: not in this window');
    expect(await keptUrls()).toEqual([]);
    expect(await deleteCachedModel(URL_A)).toBe(false);
  });

  it('where there is no Cache Storage, as in insecure contexts', async () => {
    vi.stubGlobal('caches', undefined);
    expect(await load(URL_A)).toEqual(MODEL);
    expect(warnings[0]).toMatch(/^tflite-webnn: no files can be kept here: /);
  });
});

describe('the wasm module', () => {
  const id = (integrity: string) =>
    ({ url: 'https://app.example/simd/tflite_webnn.wasm', integrity, kind: 'wasm' }) as const;

  it('is kept with the type that streaming compilation wants', async () => {
    await fetchKept(id('1'), {});
    await listCachedModels();
    const kept = await fetchKept(id('1'), {});
    expect(kept.headers.get('Content-Type')).toBe('application/wasm');
    expect(fetched).toHaveLength(1);
  });

  it('takes the place of that of another version', async () => {
    await fetchKept(id('1'), {});
    await listCachedModels();
    await fetchKept(id('2'), {});
    expect((await listCachedModels()).map(({ integrity }) => integrity)).toEqual(['2']);
  });

  it('is not kept where the server refuses it', async () => {
    serve(MODEL, { status: 404 });
    await fetchKept(id('1'), {});
    expect(await listCachedModels()).toEqual([]);
  });
});

it('has no integrity of bytes', async () => {
  const wasm = Promise.resolve(new FakeWasm(sinRunner(ON_CPU)));
  const loading = fetchModel(MODEL, new LoadWatch(), wasm, { integrity: 'sha256-a' });
  await expect(loading).rejects.toThrow(OptionError);
});
