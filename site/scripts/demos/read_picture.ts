/** Reads pixels from picture files and camera frames. */

import { create } from '../common/dom.js';

/** The browser cannot decode a picture file. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

// A phone's photo has 12 million pixels; the largest model input here has 66,049.
const MAX_SIDE = 1024;

const canvas = create('canvas');
const drawing = canvas.getContext('2d', { willReadFrequently: true });

/**
 * Reads a picture file.
 *
 * @throws PictureError if the browser does not support the format.
 */
export async function readPicture(file: Blob): Promise<ImageData> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return pixelsOf(image, image.naturalWidth, image.naturalHeight);
  } catch (error) {
    const kind = file.type ? ` (${file.type})` : '';
    throw new PictureError(`This browser cannot decode the file${kind} as a picture. Try a JPEG or PNG file.`, {
      cause: error instanceof PictureError ? undefined : error,
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Reads the pixels of an image, or of a video's current frame. */
export function pixelsOf(source: CanvasImageSource, width: number, height: number): ImageData {
  if (!drawing || width === 0 || height === 0) throw new PictureError('The picture has no pixels.');
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(source, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}
