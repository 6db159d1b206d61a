import { describe, expect, it, vi } from 'vitest';
import { type DownloadProgress, download, sumOf } from '../common/download.js';

const PIECES = [new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])];

function respondWith(response: () => Promise<Response>): void {
  vi.stubGlobal('fetch', response);
}

function inPieces(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of PIECES) controller.enqueue(piece);
      controller.close();
    },
  });
}

describe('download', () => {
  it('reports progress relative to the known size', async () => {
    respondWith(async () => new Response(inPieces()));
    const seen: DownloadProgress[] = [];
    const content = await download({ url: 'x', sizeBytes: 5 }, { onProgress: (progress) => seen.push(progress) });
    expect([...content]).toEqual([1, 2, 3, 4, 5]);
    expect(seen).toEqual([0, 3, 5].map((loadedBytes) => ({ loadedBytes, totalBytes: 5 })));
  });

  it.each([0, 2, 10])('accepts a file of another size than the expected %d bytes', async (sizeBytes) => {
    respondWith(async () => new Response(inPieces()));
    expect([...(await download({ url: 'x', sizeBytes }))]).toEqual([1, 2, 3, 4, 5]);
  });

  it('reports the status of the server', async () => {
    respondWith(async () => new Response(null, { status: 404, statusText: 'Not Found' }));
    await expect(download({ url: 'models/x', sizeBytes: 5 })).rejects.toThrow(
      'models/x could not be fetched: the server responded with 404 Not Found',
    );
  });

  it('reports a network error, and keeps the cause', async () => {
    const cause = new TypeError('failed');
    respondWith(() => Promise.reject(cause));
    await expect(download({ url: 'x', sizeBytes: 5 })).rejects.toMatchObject({ name: 'DownloadError', cause });
  });

  it("rejects with the signal's reason", async () => {
    respondWith(() => Promise.reject(new DOMException('', 'AbortError')));
    const reason = new Error('enough');
    await expect(download({ url: 'x', sizeBytes: 5 }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('sumOf', () => {
  it('adds the bytes of downloads', () => {
    const model = { loadedBytes: 10, totalBytes: 30 };
    expect(sumOf([model, { loadedBytes: 5, totalBytes: 70 }])).toEqual({ loadedBytes: 15, totalBytes: 100 });
    expect(sumOf([model, { loadedBytes: 5, totalBytes: null }])).toEqual({ loadedBytes: 15, totalBytes: null });
  });
});
