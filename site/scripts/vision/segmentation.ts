/** Segmentation, as the vision worker runs it. */

import { type ClassMask, classShares, type Mask } from 'tflite-webnn/results';
import { ImageSegmenter } from 'tflite-webnn/tasks';
import { blurred } from './blur.js';
import { maskLayer } from './mask_layer.js';
import { modelTask } from './model_task.js';

// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.001;
const HALF = 0.5;

/** A part of the image. */
export interface Part {
  /** Index of its class. */
  readonly index: number;
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** Objects and people: the largest part first. */
export const CLASSES = modelTask<readonly Part[]>('mask', async (model, options) => {
  const segmenter = await ImageSegmenter.create(model, options);
  return async (image) => {
    const segmentation = await segmenter.segment(image);
    const mask = segmentation.classMask();
    const draw = (drawing: OffscreenCanvasRenderingContext2D) => drawing.putImageData(maskLayer(mask), 0, 0);
    return { result: partsOf(mask, segmentation.labels), draw };
  };
});

/** A person, before a blurred background: the share of the image, from 0 to 1. */
export const PERSON = modelTask<number>('mask', async (model, options) => {
  const segmenter = await ImageSegmenter.create(model, options);
  return async (image) => {
    const mask = (await segmenter.segment(image)).confidenceMask(1);
    const result = mask.values.reduce((count, value) => count + (value > HALF ? 1 : 0), 0) / mask.values.length;
    return { result, draw: (drawing) => drawPerson(drawing, image, mask) };
  };
});

/** The image, as transparent as the background is likely, over a blurred one. */
function drawPerson(drawing: OffscreenCanvasRenderingContext2D, image: ImageData, { values }: Mask): void {
  const { width, height } = image;
  const person = new ImageData(image.data.slice(), width, height);
  values.forEach((value, pixel) => {
    person.data[4 * pixel + 3] = Math.round(255 * value);
  });
  const layer = new OffscreenCanvas(width, height);
  layer.getContext('2d')?.putImageData(person, 0, 0);
  drawing.drawImage(blurred(image), 0, 0, width, height);
  drawing.drawImage(layer, 0, 0);
}

function partsOf(mask: ClassMask, labels: readonly string[] | undefined): Part[] {
  return classShares(mask)
    .filter(({ share }) => share >= MIN_SHARE)
    .map(({ index, share }) => ({ index, label: labels?.[index] ?? `class ${index}`, share }));
}
