// @ts-check

/** A WebGPU without adapter, for test_polyfill_gpu.py. */

import { load } from './package.mjs';

/** -> the message of the error */
export async function messageWithoutAdapter() {
  const scope = /** @type {any} */ (globalThis);
  scope.navigator ??= {};
  Object.defineProperty(scope.navigator, 'gpu', { value: { requestAdapter: async () => null } });
  const { webnnOf } = await load('polyfill.mjs');
  return webnnOf('webgpu')
    .navigator.ml.createContext()
    .then(
      () => '',
      (/** @type {Error} */ { message }) => message,
    );
}
