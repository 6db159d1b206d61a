// Images through the package's image.mjs and tasks.mjs, in a page, a worker or Node: the harness's calls of
// web_tests/drivers/images.py.

import { addressOf, putArrays } from './called.mjs';

async function blobAt(url) {
  return (await fetch(addressOf(url))).blob();
}

// What an image can be in every engine, by the address of a file.
const OPEN = {
  Blob: blobAt,
  ImageBitmap: async (url) => createImageBitmap(await blobAt(url)),
  async OffscreenCanvas(url) {
    const bitmap = await OPEN.ImageBitmap(url);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas;
  },
  // Raw bytes that another program has decoded: width and height in the address's fragment.
  async pixels(url) {
    const [address, size] = url.split('#');
    const [width, height] = size.split('x').map(Number);
    const data = new Uint8Array(await (await fetch(addressOf(address))).arrayBuffer());
    return { data, width, height };
  },
};

const TASKS = {
  ImageClassifier: (task, image) => task.classify(image),
  ObjectDetector: (task, image) => task.detect(image),
  ImageSegmenter: async (task, image, key) => {
    const { width, height, classes } = (await task.segment(image)).classMask();
    await putArrays([classes], key);
    return { width, height };
  },
};

export const imageCalls = {
  /** Converts an image; the values are PUT to /exchange/KEY/0. -> { placement, shape, dtype } */
  async convertImage({ kind, url, input, options }, key) {
    const { imageToTensor } = await import('/package/image.mjs');
    const { data, ...properties } = await imageToTensor(await OPEN[kind](url), input, options);
    await putArrays([data], key);
    return properties;
  },

  /** Runs a task on an image -> its result; a mask is PUT to /exchange/KEY/0. */
  async runTask({ task, model, url, options, head }, key) {
    const [tasks, results] = await Promise.all(['tasks', 'results'].map((name) => import(`/package/${name}.mjs`)));
    const [headName, headOptions] = head ?? [];
    const created = await tasks[task].create(addressOf(model), {
      ...options,
      ...(headName && { head: results[headName](headOptions) }),
    });
    try {
      return await TASKS[task](created, await OPEN.Blob(url), key);
    } finally {
      await created.dispose();
    }
  },
};
