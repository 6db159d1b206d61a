import { afterEach, expect, it, vi } from 'vitest';
import type { ImageSource } from '../src/images/index.js';
import { inputOf } from './patterned.js';

afterEach(() => {
  vi.resetModules(); // they know that there is none
});

it('requests pixels', async () => {
  vi.resetModules(); // the canvas of the tests before
  vi.stubGlobal('OffscreenCanvas', undefined);
  const { imageToTensor } = await import('../src/images/index.js');
  const image = { [Symbol.toStringTag]: 'ImageBitmap', width: 2, height: 2 } as unknown as ImageSource;
  await expect(imageToTensor(image, inputOf('uint8', 2, 2))).rejects.toThrow('pass { data');
});
