/** A visitor's model of sounds: the classes of a sound. */

import type { WorkerModel } from 'tflite-webnn/worker';
import { guessRecipe } from '../common/recipe.js';
import { openShapes } from './open_shapes.js';
import type { Outcome } from './outcome.js';
import { runModel } from './run_model.js';

/**
 * Returns the best classes of a sound.
 *
 * @param labels - Of a file of the visitor's; undefined for those of the metadata.
 * @throws Error for a model that is no classifier of sounds, and what runModel() throws.
 */
export async function classifySound(
  model: WorkerModel,
  sound: Blob,
  labels: readonly string[] | undefined,
): Promise<Outcome> {
  const { inputs, outputs } = model;
  const recipe = guessRecipe({ inputs, outputs, metadata: await model.metadata.catch(() => null) });
  if (recipe.input !== 'sound' || recipe.output !== 'classes') {
    throw new Error(
      'The model accepts no samples of a sound, or returns no classes; nor does it have outputs “note” and “onset”, ' +
        'as basic_pitch and models trained from it. Try it in the explorer, in the tab Run.',
    );
  }
  const open = openShapes(model, recipe.sampleRate);
  if (open) await model.resizeInputs(open);
  return (await runModel(model, recipe, sound, labels)).outcome;
}
