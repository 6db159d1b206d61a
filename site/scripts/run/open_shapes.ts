/** Inputs whose shape a model leaves open. */

import type { WorkerModel } from 'tflite-webnn/worker';
import { imageInput } from '../common/recipe.js';

// What an open dimension of an input becomes.
const [OPEN_IMAGE_SIDE, OPEN_SOUND_SECONDS] = [320, 1];

/** Shapes in place of those that the model leaves open; null where it leaves none. */
export function openShapes(model: Pick<WorkerModel, 'inputs'>, sampleRate: number): number[][] | null {
  const isOpen = model.inputs.some(
    ({ shapeSignature }) =>
      shapeSignature.slice(1).includes(-1) || (shapeSignature.length === 1 && shapeSignature[0] === -1),
  );
  if (!isOpen) return null;
  return model.inputs.map((input) => {
    const isImage = imageInput(input) !== null;
    const side = isImage ? OPEN_IMAGE_SIDE : Math.round(sampleRate * OPEN_SOUND_SECONDS);
    const signature = input.shapeSignature.length ? input.shapeSignature : input.shape;
    return signature.map((size, index) => (size !== -1 ? size : index === 0 && signature.length > 1 ? 1 : side));
  });
}
