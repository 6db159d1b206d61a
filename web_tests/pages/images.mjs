// Images through the package's image.mjs and tasks.mjs, in a page, a worker or Node: the harness's calls of
// web_tests/drivers/images.py.

import { addressOf, putArrays } from './called.mjs';

async function blobAt(url) {
  return (await fetch(addressOf(url))).blob();
}

async function drawn(url, canvasOf) {
  const bitmap = await createImageBitmap(await blobAt(url));
  const canvas = canvasOf(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  return canvas;
}

function offscreen(width, height) {
  return new OffscreenCanvas(width, height);
}

function onscreen(width, height) {
  return Object.assign(document.createElement('canvas'), { width, height });
}

function closed(source) {
  source.close();
  return source;
}

// Everything that an image can be, by the address of a file.
const OPEN = {
  Blob: blobAt,
  HTMLImageElement: (url) => Object.assign(new Image(), { src: url }), // it is still loading
  HTMLCanvasElement: (url) => drawn(url, onscreen),
  OffscreenCanvas: (url) => drawn(url, offscreen),
  ImageBitmap: async (url) => createImageBitmap(await blobAt(url)),
  async ImageData(url) {
    const canvas = await drawn(url, offscreen);
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  },
  VideoFrame: async (url) => new VideoFrame(await drawn(url, offscreen), { timestamp: 0 }),
  async HTMLVideoElement(url) {
    const canvas = await drawn(url, onscreen);
    const video = Object.assign(document.createElement('video'), { srcObject: canvas.captureStream(), muted: true });
    const shown = new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
    await video.play();
    await shown;
    return video;
  },
  // Raw bytes that another program has decoded: width and height in the address's fragment.
  async pixels(url) {
    const [address, size] = url.split('#');
    const [width, height] = size.split('x').map(Number);
    const data = new Uint8Array(await (await fetch(addressOf(address))).arrayBuffer());
    return { data, width, height };
  },
  // What cannot be converted.
  closedBitmap: async (url) => closed(await OPEN.ImageBitmap(url)),
  closedFrame: async (url) => closed(await OPEN.VideoFrame(url)),
  async detachedCanvas() {
    const canvas = offscreen(4, 4);
    structuredClone(canvas, { transfer: [canvas] });
    return canvas;
  },
  emptyCanvas: () => onscreen(0, 4),
  emptyOffscreenCanvas: () => offscreen(0, 0),
  videoWithoutFrame: () => document.createElement('video'),
  brokenImage: () => Object.assign(new Image(), { src: '/no-such-image.png' }),
  async taintedCanvas(url) {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const canvas = onscreen(image.naturalWidth, image.naturalHeight);
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas;
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

  /** Converts an image that cannot be -> the error, whether it is one of the package, and whether the next one works. */
  async refuseImage({ kind, url, good, input }) {
    const [{ imageToTensor }, { TFLiteWebnnError }] = await Promise.all(
      ['image', 'index'].map((name) => import(`/package/${name}.mjs`)),
    );
    const error = await imageToTensor(await OPEN[kind](url), input).catch((reason) => reason);
    const { data } = await imageToTensor(await OPEN.ImageBitmap(good), input);
    return { code: error.code, isOfPackage: error instanceof TFLiteWebnnError, nextWorks: data.some((value) => value > 0) };
  },

  /** Runs a task on an image -> its answer; a mask is PUT to /exchange/KEY/0. */
  async runTask({ task, model, url, options, head }, key) {
    const [tasks, results] = await Promise.all(['tasks', 'results'].map((name) => import(`/package/${name}.mjs`)));
    const [headName, headOptions] = head ?? [];
    const made = await tasks[task].create(addressOf(model), {
      ...options,
      ...(headName && { head: results[headName](headOptions) }),
    });
    try {
      return await TASKS[task](made, await OPEN.Blob(url), key);
    } finally {
      await made.dispose();
    }
  },
};
