/** The option `cache`: what is kept, for how long, and browsers that keep nothing. */

import { createHash } from 'node:crypto';
import {
  deleteCachedModel,
  listCachedModels,
  loadTFLiteModel,
  MalformedModelError,
  ModelFetchError,
  NotATFLiteModelError,
  OptionError,
} from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import { fetchModel } from '../src/load/model_source.js';
import { fetchKept } from '../src/support/file_cache.js';
import { LoadMonitor } from '../src/support/tasks.js';
import type { HeapFile, ModelFile } from '../src/wasm/wasm_memory.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { ON_CPU, sinRunner } from './fakes/sin_model.js';

const MODEL = new Uint8Array(100).fill(7);
MODEL.set(new TextEncoder().encode('TFL3'), 4);
const SHA256 = integrityOf(MODEL, 'sha256');
const SHA384 = integrityOf(MODEL, 'sha384');
const HTML = new TextEncoder().encode('<!doctype html>');
const URL_A = 'https://models.example/a.tflite';
const URL_B = 'https://models.example/b.tflite';

function integrityOf(content: Uint8Array, algorithm: string): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

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

async function load(
  url: string,
  options: Parameters<typeof fetchModel>[3] = { cache: true },
  capacityBytes = 65_536,
): Promise<Uint8Array> {
  const wasm = new FakeWasm({ ...sinRunner(ON_CPU), capacityBytes });
  const file: ModelFile = await fetchModel(url, new LoadMonitor(), Promise.resolve(wasm), options);
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
    for (const integrity of [SHA256, SHA384, SHA256]) {
      await load(URL_A, { cache: true, integrity });
      await listCachedModels();
    }
    expect(fetched).toEqual([`${URL_A} ${SHA256}`, `${URL_A} ${SHA384}`]);
    expect((await listCachedModels()).map(({ integrity }) => integrity)).toEqual([SHA256, SHA384]);
  });

  it('is deleted by its address, with every integrity', async () => {
    await load(URL_A);
    await load(URL_A, { cache: true, integrity: SHA256 });
    await load(URL_B);
    expect(await deleteCachedModel(URL_A)).toBe(true);
    expect(await deleteCachedModel(URL_A)).toBe(false);
    expect(await keptUrls()).toEqual([URL_B]);
  });

  it('makes space for a newer one', async () => {
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

  it('of a file that is not a model', async () => {
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
  const id = (integrity = SHA256) =>
    ({ url: 'https://app.example/simd/tflite_webnn.wasm', integrity, kind: 'wasm' }) as const;

  it('is kept with the type that streaming compilation requires', async () => {
    await fetchKept(id(), {});
    await listCachedModels();
    const kept = await fetchKept(id(), {});
    expect(kept.headers.get('Content-Type')).toBe('application/wasm');
    expect(fetched).toHaveLength(1);
  });

  it('replaces that of another version', async () => {
    await fetchKept(id(), {});
    await listCachedModels();
    await fetchKept(id(SHA384), {});
    expect((await listCachedModels()).map(({ integrity }) => integrity)).toEqual([SHA384]);
  });

  it('is not kept where the server rejects it', async () => {
    serve(MODEL, { status: 404 });
    await fetchKept(id(), {});
    expect(await listCachedModels()).toEqual([]);
  });
});

describe('what is kept is verified', () => {
  const id = { url: 'https://app.example/simd/tflite_webnn.wasm', integrity: SHA256, kind: 'wasm' } as const;
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
  /** What any script of the origin can do. */
  const poison = (content: Uint8Array<ArrayBuffer>) => {
    for (const [key, { headers }] of cache.stored) cache.stored.set(key, new Response(content, { headers }));
  };

  it('before it is kept: a page in place of the module is not', async () => {
    serve(HTML);
    expect(await bytesOf(await fetchKept(id, {}))).toEqual(HTML);
    expect(await listCachedModels()).toEqual([]);
    expect(warnings).toEqual([`tflite-webnn: ${id.url} is not kept: Error: it is not ${SHA256}`]);
    serve(MODEL);
    expect(await bytesOf(await fetchKept(id, {}))).toEqual(MODEL);
    expect(await listCachedModels()).toHaveLength(1);
  });

  it('when it is used: what fails is deleted and fetched again, once', async () => {
    await fetchKept(id, {});
    await listCachedModels();
    poison(HTML);
    expect(await bytesOf(await fetchKept(id, {}))).toEqual(MODEL);
    await listCachedModels();
    expect(await bytesOf(await fetchKept(id, {}))).toEqual(MODEL);
    expect(fetched).toHaveLength(2);
    expect(warnings).toEqual([`tflite-webnn: what the cache had for ${id.url} is damaged, and is fetched again`]);
  });

  it.each([
    [
      'another model, by its integrity',
      { cache: true, integrity: `sha256-weak ${SHA384}` },
      MODEL.map((b) => b ^ Number(b === 7)),
    ],
    ['a page, without integrity', { cache: true }, HTML],
  ])('a model that was replaced: %s', async (_, options, content) => {
    await load(URL_A, options);
    await listCachedModels();
    poison(content);
    expect(await load(URL_A, options)).toEqual(MODEL);
    await listCachedModels();
    expect(await load(URL_A, options)).toEqual(MODEL);
    expect(fetched).toHaveLength(2);
  });

  it('also where the browser cannot delete it: loading goes on, with a warning', async () => {
    await load(URL_A, { cache: true, integrity: SHA256 });
    await listCachedModels();
    const [key] = [...cache.stored.keys()];
    cache.stored.set(key as string, new Response(HTML));
    vi.spyOn(cache, 'delete').mockRejectedValue(new Error('the disk is read-only'));
    expect(await load(URL_A, { cache: true, integrity: SHA256 })).toEqual(MODEL);
    expect(warnings.join()).toContain('the disk is read-only');
  });

  it('also without the network: then loading fails, and nothing is left', async () => {
    await load(URL_A, { cache: true, integrity: SHA256 });
    await listCachedModels();
    poison(HTML);
    serve(HTML, { status: 404 });
    await expect(load(URL_A, { cache: true, integrity: SHA256 })).rejects.toThrow(ModelFetchError);
    expect(await listCachedModels()).toEqual([]);
  });

  it.each<[string, () => Response]>([
    ['an error page', () => new Response(MODEL, { status: 404 })],
    ['a response of another origin, which no script can read', () => Response.error()],
    ['bytes that cannot be read', () => new Response(new ReadableStream({ pull: (c) => c.error(new Error('disk')) }))],
  ])('a file and a module that were replaced by %s', async (_, replacement) => {
    const options = { cache: true, integrity: SHA256 };
    await load(URL_A, options);
    await fetchKept(id, {});
    await listCachedModels();
    for (const key of cache.stored.keys()) cache.stored.set(key, replacement());
    expect(await load(URL_A, options)).toEqual(MODEL);
    expect(await bytesOf(await fetchKept(id, {}))).toEqual(MODEL);
    await listCachedModels();
    expect(await load(URL_A, options)).toEqual(MODEL);
    expect(fetched.filter((url) => url.startsWith(URL_A))).toHaveLength(2);
  });

  it('a large model that announces more than there is memory for', async () => {
    const large = new Uint8Array(17 * 2 ** 20);
    large.set(MODEL);
    serve(large);
    await load(URL_A, { cache: true }, 2 ** 25);
    await listCachedModels();
    for (const key of cache.stored.keys()) {
      cache.stored.set(key, new Response(large, { headers: { 'Content-Length': '9999999999' } }));
    }
    expect(await load(URL_A, { cache: true }, 2 ** 25)).toHaveLength(large.length);
    expect(fetched).toHaveLength(2);
  });

  it('whatever its headers say: they name no file', async () => {
    await load(URL_A);
    await load(URL_B);
    await listCachedModels();
    const [key] = cache.stored.keys();
    const headers = { 'X-TFLite-Url': URL_B, 'Content-Length': '-99999999999', 'X-TFLite-Stored': 'never' };
    cache.stored.set(key as string, new Response(MODEL, { headers }));
    expect(await keptUrls()).toEqual([URL_B]);
    expect(await deleteCachedModel(URL_A)).toBe(true);
    expect([...cache.stored.keys()].some((other) => other === key)).toBe(false);
    expect(await keptUrls()).toEqual([URL_B]);
  });

  it('and leaves no space to what another script has written', async () => {
    const headers = { 'Content-Length': '-99999999999', 'X-TFLite-Stored': '9' };
    cache.stored.set('https://app.example/', new Response(MODEL, { headers }));
    cache.stored.set('https://tflite-webnn.invalid/%5B1%5D', new Response(MODEL, { headers }));
    await load(URL_A);
    expect(await keptUrls()).toEqual([URL_A]);
    expect(cache.stored.size).toBe(1);
  });

  it.each([
    ['in capitals', SHA256.replace('sha256', 'SHA256')],
    ['in the alphabet of URLs, without padding', SHA256.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')],
  ])('by a hash %s', async (_, integrity) => {
    await load(URL_A, { cache: true, integrity });
    expect(await listCachedModels()).toHaveLength(1);
    poison(MODEL.map((byte) => (byte === 7 ? 8 : byte)));
    expect(await load(URL_A, { cache: true, integrity })).toEqual(MODEL);
  });

  it('under keys that no address spells', async () => {
    await load(URL_A, { cache: true, integrity: SHA256 });
    await listCachedModels();
    const [key] = cache.stored.keys();
    for (const address of [key as string, `${URL_A}?tflite-webnn-integrity=${encodeURIComponent(SHA256)}`]) {
      serve(MODEL.map((byte) => (byte === 7 ? 8 : byte)));
      await load(address);
      expect(await load(URL_A, { cache: true, integrity: SHA256 })).toEqual(MODEL);
    }
    expect(await keptUrls()).toHaveLength(3);
  });
});

describeOnModule('a damaged model without integrity', () => {
  const HUB = 'https://tfhub.dev/lite-model/a/1';

  it('that is provided as bytes names no file of the cache', async () => {
    const opened = vi.fn();
    vi.stubGlobal('caches', { open: opened });
    const bytes = MODEL.slice();
    bytes.toString = () => {
      throw new Error('its text was read');
    };
    const options = { ...WASM, cache: true };
    await expect(loadTFLiteModel(bytes, options)).rejects.toThrow(MalformedModelError);
    expect(opened).not.toHaveBeenCalled();
  });

  it.each([URL_A, HUB])('is deleted when it does not load: %s', async (url) => {
    for (let again = 0; again < 2; again++) {
      await expect(loadTFLiteModel(url, { ...WASM, cache: true })).rejects.toThrow(MalformedModelError);
      expect(await listCachedModels()).toEqual([]);
    }
    expect(fetched).toHaveLength(2);
  });
});

it('has no integrity of bytes', async () => {
  const wasm = Promise.resolve(new FakeWasm(sinRunner(ON_CPU)));
  const loading = fetchModel(MODEL, new LoadMonitor(), wasm, { integrity: 'sha256-a' });
  await expect(loading).rejects.toThrow(OptionError);
});
