/** Functions of `customOps` next to threads. */

// needs: variants

import { loadTFLiteModel } from 'tflite-webnn';
import { expect, it } from 'vitest';
import { addressOf, expectClose, floats } from './fixtures.js';

it.each([1, 2])('%i threads share their memory with the functions', async (numThreads) => {
  const options = { device: 'cpu', numThreads, customOps: '/examples/custom_ops.mjs' } as const;
  const model = await loadTFLiteModel(addressOf('two_ops'), options);
  const [y] = await model.run(Float32Array.of(0, 1, 2, 3, -1, -2, 0.1, 0.2));
  const expected = [1, 2, 3].map((x) => (2 * 2 * x) / (1 + 2 * x));
  expectClose(floats(y), expected, 1e-5);
  expect((await model.report()).variant.endsWith('-threads')).toBe(numThreads === 2);
});
