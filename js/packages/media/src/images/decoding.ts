/** Images that a browser decodes before they have pixels: Blobs, images, frames of videos. */

import { ImageError, type ImageSource, type OpenImage } from './image_source.js';
import { MAX_KEPT_BYTES } from './scratch.js';

const FORMAT: VideoFrameCopyToOptions = { format: 'RGBA' };
const channels = 4;
/** A frame of 2 x 2 pixels: 6 bytes in its own format. */
const SMALLEST: VideoFrameBufferInit = { format: 'I420', codedWidth: 2, codedHeight: 2, timestamp: 0 };

/** Pixels that no conversion uses now, for the next frame of the same size; of two videos at most. */
const MAX_UNUSED = 2;
const unused: Uint8ClampedArray<ArrayBuffer>[] = [];

let converts = false;

/** Opens a Blob, image, video or frame, once it has pixels: by `open`, or without a canvas. */
export async function openDecoded(
  source: ImageSource,
  kind: string,
  open: (source: ImageSource) => OpenImage,
): Promise<OpenImage> {
  if (kind === 'HTMLImageElement') {
    await loadImage(source as HTMLImageElement);
    return open(source);
  }
  if (kind !== 'Blob' && kind !== 'File') return (await copyFrame(source as VideoFrame)) ?? open(source);
  const bitmap = await decodeBlob(source as Blob);
  return { ...open(bitmap), close: () => bitmap.close() };
}

/** The bitmap of an encoded image, e.g. of a file. */
async function decodeBlob(blob: Blob): Promise<ImageBitmap> {
  if (typeof createImageBitmap === 'undefined') {
    throw new ImageError(
      'IMAGE_DECODE_FAILED',
      'Nothing here decodes images: use a package, e.g. sharp, and pass { data, width, height }.',
    );
  }
  try {
    return await createImageBitmap(blob);
  } catch (error) {
    const type = blob.type ? ` (${blob.type})` : '';
    throw new ImageError('IMAGE_DECODE_FAILED', `The browser cannot decode the file${type}.`, { cause: error });
  }
}

/** Waits for an image. */
async function loadImage(image: HTMLImageElement): Promise<void> {
  if (image.complete && image.naturalWidth > 0) return;
  try {
    await image.decode();
  } catch (error) {
    const name = image.currentSrc || image.src || 'without a src';
    throw new ImageError('IMAGE_DECODE_FAILED', `The image ${name} cannot be loaded.`, { cause: error });
  }
}

/**
 * Copies the pixels of a frame, or of the one that a video shows, which takes a fifth of the time that a canvas takes.
 *
 * @returns null where a canvas has to draw it.
 */
async function copyFrame(source: VideoFrame | HTMLVideoElement): Promise<OpenImage | null> {
  let frame: VideoFrame | undefined;
  try {
    converts ||= convertsColors();
    frame = new VideoFrame(source); // of a frame it is a second handle, without a copy
    return converts && isDrawnAsItIs(frame) ? await copyPixels(frame) : null;
  } catch {
    return null; // no such class, closed, tainted, or of a rare format: drawing works, or says what is wrong
  } finally {
    frame?.close();
  }
}

/** Whether the browser knows the option; one that does not returns the frame's own planes. */
function convertsColors(): boolean {
  const frame = new VideoFrame(new Uint8Array(6), SMALLEST);
  const sizeBytes = frame.allocationSize(FORMAT);
  frame.close();
  return sizeBytes === 16;
}

/** Neither rotated, mirrored nor stretched. */
function isDrawnAsItIs(frame: VideoFrame & { readonly rotation?: number; readonly flip?: boolean }): boolean {
  const { visibleRect, displayWidth, displayHeight } = frame;
  return !frame.rotation && !frame.flip && visibleRect?.width === displayWidth && visibleRect.height === displayHeight;
}

async function copyPixels(frame: VideoFrame): Promise<OpenImage> {
  const { displayWidth: width, displayHeight: height } = frame;
  const length = width * height * channels;
  let data = unused.pop();
  if (data?.length !== length) data = new Uint8ClampedArray(length);
  await frame.copyTo(data, FORMAT);
  return {
    width,
    height,
    read: () => ({ pixels: { data, width, height, channels }, left: 0, top: 0 }),
    close() {
      if (unused.length < MAX_UNUSED && data.byteLength <= MAX_KEPT_BYTES) unused.push(data);
    },
  };
}
