import type { ImageSource } from '@tflite-webnn/media/images';
import { afterEach, expect, it, vi } from 'vitest';
import { inputOf } from './patterned.js';

afterEach(() => {
  vi.resetModules(); // they know that there is none
});

it('an image needs pixels where there is no canvas', async () => {
  vi.resetModules(); // the canvas of the tests before
  vi.stubGlobal('OffscreenCanvas', undefined);
  const { imageToTensor } = await import('@tflite-webnn/media/images');
  const image = { [Symbol.toStringTag]: 'ImageBitmap', width: 2, height: 2 } as unknown as ImageSource;
  await expect(imageToTensor(image, inputOf('uint8', 2, 2))).rejects.toThrow('pass { data');
});
