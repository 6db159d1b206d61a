/** The canvas that pixels are read through: one for all images, because creating one for each frame is slow. */

import { type Box, ImageError } from './image_source.js';
import type { Size } from './placement.js';
import { MAX_KEPT_BYTES } from './scratch.js';

type Drawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const RGBA = 4;

let drawing: Drawing | null = null;

/**
 * @internal Reads a part of what a canvas can draw, without scaling. All of it is drawn and clipped: of an SVG without a size, the
 * browser interprets a part in other units than those of its `naturalWidth`.
 *
 * @throws ImageError, also where there is no canvas.
 */
export function drawnPixels(
  source: CanvasImageSource,
  size: Size,
  { left, top, width, height }: Box,
): Uint8ClampedArray {
  // It only grows: images of several sizes would create a new one each time.
  drawing = enlarged(drawing, width, height) ?? enlarged(null, width, height);
  if (drawing === null) throw tooLarge();
  drawing.save();
  drawing.beginPath();
  drawing.rect(0, 0, width, height);
  drawing.clip();
  drawing.globalCompositeOperation = 'copy'; // of the image before, nothing must show through
  try {
    drawing.drawImage(source, -left, -top, size.width, size.height);
  } catch (error) {
    throw new ImageError(
      'IMAGE_DETACHED',
      'The browser cannot draw the image: it is broken, or moved to another thread.',
      {
        cause: error,
      },
    );
  } finally {
    drawing.restore();
  }
  try {
    return drawing.getImageData(0, 0, width, height).data;
  } catch (error) {
    drawing = null; // a tainted canvas remains tainted, and one that is too large is of no use
    if ((error as Error).name !== 'SecurityError') throw tooLarge(error);
    throw new ImageError(
      'IMAGE_TAINTED',
      'The image is from another origin: serve it with Access-Control-Allow-Origin, and load it with ' +
        'crossorigin="anonymous".',
      { cause: error },
    );
  } finally {
    if (drawing !== null) drawing = withoutLargeCanvas(drawing);
  }
}

/** Frees the canvas of a photo. */
function withoutLargeCanvas(own: Drawing): Drawing | null {
  const { canvas } = own;
  if (canvas.width * canvas.height * RGBA <= MAX_KEPT_BYTES) return own;
  canvas.width = 0;
  return null;
}

/** Null where it is too large for the browser: it then draws nothing, and does not say so. */
function enlarged(old: Drawing | null, width: number, height: number): Drawing | null {
  const own = old ?? openDrawing();
  const { canvas } = own;
  if (canvas.width >= width && canvas.height >= height) return own;
  canvas.width = Math.max(canvas.width, width);
  canvas.height = Math.max(canvas.height, height);
  own.fillRect(0, 0, 1, 1);
  try {
    return own.getImageData(0, 0, 1, 1).data[3] ? own : null;
  } catch {
    return null;
  }
}

function tooLarge(cause?: unknown): ImageError {
  const message = 'The browser cannot read so many pixels: make the image smaller.';
  return new ImageError('IMAGE_DECODE_FAILED', message, { cause });
}

function openDrawing(): Drawing {
  const settings: CanvasRenderingContext2DSettings = { willReadFrequently: true };
  let opened: Drawing | null = null;
  if (typeof OffscreenCanvas !== 'undefined') opened = new OffscreenCanvas(1, 1).getContext('2d', settings);
  else if (typeof document !== 'undefined') opened = document.createElement('canvas').getContext('2d', settings);
  if (opened) return opened;
  throw new ImageError('IMAGE_DECODE_FAILED', 'There is no 2D canvas here: pass { data, width, height }.');
}
