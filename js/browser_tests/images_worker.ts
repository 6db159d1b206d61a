/** Converts images in a worker; images.test.ts calls it by Comlink. */

import { expose } from 'comlink';
import { type ImageInput, type ImageOptions, imageToTensor } from 'tflite-webnn/image';
import { IN_WORKERS } from './image_sources.js';

const api = {
  async convert(kind: keyof typeof IN_WORKERS, input: ImageInput, options: Omit<ImageOptions, 'tensor'>) {
    const { data, placement } = await imageToTensor(await IN_WORKERS[kind](), input, options);
    return { data, placement };
  },
};

export type ImagesWorker = typeof api;
expose(api);
