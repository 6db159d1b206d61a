/** Everything that an image can be, from the file and the pixels of one image. Nothing here is vitest's: workers import it. */

import type { ImageSource } from 'tflite-webnn/image';

export const FILE = '/fixtures/chelsea.png';
export const SIZE = { width: 451, height: 300 };

type Source = Record<string, () => ImageSource | Promise<ImageSource>>;

/** The pixels of the image, three bytes each, as Pillow reads them. */
export const pixelsOfFile = async () => new Uint8Array(await (await fetch('/fixtures/chelsea.rgb')).arrayBuffer());

const blob = async () => (await fetch(FILE)).blob();
const bitmap = async () => createImageBitmap(await blob());

const offscreen = (width: number, height: number) => new OffscreenCanvas(width, height);
const onscreen = (width: number, height: number) => Object.assign(document.createElement('canvas'), { width, height });

async function drawn<Canvas extends OffscreenCanvas | HTMLCanvasElement>(
  canvasOf: (width: number, height: number) => Canvas,
): Promise<Canvas> {
  const image = await bitmap();
  const canvas = canvasOf(image.width, image.height);
  (canvas.getContext('2d') as CanvasRenderingContext2D).drawImage(image, 0, 0);
  return canvas;
}

/** What exists in workers, too. */
export const IN_WORKERS = {
  Blob: blob,
  OffscreenCanvas: () => drawn(offscreen),
  ImageBitmap: bitmap,
  ImageData: async () => {
    const canvas = await drawn(offscreen);
    return (canvas.getContext('2d') as OffscreenCanvasRenderingContext2D).getImageData(0, 0, SIZE.width, SIZE.height);
  },
  VideoFrame: async () => new VideoFrame(await drawn(offscreen), { timestamp: 0 }),
  pixels: async () => ({ data: await pixelsOfFile(), ...SIZE }),
} satisfies Source;

export const IN_PAGES = {
  HTMLImageElement: () => Object.assign(new Image(), { src: FILE }), // it is still loading
  HTMLCanvasElement: () => drawn(onscreen),
  ...IN_WORKERS,
} satisfies Source;

/** A video whose only frame is the image. */
export async function video(): Promise<HTMLVideoElement> {
  const canvas = await drawn(onscreen);
  const element = Object.assign(document.createElement('video'), { srcObject: canvas.captureStream(), muted: true });
  const shown = new Promise((resolve) => element.addEventListener('loadeddata', resolve, { once: true }));
  await element.play();
  await shown;
  return element;
}

function closed<Closable extends ImageBitmap | VideoFrame>(source: Closable): Closable {
  source.close();
  return source;
}

/** What cannot be converted, with the code of the error. */
export const UNUSABLE = {
  'a closed bitmap': ['IMAGE_DETACHED', async () => closed(await bitmap())],
  'a closed frame': ['IMAGE_DETACHED', async () => closed(await IN_WORKERS.VideoFrame())],
  'a detached canvas': [
    'IMAGE_DETACHED',
    () => {
      const canvas = offscreen(4, 4);
      structuredClone(canvas, { transfer: [canvas] });
      return canvas;
    },
  ],
  'an empty canvas': ['IMAGE_EMPTY', () => onscreen(0, 4)],
  'an empty OffscreenCanvas': ['IMAGE_EMPTY', () => offscreen(0, 0)],
  'a video without a frame': ['IMAGE_EMPTY', () => document.createElement('video')],
  'a broken image': ['IMAGE_DECODE_FAILED', () => Object.assign(new Image(), { src: '/package/no-such-image.png' })],
  'a file that is not an image': ['IMAGE_DECODE_FAILED', async () => (await fetch('/package/manifest.json')).blob()],
} satisfies Record<string, [code: string, source: Source[string]]>;

/** An image of another origin, which may be shown in this page. */
export const ELSEWHERE = 'http://elsewhere.test/image.png';

export const OF_ANOTHER_ORIGIN = {
  'an image': () => Object.assign(new Image(), { src: ELSEWHERE }),
  'a canvas': async () => {
    const image = Object.assign(new Image(), { src: ELSEWHERE });
    await image.decode();
    const canvas = onscreen(image.naturalWidth, image.naturalHeight);
    (canvas.getContext('2d') as CanvasRenderingContext2D).drawImage(image, 0, 0);
    return canvas;
  },
} satisfies Source;
