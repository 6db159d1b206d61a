/** `tflite-webnn/metadata` in a page, and in a service worker, where import() is forbidden. */

import { ModelFetchError, NotATFLiteModelError, openTaskBundle, readModelMetadata } from 'tflite-webnn/metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, bytesOf, errorOf } from './fixtures.js';
import type { Outcome, Request } from './metadata_reader.js';

const BUNDLE = '/fixtures/sin.task';
const HTML = new TextEncoder().encode('<html>nothing of the kind</html>');
const FILE = 'a'.repeat(9);

it('a page downloads and unpacks by scripts that are loaded on demand', async () => {
  const scripts = () =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/package/'));
  const bytes = await bytesOf('stored_metadata');
  expect((await readModelMetadata(bytes))?.name).toBe('sine');
  expect(scripts()).toEqual(['/package/metadata.mjs']);
  const compressed = await readModelMetadata(addressOf('compressed_metadata'));
  expect([compressed?.name, compressed?.files[0]?.text()]).toEqual(['sine', FILE]);
  expect((await openTaskBundle(BUNDLE)).models).toEqual(['sin.tflite']);
  const { signal } = new AbortController();
  expect((await readModelMetadata(new Blob([bytes]), { signal }))?.name).toBe('sine');
  const missing = await errorOf(readModelMetadata('/fixtures/none.tflite'));
  expect(missing).toBeInstanceOf(ModelFetchError);
  expect(missing.message).toContain('HTTP 404');
  for (const source of ['/pages/probe.html', HTML]) {
    const error = await errorOf(readModelMetadata(source));
    expect(error).toBeInstanceOf(NotATFLiteModelError);
    expect(error.message).toContain('as an error page does');
  }
  expect(scripts()).toHaveLength(3);
});

describe('in a service worker', () => {
  const CALLS = ['readModelMetadata', 'openTaskBundle'] as const;
  let registration: ServiceWorkerRegistration;

  beforeAll(async () => {
    const script = new URL('./metadata_reader.ts', import.meta.url);
    registration = await navigator.serviceWorker.register(script, { type: 'module' });
  });

  afterAll(() => registration.unregister());

  function outcomeOf(request: Request): Promise<Outcome> {
    const { port1, port2 } = new MessageChannel();
    const worker = registration.active ?? registration.installing ?? registration.waiting;
    worker?.postMessage(request, [port2]);
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
  }

  const bundle = async () => (await fetch(BUNDLE)).arrayBuffer();
  const IN_MEMORY = [
    ['bytes', (bytes: ArrayBuffer) => bytes],
    ['Blobs', (bytes: ArrayBuffer) => new Blob([bytes])],
  ] as const;
  it.each(IN_MEMORY)('%s are read', async (_, wrapped) => {
    const source = wrapped(await bytesOf('stored_metadata'));
    expect(await outcomeOf({ call: 'readModelMetadata', source })).toEqual({ name: 'sine', files: [FILE] });
    expect(await outcomeOf({ call: 'openTaskBundle', source: wrapped(await bundle()) })).toEqual({
      models: ['sin.tflite'],
    });
  });

  it.each(CALLS)('what %s would load on demand for an address or options says to provide bytes', async (call) => {
    const address = new URL(addressOf('stored_metadata'), location.href).href;
    for (const request of [{ source: address }, { source: await bytesOf('stored_metadata'), options: {} }]) {
      expect(await outcomeOf({ call, ...request })).toEqual({
        error: {
          name: 'WasmLoadError',
          code: 'PACKAGE_FILE_MISSING',
          isExported: true,
          message: expect.stringContaining(
            'provide bytes, as from `await (await fetch(url)).arrayBuffer()`, without options',
          ),
        },
      });
    }
  });

  it('compressed files say to store them', async () => {
    const source = await bytesOf('compressed_metadata');
    expect(await outcomeOf({ call: 'readModelMetadata', source })).toMatchObject({
      error: {
        name: 'WasmLoadError',
        code: 'PACKAGE_FILE_MISSING',
        isExported: true,
        message: expect.stringContaining('Service workers cannot unpack files: store them (zip -0)'),
      },
    });
  });

  it.each([
    ['readModelMetadata', { name: 'NotATFLiteModelError', code: 'NOT_A_TFLITE_MODEL' }],
    ['openTaskBundle', { name: 'ArchiveError' }],
  ] as const)('%s rejects wrong bytes as such', async (call, error) => {
    expect(await outcomeOf({ call, source: HTML.slice().buffer })).toMatchObject({ error });
  });
});
