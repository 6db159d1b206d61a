/** Draws segmentation results: classes as colours over the picture. */

import type { ClassMask } from 'tflite-webnn/results';
import { create } from '../common/dom.js';
import { colourOf } from './colours.js';

const OVERLAY_ALPHA = 150;
const BACKGROUND_CLASS = 0;

/** Overlays the colour of each class; the background stays unchanged. */
export function drawClasses(drawing: CanvasRenderingContext2D, map: ClassMask): void {
  drawOverlay(drawing, classOverlay(map));
}

/** The colour of each class, at the resolution of the mask; the background is transparent. */
export function classOverlay(map: ClassMask): ImageData {
  return makePixels(map.width, map.height, (data, pixel) => {
    const index = map.classes[pixel] as number;
    if (index !== BACKGROUND_CLASS) data.set([...colourOf(index), OVERLAY_ALPHA], pixel * 4);
  });
}

/** Draws pixels of any resolution over the whole picture. */
export function drawOverlay(drawing: CanvasRenderingContext2D, overlay: ImageData): void {
  drawOver(drawing, canvasOf(overlay));
}

function makePixels(width: number, height: number, write: (data: Uint8ClampedArray, pixel: number) => void): ImageData {
  const pixels = new ImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) write(pixels.data, pixel);
  return pixels;
}

function canvasOf(pixels: ImageData): HTMLCanvasElement {
  const drawing = sheet(pixels.width, pixels.height);
  drawing.putImageData(pixels, 0, 0);
  return drawing.canvas;
}

function drawOver(drawing: CanvasRenderingContext2D, source: HTMLCanvasElement): void {
  drawing.imageSmoothingEnabled = true;
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(source, 0, 0, drawing.canvas.width, drawing.canvas.height);
}

function sheet(width: number, height: number): CanvasRenderingContext2D {
  const drawing = create('canvas', { width, height }).getContext('2d');
  if (!drawing) throw new Error('This browser provides no 2D canvas context.');
  return drawing;
}
