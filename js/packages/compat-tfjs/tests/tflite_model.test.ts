/** What needs no TensorFlow.js, on a loader in place of the package's. */

import { loadTFLiteModel, TFLiteModel } from '@tflite-webnn/compat-tfjs';
import * as tflite from 'tflite-webnn';
import { BlockingError, type TFLiteModel as CoreModel, type Model } from 'tflite-webnn';
import { expect, it, vi } from 'vitest';

type Load = (source: unknown, options?: object) => Promise<CoreModel>;

// vitest.config.ts replaces the package by a module whose loader a test can replace.
const { loader } = tflite as unknown as { readonly loader: { load: Load } };
const onCpu = { inputs: [], outputs: [], executionMode: 'cpu', run: async () => [] } as unknown as CoreModel;

it.each([
  ['bytes', new Uint8Array(8), 2],
  ['a response', new Response('TFL3'), 1],
  ['a stream', new Response('TFL3').body, 1],
])('loads without blocking what can be read a second time: %s', async (_, source, times) => {
  const load = vi.spyOn(loader, 'load').mockRejectedValueOnce(new BlockingError('Not here.')).mockResolvedValue(onCpu);
  const loading = loadTFLiteModel(source as Uint8Array, { device: 'webnn' });
  if (times === 2) await loading;
  else await expect(loading).rejects.toThrow(/^Not here\. A Response or stream is read only once: pass bytes/);
  expect(load).toHaveBeenCalledTimes(times);
});

it('ends by `using` without a word where the worker is gone', async () => {
  let isDisposed = false;
  const dispose = async () => {
    isDisposed = true;
    throw new Error('the worker is gone');
  };
  const model = new TFLiteModel({ ...onCpu, dispose } as unknown as Model);
  model[Symbol.dispose](); // vitest reports rejections that nobody handles
  await new Promise((resolve) => setTimeout(resolve));
  expect(isDisposed).toBe(true);
});
