/** What the landmark tasks know of their models besides the files. */

import type { ImagePlacement, ImageSource, InputRange, Region, Size } from '@tflite-webnn/media/images';
import { type Result, realValues } from '@tflite-webnn/media/results';
import { TaskModelError } from '@tflite-webnn/tasks';
import type { Steps, VisionModel } from '../vision_model.js';

/** How the models are loaded: the tasks know them. */
export const WITHOUT_METADATA = { needsMetadata: false } as const;

const LANDMARK_RANGE = [0, 1] as const;

/** The values of black and white, if the model's file does not have them: older files have no metadata. */
export function rangeOf({ metadata }: VisionModel, range: InputRange): { readonly range?: InputRange } {
  return metadata?.inputs[0]?.normalization ? {} : { range };
}

/** Width and height of its image. */
export function sizeOfInput({ inputs }: VisionModel): Size {
  const [, height = 0, width = 0] = inputs[0]?.shape ?? [];
  return { width, height };
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
