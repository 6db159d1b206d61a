/** The polyfill's engines on WebGPU and WebGL, emulated on the CPU by Chromium: tensors, memory, losses. */

import { webnnOf } from 'tflite-webnn/polyfill';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chain, exchange, exchanged, lose, setUp, used } from '../../web_tests/pages/gpu_tensors.mjs';

type Engine = 'webgpu' | 'webgl';
type SetUp = Awaited<ReturnType<typeof setUp>>;

const errorText = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => `${error.name}: ${error.message}`,
  );

/** Engines of other tests in this page may still release what they held. */
function expectNoMore(after: Record<string, number>, before: Record<string, number>): void {
  for (const [name, count] of Object.entries(before)) expect(after[name], name).toBeLessThanOrEqual(count);
}

describe.each<Engine>(['webgpu', 'webgl'])('on %s', (engine) => {
  let resources: SetUp;
  beforeEach(async () => {
    resources = await setUp(webnnOf, engine);
  });

  it('tensors stay on the GPU, and memory does not grow', async () => {
    expect(await chain(resources)).toBe(150);
    const before = used();
    expect(await chain(resources)).toBe(50);
    expectNoMore(used(), before);
    expect('_tfengine' in globalThis || '_tfGlobals' in globalThis).toBe(false);
  });

  it('a lost GPU is a lost context, and the next one computes', async () => {
    expect(await chain(resources)).toBe(150);
    const lost = await lose(resources);
    expect(lost.message).toContain('was lost');
    expect(lost.error).toBe('InvalidStateError');
    expect(await chain(await setUp(webnnOf, engine))).toBe(150);
  });
});

it('WebNN and WebGPU use a tensor alternately', async () => {
  const resources = await setUp(webnnOf, 'webgpu');
  expect(await exchange(resources)).toEqual(exchanged());
  const before = used();
  await exchange(resources);
  expectNoMore(used(), before);
});

it.each([
  ['webgl', 'float32', 'shares no memory'],
  ['webgpu', 'float32', 'not the GPUDevice'],
  ['webgpu', 'uint8', 'data type is uint8'],
] as const)('a tensor that cannot be exported is an error: %s, %s', async (engine, dataType, reason) => {
  const { context, device } = await setUp(webnnOf, engine);
  const another = await (await navigator.gpu?.requestAdapter())?.requestDevice();
  const descriptor = { dataType, shape: [4] };
  const error = await errorText(context.createExportableTensor(descriptor, dataType === 'uint8' ? device : another));
  expect(error).toMatch(/^NotSupportedError/);
  expect(error).toContain(reason);
});

describe('without WebGPU', () => {
  beforeEach(() => {
    Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
  });
  afterEach(() => void Reflect.deleteProperty(navigator, 'gpu'));

  it('a context is an error with the reason', async () => {
    const error = await errorText(Promise.resolve(webnnOf('webgpu').navigator?.ml?.createContext()));
    expect(error).toMatch(/^NotSupportedError/);
    expect(error).toContain('WebGPU is not there');
  });
});
