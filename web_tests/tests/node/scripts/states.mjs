// @ts-check

/** States of models, for test_states.py. */

import { threeWays } from '../../../pages/states.mjs';
import { LOADERS } from './package.mjs';
import { POSITIVES } from './results.mjs';

/** @typedef {keyof typeof LOADERS} Loader */
/** @typedef {import('tflite-webnn').TFLiteModelOptions} Options */

/** @param {string} file @param {Loader} loader @param {Options} options @param {number[]} prompt @param {number} steps */
export async function decoded(file, loader, options, prompt, steps) {
  const model = await LOADERS[loader](file, options);
  const found = await threeWays(model, prompt, steps);
  await model.dispose();
  return found;
}

/** Runs a running total with a state, and without. -> the shapes of `indices`, and both totals */
export async function totals(/** @type {string} */ file, /** @type {Options} */ options) {
  const model = await LOADERS.here(file, options);
  const state = await model.createState();
  const shapes = [];
  for (const x of POSITIVES) {
    const { indices } = await model.runSignature('step', { x: Float32Array.from(x) }, { state });
    shapes.push(indices?.shape);
  }
  const withoutState = await model.runSignature('step', { x: new Float32Array(6), total: new Float32Array(6) });
  const total = [...(await state.read('total'))];
  return { shapes, total, withoutState: [...(withoutState.total?.data ?? [])] };
}
