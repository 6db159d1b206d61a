/** The engines on a GPU without one: in Node. */

import { expect, test } from 'vitest';
import { type ML, webnnOf } from 'webnn-polyfill';

test.each([
  ['webgpu', 'WebGPU is not there'],
  ['webgl', 'WebGL is not there'],
] as const)('%s says what is missing', async (engine, reason) => {
  const ml = webnnOf(engine).navigator?.ml as unknown as ML;
  const error = await ml.createContext().catch((caught: DOMException) => caught);
  expect(error).toMatchObject({ name: 'NotSupportedError', message: expect.stringContaining(reason) });
});
