/** What landmark tasks know of their models: inputs, outputs, and points in pixels of the image until they are returned. */

import type { ImagePlacement, ImageSource, InputRange, Point, Region, Size } from '@tflite-webnn/media/images';
import { type Result, realValues } from '@tflite-webnn/media/results';
import { TaskModelError } from '@tflite-webnn/tasks';
import type { Landmark, NormalizedLandmark } from '../results.js';
import type { Steps, VisionModel } from '../vision_model.js';

/** How the models are loaded: the tasks know them. */
export const WITHOUT_METADATA = { needsMetadata: false } as const;

const LANDMARK_RANGE = [0, 1] as const;

/** The values of black and white, if the model's file does not have them: older files have no metadata. */
export function rangeOf({ metadata }: VisionModel, range: InputRange): { readonly range?: InputRange } {
  return metadata?.inputs[0]?.normalization ? {} : { range };
}

/**
 * Runs a landmark model on a part of an image. Beyond the image's edges it sees the nearest pixels.
 *
 * @param outputs - How many outputs it has.
 * @throws TaskModelError where it has fewer: it is another model.
 */
export function* lookAt<Outputs extends readonly Result[]>(
  model: VisionModel,
  source: ImageSource,
  region: Region,
  outputs: Outputs['length'],
): Steps<{ readonly results: Outputs; readonly placement: ImagePlacement }> {
  if (model.outputs.length < outputs) {
    throw new TaskModelError(`The landmark model has ${model.outputs.length} outputs: it must have ${outputs}.`);
  }
  const input = model.tensorOf(source, region, rangeOf(model, LANDMARK_RANGE));
  const results: readonly Result[] = yield { model, inputs: [input] };
  return { results: results as Outputs, placement: input.placement };
}

/** The only number of a result. */
export function numberOf(result: Result): number {
  return realValues(result)[0] as number;
}

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
