/** Downloads: progress, abort, and what servers send in place of a model. */

import { runInNewContext } from 'node:vm';
import {
  BlockingError,
  type LoadProgress,
  loadTFLiteModel,
  ModelFetchError,
  NotATFLiteModelError,
  OptionError,
} from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { fetchModel } from '../src/load/model_source.js';
import { describeHead } from '../src/support/download.js';
import { LoadMonitor } from '../src/support/tasks.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

const MODEL = new Uint8Array(1000).map((_, index) => index);
MODEL.set(new TextEncoder().encode('TFL3'), 4);

/** A stream of the model in chunks; `canceled` is the reason that its sender got. */
function chunked(chunkBytes: number, bytes = MODEL) {
  const canceled: unknown[] = [];
  let position = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (position >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(position, position + chunkBytes));
      position += chunkBytes;
    },
    cancel: (reason) => {
      canceled.push(reason);
    },
  });
  return { stream, canceled };
}

/** A download that never ends. */
function stalled() {
  const canceled: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(MODEL.slice(0, 100)),
    cancel: (reason) => {
      canceled.push(reason);
    },
  });
  return { stream, canceled };
}

function respond(body: BodyInit | null, init?: ResponseInit): void {
  vi.stubGlobal('fetch', async () => new Response(body, init));
}

describe('progress of a download', () => {
  it.each([
    ['with its size', { 'Content-Length': '1000' }, 1000],
    ['without its size', {}, null],
    ['that was compressed on its way', { 'Content-Length': '700', 'Content-Encoding': 'gzip' }, null],
    ['that is shorter than announced', { 'Content-Length': '5000' }, 5000],
    ['that is longer than announced', { 'Content-Length': '20' }, 20],
    ['of an impossible announced size', { 'Content-Length': '1e99'.padEnd(30, '9') }, expect.anything()],
  ])('is reported, %s', async (_, headers, totalBytes) => {
    const seen: LoadProgress[] = [];
    const monitor = new LoadMonitor(undefined, (progress) => seen.push(progress));
    const response = new Response(chunked(300).stream, { headers: headers as Record<string, string> });
    expect(await fetchModel(response, monitor)).toEqual(MODEL);
    expect(seen.map(({ loadedBytes }) => loadedBytes)).toEqual([300, 600, 900, 1000, 1000]);
    expect(seen[0]).toEqual({ phase: 'download', loadedBytes: 300, totalBytes });
    expect(seen.at(-1)).toEqual({ phase: 'download', loadedBytes: 1000, totalBytes: 1000 });
  });

  it('accepts a stream', async () => {
    expect(await fetchModel(chunked(3).stream)).toEqual(MODEL);
  });

  it('passes on an error of the listener, and stops the sender', async () => {
    const { stream, canceled } = chunked(300);
    const monitor = new LoadMonitor(undefined, () => {
      throw new Error('not interested');
    });
    await expect(fetchModel(stream, monitor)).rejects.toThrow('not interested');
    expect(canceled).toHaveLength(1);
  });
});

describe('abort', () => {
  it('ends a download with the reason, also for the sender', async () => {
    const { stream, canceled } = stalled();
    const controller = new AbortController();
    const reason = new Error('the user left');
    const loading = fetchModel(stream, new LoadMonitor(controller.signal));
    setTimeout(() => controller.abort(reason), 5);
    await expect(loading).rejects.toBe(reason);
    await vi.waitFor(() => expect(canceled).toEqual([reason]));
  });

  it('is known to fetch()', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const fetched = vi.fn(async () => {
      controller.abort();
      throw new DOMException('aborted', 'AbortError');
    });
    vi.stubGlobal('fetch', fetched);
    await expect(fetchModel('m.tflite', new LoadMonitor(signal))).rejects.toBe(signal.reason);
    const { reason } = signal;
    expect(fetched).toHaveBeenCalledWith('m.tflite', { signal: expect.objectContaining({ aborted: true, reason }) });
  });

  it('before the beginning begins nothing', async () => {
    const fetched = vi.fn();
    vi.stubGlobal('fetch', fetched);
    const signal = AbortSignal.abort('too late');
    await expect(loadTFLiteModel('m.tflite', { signal })).rejects.toBe('too late');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('discards what comes after it', async () => {
    const controller = new AbortController();
    const discarded: number[] = [];
    let finish = (_: number) => {};
    const late = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const waiting = new LoadMonitor(controller.signal).orAbort(late, (value) => discarded.push(value));
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    finish(7);
    await vi.waitFor(() => expect(discarded).toEqual([7]));
  });
});

describe('a listener that throws', () => {
  it.each(['compile', 'download'])('leaves no context, and no rejection that nobody sees (%s)', async (phase) => {
    const [context, failed] = [new FakeContext(), vi.fn()];
    const destroyed = vi.spyOn(context, 'destroy');
    vi.stubGlobal('navigator', { ml: { createContext: async () => context } });
    vi.stubGlobal('MLGraphBuilder', FakeGraphBuilder);
    process.on('unhandledRejection', failed);
    const onProgress = (progress: LoadProgress) => {
      if (progress.phase === phase) throw new Error('not interested');
    };
    for (const webnnDelegateOptions of [{}, { blocking: true, context }]) {
      const options = { enableWebnnDelegate: true, webnnDelegateOptions, onProgress, wasmPath: 'no/such/directory/' };
      await expect(loadTFLiteModel(chunked(300).stream, options)).rejects.toThrow();
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', failed);
    expect(failed).not.toHaveBeenCalled();
    expect(destroyed).toHaveBeenCalledTimes(phase === 'compile' ? 0 : 1); // none was created before
  });
});

describe('a file that is not a model', () => {
  it('is known by its first bytes; no more is awaited', async () => {
    const page = new Uint8Array(5000).fill(32);
    page.set(new TextEncoder().encode('<!doctype html><title>Sign in</title>'));
    const { stream, canceled } = chunked(100, page);
    vi.stubGlobal('fetch', async () => new Response(stream, { headers: { 'Content-Type': 'text/html' } }));
    const error = await fetchModel('m.tflite').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotATFLiteModelError);
    expect((error as Error).message).toMatch(
      /m\.tflite is not a TFLite model, which has "TFL3" at byte 4: it begins with "<!doctype html>.*as an error page does\..*HTTP 200.*text\/html/,
    );
    await vi.waitFor(() => expect(canceled).toHaveLength(1));
  });

  it('is known of a short or empty response, too', async () => {
    respond('');
    await expect(fetchModel('m.tflite')).rejects.toThrow(/it is empty/);
    respond('no');
    await expect(fetchModel('m.tflite')).rejects.toThrow(/begins with "no"/);
  });

  it('is not mistaken for an error of the network where the server rejects', async () => {
    respond('<h1>Gone</h1>', { status: 410, statusText: 'Gone', headers: { 'Content-Type': 'text/html' } });
    const error = await fetchModel('m.tflite').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFetchError);
    expect(error).toMatchObject({ status: 410, details: { url: 'm.tflite', contentType: 'text/html' } });
    expect((error as Error).message).toMatch(/HTTP 410 Gone, Content-Type text\/html; what it sent begins with "<h1>/);
  });

  it.each([
    ['{"error": 1}', 'JSON'],
    ['version https://git-lfs.github.com/spec/v1', 'Git LFS'],
    ['PK\x03\x04', 'zip archive'],
    ['\x1f\x8b\x08', 'gzip'],
    ['\x08\x07\x12\x07pytorch', 'as an ONNX model (convert it to TFLite'],
    ['\x89HDF\r\n', 'as a Keras model in HDF5 (convert it'],
    ['\x00\x01', 'the bytes 00 01'],
  ])('has a name: %j', (text, expected) => {
    expect(describeHead(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))).toContain(expected);
  });

  it.each([
    [' <html>', 'begins with " <html>", as an error page does'],
    [' [1]', 'begins with " [1]", as JSON does'],
    ['a <b> {c}', 'begins with "a <b> {c}"'],
    ['the version https://git-lfs', 'begins with "the version https://git-lfs"'],
    ['a\tb\r\n', 'begins with "a\\tb\\r\\n"'],
    ['~\x7f', 'begins with the bytes 7e 7f'],
    ['\x01'.repeat(20), `begins with the bytes${' 01'.repeat(16)}`],
    ['PK\x05\x06', 'begins with the bytes 50 4b 05 06, as a zip archive (a .task bundle has its .tflite inside) does'],
    [
      '\0\0\0PK\x03\x04',
      'begins with the bytes 00 00 00 50 4b 03 04, as a zip archive (a .task bundle has its .tflite inside) does',
    ],
    ['\0\0\0\0PK\x03\x04', 'begins with the bytes 00 00 00 00 50 4b 03 04'],
  ])('is described by how it begins: %j', (text, expected) => {
    expect(describeHead(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))).toBe(expected);
  });
});

describe('a failed download', () => {
  const options = { integrity: 'sha256-abc' };
  const heap = () => new Promise<never>(() => {}); // nothing is put anywhere

  it('says what may be wrong', async () => {
    const cause = new TypeError('no network');
    const fetched = vi.fn(async () => Promise.reject(cause));
    vi.stubGlobal('fetch', fetched);
    const error = await fetchModel('m.tflite').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: null, details: { url: 'm.tflite' } });
    expect((error as Error).cause).toBe(cause);
    expect((error as Error).message).toBe(
      'Could not fetch the model m.tflite (TypeError: no network). Is the address right, and does its server allow this page (CORS)?',
    );
    expect(fetched).toHaveBeenLastCalledWith('m.tflite', { signal: expect.any(AbortSignal) });
    await expect(fetchModel('m.tflite', new LoadMonitor(), heap(), options)).rejects.toThrow(
      'allow this page (CORS), and does the file have the integrity sha256-abc?',
    );
    expect(fetched).toHaveBeenLastCalledWith('m.tflite', { ...options, signal: expect.any(AbortSignal) });
  });

  it('is an option that does not fit where there is no address', async () => {
    for (const source of [MODEL, new Blob([MODEL])]) {
      await expect(fetchModel(source, new LoadMonitor(), heap(), options)).rejects.toThrow(OptionError);
      await expect(fetchModel(source, new LoadMonitor(), heap(), options)).rejects.toThrow(
        'the option "integrity" is for a model that is provided by its URL',
      );
    }
  });

  it('is named where it breaks off', async () => {
    const cause = new Error('the line is cut');
    const broken = () =>
      new ReadableStream<Uint8Array>({
        start: (sender) => {
          sender.enqueue(MODEL.slice(0, 9));
          setTimeout(() => sender.error(cause), 1);
        },
      });
    const error = await fetchModel(broken()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: null, details: { url: 'the provided stream' } });
    expect((error as Error).cause).toBe(cause);
    expect((error as Error).message).toBe(
      'The download of the model the provided stream broke off (Error: the line is cut).',
    );
    respond(broken());
    await expect(fetchModel('m.tflite')).rejects.toMatchObject({ status: 200, details: { url: 'm.tflite' } });
  });

  it('is named after what was provided', async () => {
    await expect(fetchModel(new Response('no'))).rejects.toThrow(
      'the provided Response is not a TFLite model, which has "TFL3" at byte 4: it begins with "no". ' +
        'The server responded with HTTP 200, Content-Type text/plain;charset=UTF-8.',
    );
    await expect(fetchModel(new Blob(['no']))).rejects.toMatchObject({
      message: 'the provided Blob is not a TFLite model, which has "TFL3" at byte 4: it begins with "no".',
      details: { url: 'the provided Blob' },
    });
    respond(null, { status: 404 });
    await expect(fetchModel(new URL('https://example.org/m.tflite'))).rejects.toMatchObject({
      message:
        'Could not fetch the model https://example.org/m.tflite: the server responded with HTTP 404; what it sent is empty (0 bytes).',
      details: { url: 'https://example.org/m.tflite', contentType: null },
    });
  });
});

describe('bytes that are provided', () => {
  const shared = new SharedArrayBuffer(MODEL.length);
  new Uint8Array(shared).set(MODEL);
  const elsewhere = runInNewContext('Uint8Array').from(MODEL) as Uint8Array; // as in Jest

  it.each([
    ['a SharedArrayBuffer', shared as unknown as ArrayBuffer],
    ['a Uint8Array of another realm', elsewhere],
    ['an ArrayBuffer of another realm', elsewhere.buffer as ArrayBuffer],
  ])('may be %s', async (_, source) => {
    expect([...(await fetchModel(source))]).toEqual([...MODEL]);
  });

  it.each([
    ['\x1f\x8b\x08', 'gzip'],
    ['\x08\x07\x12\x07pytorch', 'as an ONNX model (convert it to TFLite'],
    ['\x89HDF\r\n', 'as a Keras model in HDF5 (convert it'],
    ['<!DOCTYPE html>', '<!DOCTYPE html>'],
    ['', 'is empty'],
  ])('are rejected by what they begin with: %j', async (text, expected) => {
    const provided = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    await expect(fetchModel(provided)).rejects.toThrow(NotATFLiteModelError);
    await expect(fetchModel(provided.buffer)).rejects.toThrow('the provided array is not a TFLite model');
    await expect(fetchModel(provided)).rejects.toThrow(expected);
  });

  it.each([
    [Promise.resolve(), 'got Promise.'],
    [null, 'got null.'],
    [new ReadableStream({ start: (sender) => sender.enqueue('text') }), 'a piece of it is no Uint8Array'],
  ])('are named where they are something else: %s', async (source, expected) => {
    const loading = fetchModel(source as unknown as Uint8Array);
    await expect(loading).rejects.toThrow(ModelFetchError);
    await expect(loading).rejects.toThrow(expected);
  });
});

describe('TF Hub', () => {
  it('gets the request for the file', async () => {
    const fetched = vi.fn(async (_: string) => new Response(MODEL));
    vi.stubGlobal('fetch', fetched);
    await fetchModel('https://tfhub.dev/tensorflow/lite-model/mobilenet/1');
    const address = 'https://tfhub.dev/tensorflow/lite-model/mobilenet/1?lite-format=tflite';
    expect(fetched.mock.calls[0]?.[0]).toBe(address);
    const others = [address, 'https://tfhub.dev/mobilenet', 'https://example.org/lite-model'];
    for (const other of others) await fetchModel(other);
    expect(fetched.mock.calls.slice(1).map(([url]) => url)).toEqual(others);
  });
});

it('ends the download when another part of a load fails', async () => {
  const canceled = vi.fn();
  const source = new ReadableStream<Uint8Array>({ cancel: canceled });
  const webnnDelegateOptions = { blocking: true, context: {} as never };
  const loading = loadTFLiteModel(source, { enableWebnnDelegate: true, webnnDelegateOptions, wasmPath: '/nowhere/' });
  await expect(loading).rejects.toThrow(BlockingError);
  await vi.waitFor(() => expect(canceled).toHaveBeenCalled());
});

it('hears no abort after it has loaded', async () => {
  const controller = new AbortController();
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  await new LoadMonitor(controller.signal).orAbort(Promise.resolve(1), () => {});
  expect(remove).toHaveBeenCalled();
});

it('names a Request with what to do, and a buffer that was transferred', async () => {
  const request = new Request('https://example.org/m.tflite');
  await expect(fetchModel(request as unknown as URL)).rejects.toThrow('got Request: pass what fetch() of it returns.');
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
  await expect(fetchModel(buffer)).rejects.toThrow('it is empty (0 bytes). A buffer that was transferred is empty.');
});
