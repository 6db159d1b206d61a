/** Where MediaPipe takes the pixels of an input from. */

import type { Region, Size } from 'tflite-webnn/image';

/** A region as tall or as wide as an input of this shape needs, around the same center. */
export function extended(region: Region, { width, height }: Size): Region {
  return {
    ...region,
    width: Math.max(region.width, (region.height * width) / height),
    height: Math.max(region.height, (region.width * height) / width),
  };
}

/**
 * The region to read for MediaPipe's values: it maps the indices of pixels, not their centers, so that an input's pixel is
 * read half of its size further to the left and up, and half a pixel of the picture further to the right and down.
 */
export function sampled(region: Region, { width, height }: Size): Region {
  const [cos, sin] = [Math.cos(region.rotation), Math.sin(region.rotation)];
  const [x, y] = [region.width / width / 2, region.height / height / 2];
  return {
    ...region,
    center: { x: region.center.x + 0.5 - (x * cos - y * sin), y: region.center.y + 0.5 - (x * sin + y * cos) },
  };
}
