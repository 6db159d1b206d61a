/** Pixels of everything that a page, a worker or Node has images in. */

import { checkArguments } from 'tflite-webnn';
import type { Kind } from 'tflite-webnn/option_schema';
import { drawnPixels } from './canvas.js';
import { ImageError, type ImageSource, type OpenImage, type PixelData, type Pixels } from './image_source.js';
import type { Size } from './placement.js';

const CANVAS = 'OffscreenCanvas';
// What a canvas can draw, by the name of its class: an element of another window has another class of the same name.
const SIZES: Readonly<Record<string, readonly [width: string, height: string]>> = {
  HTMLImageElement: ['naturalWidth', 'naturalHeight'],
  HTMLCanvasElement: ['width', 'height'],
  [CANVAS]: ['width', 'height'],
  ImageBitmap: ['width', 'height'],
  HTMLVideoElement: ['videoWidth', 'videoHeight'],
  VideoFrame: ['displayWidth', 'displayHeight'],
};
// These have a size of 0 only when they are closed.
const CLOSABLE = ['ImageBitmap', 'VideoFrame'];
const BLOBS = ['Blob', 'File'];
// The script that decodes these is loaded with the first of them.
const DECODED = [...BLOBS, 'HTMLImageElement', 'HTMLVideoElement', 'VideoFrame'];
const BYTES = ['Uint8Array', 'Uint8ClampedArray'];
const HAVE_CURRENT_DATA = 2;
const RGBA = 4;
const INTEGER: Kind = ['an integer', Number.isInteger];
const CHANNELS = [1, 3, RGBA];

/**
 * Opens an image; waits for an image that is loading, and decodes a Blob.
 *
 * @throws ImageError
 */
export async function openImage(source: ImageSource): Promise<OpenImage> {
  const kind = kindOf(source);
  if (!DECODED.includes(kind)) return openImageSync(source);
  const { openDecoded } = await import('./decoding.js');
  return openDecoded(source, kind, openImageSync);
}

/**
 * Opens an image that can be read synchronously.
 *
 * @throws ImageError, also for a Blob, which has to be decoded first.
 */
export function openImageSync(source: ImageSource): OpenImage {
  const kind = kindOf(source);
  if (BLOBS.includes(kind)) {
    throw new ImageError('IMAGE_SOURCE', 'A Blob must be decoded first, by createImageBitmap().');
  }
  if (kind === 'HTMLVideoElement') checkFrame(source as HTMLVideoElement);
  if (kind === 'ImageData' && !isPlain(source as ImageData))
    return openDrawable(drawnFrom(source as ImageData), CANVAS);
  return Object.hasOwn(SIZES, kind) ? openDrawable(source as CanvasImageSource, kind) : openPixels(source as PixelData);
}

/** Whether its bytes are sRGB. */
function isPlain({ data, colorSpace = 'srgb' }: ImageData): boolean {
  return colorSpace === 'srgb' && BYTES.includes(kindOf(data));
}

/** The browser converts its colors. */
function drawnFrom(data: ImageData): OffscreenCanvas {
  const canvas = new OffscreenCanvas(data.width, data.height);
  canvas.getContext('2d')?.putImageData(data, 0, 0);
  return canvas;
}

/** Name of an object's class, also of one from another window. */
function kindOf(provided: unknown): string {
  return Object.prototype.toString.call(provided).slice('[object '.length, -1);
}

/**
 * Width and height of an image that can be read synchronously.
 *
 * @param source - An image that has loaded, a canvas, video, frame, bitmap, or pixels in memory.
 * @throws ImageError
 */
export function imageSize(source: ImageSource): Size {
  const { width, height } = openImageSync(source);
  return { width, height };
}

function checkFrame({ readyState }: HTMLVideoElement): void {
  if (readyState >= HAVE_CURRENT_DATA) return;
  throw new ImageError('IMAGE_EMPTY', 'The video shows no frame yet: wait for its event loadeddata.');
}

function openDrawable(source: CanvasImageSource, kind: string): OpenImage {
  const [widthKey, heightKey] = SIZES[kind] as readonly [string, string];
  const sizes = source as unknown as Readonly<Record<string, number>>;
  const [width = 0, height = 0] = [sizes[widthKey], sizes[heightKey]];
  if (width === 0 || height === 0) throw nothingIn(source, kind, width, height);
  return {
    width,
    height,
    read: (box) => ({
      pixels: {
        data: drawnPixels(source, { width, height }, box),
        width: box.width,
        height: box.height,
        channels: RGBA,
      },
      left: box.left,
      top: box.top,
    }),
  };
}

function nothingIn(source: CanvasImageSource, kind: string, width: number, height: number): Error {
  const isGone = CLOSABLE.includes(kind) || (kind === CANVAS && isDetached(source as OffscreenCanvas));
  if (isGone) return new ImageError('IMAGE_DETACHED', `The ${kind} has been closed, or moved to another thread.`);
  return empty(kind, width, height);
}

function empty(kind: string, width: number, height: number): ImageError {
  return new ImageError('IMAGE_EMPTY', `The ${kind} has no pixels: it is ${width} x ${height}.`);
}

/** A canvas that was posted to a worker is 0 x 0 and has no context. */
function isDetached(canvas: OffscreenCanvas): boolean {
  try {
    canvas.getContext('2d');
    return false;
  } catch {
    return true;
  }
}

function openPixels(source: PixelData): OpenImage {
  const pixels = checkPixels(source);
  return { width: pixels.width, height: pixels.height, read: () => ({ pixels, left: 0, top: 0 }) };
}

function checkPixels(source: PixelData): Pixels {
  const { data, width: columns = 0, height: rows = 0 } = (source ?? {}) as Partial<PixelData>;
  if (!data || !BYTES.includes(kindOf(data))) {
    throw new ImageError(
      'IMAGE_SOURCE',
      'The source is an <img>, canvas, video, VideoFrame, ImageBitmap, Blob, or { data, width, height } with bytes.',
    );
  }
  checkArguments(
    'imageToTensor',
    { source },
    { source: { width: INTEGER, height: INTEGER } },
    (...provided) => new ImageError('IMAGE_SOURCE', ...provided),
  );
  if (columns <= 0 || rows <= 0) throw empty('image', columns, rows);
  if (data.length === 0) throw new ImageError('IMAGE_DETACHED', 'The pixels have been moved to another thread.');
  const channels = data.length / (columns * rows);
  if (CHANNELS.includes(channels)) return { data, width: columns, height: rows, channels };
  throw new ImageError(
    'IMAGE_SOURCE',
    `${columns} x ${rows} pixels have ${data.length} bytes: it must be 1 (grey), 3 (RGB) or 4 (RGBA) for each.`,
  );
}
