/** Options that are misspelt or of another type, at every level. */

import { describe, expect, it } from 'vitest';
import { OptionError } from '../src/errors.js';
import { loadTFLiteModel } from '../src/load/load_tflite_model.js';
import { TFLiteWorker as NodeTFLiteWorker, type NodeTFLiteWorkerOptions } from '../src/node_worker.js';
import { checkOptions, type TFLiteModelOptions } from '../src/options.js';
import { TFLiteWorker, type TFLiteWorkerOptions } from '../src/worker/tflite_worker.js';

function refusal(options: object): string {
  try {
    checkOptions(options as TFLiteModelOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return (error as Error).message;
  }
  return 'accepted';
}

describe('an unknown name', () => {
  it.each([
    [{ enableWebNNDelegate: true }, 'there is no option "enableWebNNDelegate": did you mean enableWebnnDelegate?'],
    [{ numThread: 4 }, 'there is no option "numThread": did you mean numThreads?'],
    [
      { webnnDelegateOptions: { devicePreferences: 'gpu' } },
      'there is no option "webnnDelegateOptions.devicePreferences": did you mean webnnDelegateOptions.devicePreference?',
    ],
  ])('is answered with the nearest one: %j', (options, message) => {
    expect(refusal(options)).toBe(message);
  });

  it('is answered with all names if none is near', () => {
    expect(refusal({ quantize: true })).toMatch(/^there is no option "quantize": it is one of signal, onProgress, /);
  });

  it('is not found on the prototype of the table', () => {
    expect(refusal({ toString: 'x' })).toMatch(/^there is no option "toString"/);
  });

  it('is that of something else than an object', () => {
    expect(refusal(null as unknown as object)).toBe('the options are an object; they were given as null');
  });
});

describe('a wrong value', () => {
  it.each([
    [{ webnnDelegateOptions: { devicePreference: 'GPU' } }, 'one of default, gpu, cpu, npu; it was given "GPU"'],
    [{ webnnDelegateOptions: { maxPartitions: -1 } }, 'an integer, 0 or more; it was given -1'],
    [{ webnnDelegateOptions: { deniedOps: 'ADD' } }, 'an array; it was given "ADD"'],
    [{ webnnDelegateOptions: { blockingHelper: 5 } }, 'an address or a worker; it was given 5'],
    [{ webnnDelegateOptions: { blockingHelper: [] } }, 'an address or a worker; it was given'],
    [{ numThreads: 0 }, 'an integer from 1 to 256, or -1 for the default; it was given 0'],
    [{ numThreads: '4' }, 'an integer from 1 to 256, or -1 for the default; it was given "4"'],
    [{ numThreads: 1.5 }, 'an integer from 1 to 256, or -1 for the default; it was given 1.5'],
    [{ numThreads: 257 }, 'an integer from 1 to 256, or -1 for the default; it was given 257'],
    [{ device: 'GPU' }, 'one of auto, webnn, gpu, npu, cpu; it was given "GPU"'],
    [{ enableWebnnDelegate: 'yes' }, 'true or false; it was given "yes"'],
    [{ webnnDelegateOptions: true }, 'an object; it was given true'],
    [{ customOps: 5 }, 'an object of custom ops, or the address of a module that exports one; it was given 5'],
    [{ wasmPath: null }, 'a string; it was given null'],
    [{ cache: 'yes' }, 'true, false or an object; it was given "yes"'],
    [{ cache: { maxBytes: '1 MB' } }, 'an integer, 0 or more; it was given "1 MB"'],
    [{ integrity: 'md5-abc' }, 'a hash as sha384-…; it was given "md5-abc"'],
    [{ maxKeptShapes: -1 }, 'an integer, 0 or more; it was given -1'],
    [{ inputShapes: [[-1]] }, 'a list of shapes; it was given -1'],
    [{ inputShapes: [[2 ** 31]] }, 'a list of shapes; it was given 2147483648'],
    [{ onProgress: {} }, 'a function; it was given [object Object]'],
    [{ variant: 'simd_threads' }, 'one of auto, simd, relaxed-simd, simd-threads, relaxed-simd-threads;'],
  ])('is answered with what is wanted: %j', (options, wanted) => {
    expect(refusal(options)).toContain(` is ${wanted}`);
  });
});

it('takes every option that there is, and undefined for any', () => {
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
  expect(refusal(options)).toBe('accepted');
  expect(refusal({ ...options, numThreads: -1 })).toBe('accepted');
  expect(refusal(Object.fromEntries(Object.keys(options).map((name) => [name, undefined])))).toBe('accepted');
});

describe('of a worker', () => {
  const worker = { postMessage: () => undefined, addEventListener: () => undefined } as unknown as Worker;

  it.each([
    [{ uri: 'worker.mjs' }, 'there is no option "uri": did you mean url?'],
    [{ numThreads: 2 }, 'there is no option "numThreads": it is one of url, worker'],
    [{ url: 5 }, 'the option "url" is a string or a URL; it was given 5'],
    [{ worker: 'worker.mjs' }, 'the option "worker" is a worker; it was given "worker.mjs"'],
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

it('refuses before anything is fetched', async () => {
  const options = { enableWebNNDelegate: true } as TFLiteModelOptions;
  await expect(loadTFLiteModel('nowhere.tflite', options)).rejects.toThrow(OptionError);
});
