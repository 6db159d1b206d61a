/** The class of each pixel as a layer of colours. */

import type { ClassMask } from 'tflite-webnn/results';
import { BACKGROUND, colourOf } from './colours.js';

const OVERLAY_ALPHA = 150;

/** Transparent where the background is. */
export function maskLayer({ width, height, classes }: ClassMask): ImageData {
  const pixels = new ImageData(width, height);
  classes.forEach((index, pixel) => {
    if (index !== BACKGROUND) pixels.data.set([...colourOf(index), OVERLAY_ALPHA], 4 * pixel);
  });
  return pixels;
}
