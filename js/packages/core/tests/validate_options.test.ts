/** Options that are misspelt or of another type, at every level. */

import { loadTFLiteModel, OptionError, type TFLiteModelOptions } from 'tflite-webnn';
import { TFLiteWorker as NodeTFLiteWorker, type NodeTFLiteWorkerOptions } from 'tflite-webnn/node';
import { TFLiteWorker, type TFLiteWorkerOptions } from 'tflite-webnn/worker';
import { describe, expect, it } from 'vitest';

/** The message of the OptionError; `accepted` where loading begins, and ends with the signal. */
async function rejection(options: object | null): Promise<string> {
  const all = options && { ...options, signal: AbortSignal.abort('accepted') };
  const reason: unknown = await loadTFLiteModel('nowhere.tflite', all as TFLiteModelOptions).catch((error) => error);
  if (reason === 'accepted') return reason;
  expect(reason).toBeInstanceOf(OptionError);
  return (reason as OptionError).message;
}

describe('an unknown name', () => {
  it.each([
    [{ enableWebNNDelegate: true }, 'there is no option "enableWebNNDelegate": did you mean enableWebnnDelegate?'],
    [{ numThread: 4 }, 'there is no option "numThread": did you mean numThreads?'],
    [
      { webnnDelegateOptions: { devicePreferences: 'gpu' } },
      'there is no option "webnnDelegateOptions.devicePreferences": did you mean webnnDelegateOptions.devicePreference?',
    ],
  ])('is rejected with the nearest one: %j', async (options, message) => {
    expect(await rejection(options)).toBe(message);
  });

  it('is rejected with all names if none is near', async () => {
    expect(await rejection({ quantize: true })).toMatch(
      /^there is no option "quantize": it is one of signal, onProgress, /,
    );
  });

  it('is not found on the prototype of the table', async () => {
    expect(await rejection({ toString: 'x' })).toMatch(/^there is no option "toString"/);
  });

  it('is that of something else than an object', async () => {
    expect(await rejection(null)).toBe('the options are an object; got null');
  });
});

describe('a wrong value', () => {
  it.each([
    [{ webnnDelegateOptions: { devicePreference: 'GPU' } }, 'one of default, gpu, cpu, npu; got "GPU"'],
    [{ webnnDelegateOptions: { maxPartitions: -1 } }, 'an integer, 0 or more; got -1'],
    [{ webnnDelegateOptions: { excludedOps: 'ADD' } }, 'an array; got "ADD"'],
    [{ webnnDelegateOptions: { blockingHelper: 5 } }, 'an address or a worker; got 5'],
    [{ webnnDelegateOptions: { blockingHelper: [] } }, 'an address or a worker; got'],
    [{ numThreads: 0 }, 'an integer from 1 to 256, or -1 for the default; got 0'],
    [{ numThreads: '4' }, 'an integer from 1 to 256, or -1 for the default; got "4"'],
    [{ numThreads: 1.5 }, 'an integer from 1 to 256, or -1 for the default; got 1.5'],
    [{ numThreads: 257 }, 'an integer from 1 to 256, or -1 for the default; got 257'],
    [{ device: 'GPU' }, 'one of auto, webnn, gpu, npu, cpu; got "GPU"'],
    [{ enableWebnnDelegate: 'yes' }, 'true or false; got "yes"'],
    [{ webnnDelegateOptions: true }, 'an object; got true'],
    [{ customOps: 5 }, 'an object of custom ops, or the address of a module that exports one; got 5'],
    [{ wasmPath: null }, 'a string; got null'],
    [{ cache: 'yes' }, 'true, false or an object; got "yes"'],
    [{ cache: { maxBytes: '1 MB' } }, 'an integer, 0 or more; got "1 MB"'],
    [{ integrity: 'md5-abc' }, 'a hash as sha384-…; got "md5-abc"'],
    [{ maxKeptShapes: -1 }, 'an integer, 0 or more; got -1'],
    [{ inputShapes: [[-1]] }, 'a list of shapes; got -1'],
    [{ inputShapes: [[2 ** 31]] }, 'a list of shapes; got 2147483648'],
    [{ onProgress: {} }, 'a function; got [object Object]'],
    [{ variant: 'simd_threads' }, 'one of auto, simd, relaxed-simd, simd-threads, relaxed-simd-threads;'],
  ])('is rejected with what is expected: %j', async (options, expected) => {
    expect(await rejection(options)).toContain(` is ${expected}`);
  });
});

it('accepts every option that there is, and undefined for any', async () => {
  const options: Required<TFLiteModelOptions> = {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    numThreads: 2,
    cache: { maxBytes: 1000 },
    integrity: 'sha384-abc',
    enableProfiling: true,
    maxProfilingBufferEntries: 0,
    inputShapes: [[1, 2]],
    maxKeptShapes: 1,
    device: 'webnn',
    enableWebnnDelegate: true,
    webnnDelegateOptions: { devicePreference: 'gpu', allowedOps: ['ADD'], blockingHelper: 'helper.mjs' },
    enableXnnpackDelegate: false,
    customOps: { Mine: { run: () => undefined } },
    wasmPath: '/wasm/',
    variant: 'simd',
  };
  expect(await rejection(options)).toBe('accepted');
  expect(await rejection({ ...options, numThreads: -1 })).toBe('accepted');
  expect(await rejection(Object.fromEntries(Object.keys(options).map((name) => [name, undefined])))).toBe('accepted');
});

describe('of a worker', () => {
  const worker = { postMessage: () => undefined, addEventListener: () => undefined } as unknown as Worker;

  it.each([
    [{ uri: 'worker.mjs' }, 'there is no option "uri": did you mean url?'],
    [{ numThreads: 2 }, 'there is no option "numThreads": it is one of url, worker'],
    [{ url: 5 }, 'the option "url" is a string or a URL; got 5'],
    [{ worker: 'worker.mjs' }, 'the option "worker" is a worker; got "worker.mjs"'],
  ])('are checked before it starts: %j', (options, message) => {
    expect(() => new TFLiteWorker(options as TFLiteWorkerOptions)).toThrow(message);
    expect(() => new NodeTFLiteWorker(options as NodeTFLiteWorkerOptions)).toThrow(message);
  });

  it('and those of its models before anything crosses', async () => {
    const loading = new TFLiteWorker({ worker }).loadTFLiteModel('nowhere.tflite', {
      onprogress: 1,
    } as TFLiteModelOptions);
    await expect(loading).rejects.toThrow('did you mean onProgress?');
  });
});

it('rejects before anything is fetched', async () => {
  const options = { enableWebNNDelegate: true } as TFLiteModelOptions;
  await expect(loadTFLiteModel('nowhere.tflite', options)).rejects.toThrow(OptionError);
});
