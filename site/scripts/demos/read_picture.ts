/** Pictures from files, and frames of a camera, as pixels. */

import { create } from '../common/dom.js';

/** The browser cannot show a file as a picture. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

// A photo of a phone has 12 million pixels; no model here sees more than 66,049 of them.
const MAX_SIDE = 1024;

const canvas = create('canvas');
const drawing = canvas.getContext('2d', { willReadFrequently: true });

/**
 * Reads a picture file.
 *
 * @throws PictureError where the browser knows no such pictures.
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
    throw new PictureError(`This file${kind} is no picture that this browser can show. Try a JPEG or PNG file.`, {
      cause: error instanceof PictureError ? undefined : error,
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Reads what is drawable now: an image, or the frame that a video shows. */
export function pixelsOf(source: CanvasImageSource, width: number, height: number): ImageData {
  if (!drawing || width === 0 || height === 0) throw new PictureError('The picture has no size.');
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(source, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}
