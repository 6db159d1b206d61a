/** Reads pixels from image files and camera frames. */

import { create } from '../common/dom.js';

/** The browser cannot decode an image file. */
export class UnreadableImageError extends Error {
  override readonly name = 'UnreadableImageError';
}

// A phone's photo has 12 million pixels; the largest model input here has 66,049.
const MAX_SIDE = 1024;

const canvas = create('canvas');
const drawing = canvas.getContext('2d', { willReadFrequently: true });

/**
 * Reads an image file.
 *
 * @throws UnreadableImageError if the browser does not support the format.
 */
export async function readImage(file: Blob): Promise<ImageData> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return pixelsOf(image, image.naturalWidth, image.naturalHeight);
  } catch (error) {
    const kind = file.type ? ` (${file.type})` : '';
    throw new UnreadableImageError(`This browser cannot decode the file${kind} as an image. Try a JPEG or PNG file.`, {
      cause: error instanceof UnreadableImageError ? undefined : error,
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Reads the pixels of an image, or of a video's current frame. */
export function pixelsOf(source: CanvasImageSource, width: number, height: number): ImageData {
  if (!drawing || width === 0 || height === 0) throw new UnreadableImageError('The image has no pixels.');
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(source, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}
