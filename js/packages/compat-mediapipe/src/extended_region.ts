/** Regions that fill an input without distortion. */

import type { Region, Size } from 'tflite-webnn/image';

/** A region as tall or as wide as an input of this shape needs, around the same center. */
export function extended(region: Region, { width, height }: Size): Region {
  return {
    ...region,
    width: Math.max(region.width, (region.height * width) / height),
    height: Math.max(region.height, (region.width * height) / width),
  };
}
