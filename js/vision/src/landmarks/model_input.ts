/** What the tasks know of a model's input besides its file. */

import type { InputRange, Size } from 'tflite-webnn/image';
import type { VisionModel } from '../vision_model.js';

/** The values of black and white, if the model's file does not tell them: older files have no metadata. */
export function rangeOf({ metadata }: VisionModel, range: InputRange): { readonly range?: InputRange } {
  return metadata?.inputs[0]?.normalization ? {} : { range };
}

/** Width and height of its picture. */
export function sizeOfInput({ inputs }: VisionModel): Size {
  const [, height = 0, width = 0] = inputs[0]?.shape ?? [];
  return { width, height };
}
