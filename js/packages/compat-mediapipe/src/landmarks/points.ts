/** Landmarks as the tasks hold them until they are returned: in pixels of the image. */

import type { Point, Size } from '@tflite-webnn/media/images';
import type { Landmark, NormalizedLandmark } from '../results.js';

/** A point in space. */
export interface Point3 extends Point {
  readonly z: number;
}

/** A landmark: x, y and z in pixels of the image. */
export interface PixelLandmark extends Point3 {
  readonly visibility: number;
  readonly presence?: number;
}

/** Landmarks relative to the image; z is in the measure of x. */
export function normalized(points: readonly PixelLandmark[], { width, height }: Size): NormalizedLandmark[] {
  return points.map(({ x, y, z, ...rest }) => ({ x: x / width, y: y / height, z: z / width, ...rest }));
}

/**
 * Points in meters, turned as the region of the image is that the model saw.
 *
 * @param values - x, y and z of each point.
 * @param likely - What is known of each point besides.
 */
export function worldLandmarks(
  values: ArrayLike<number>,
  rotation: number,
  likely: readonly Pick<PixelLandmark, 'visibility' | 'presence'>[],
): Landmark[] {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return likely.map(({ visibility, presence }, index) => {
    const [x, y, z] = [values[3 * index], values[3 * index + 1], values[3 * index + 2]] as [number, number, number];
    return { x: x * cos - y * sin, y: x * sin + y * cos, z, visibility, ...(presence !== undefined && { presence }) };
  });
}

/** Of log-odds. */
export function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
