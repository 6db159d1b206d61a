/** Draws segmentation results: classes as colours over the picture. */

import type { ClassMask } from 'tflite-webnn/results';
import { create } from '../common/dom.js';
import { colourOf } from './colours.js';

const OVERLAY_ALPHA = 150;
const BACKGROUND_CLASS = 0;

/** Overlays the colour of each class; the background stays unchanged. */
export function drawClasses(drawing: CanvasRenderingContext2D, map: ClassMask): void {
  const overlay = fromPixels(map.width, map.height, (data, pixel) => {
    const index = map.classes[pixel] as number;
    if (index !== BACKGROUND_CLASS) data.set([...colourOf(index), OVERLAY_ALPHA], pixel * 4);
  });
  drawOver(drawing, overlay);
}

function fromPixels(
  width: number,
  height: number,
  write: (data: Uint8ClampedArray, pixel: number) => void,
): HTMLCanvasElement {
  const pixels = new ImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) write(pixels.data, pixel);
  const drawing = sheet(width, height);
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
