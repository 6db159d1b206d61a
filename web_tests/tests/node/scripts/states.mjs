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

/**
 * Runs a model with a state, and with its tensors as inputs and outputs. -> the other outputs of each run, and the
 * tensors in the end, of both
 *
 * @param {string} file @param {Options} options @param {Record<string, string>} tensors - Of the state.
 * @param {{ x: number[], at: number[] }[]} runs
 */
export async function updated(file, options, tensors, runs) {
  const model = await LOADERS.here(file, options);
  const state = await model.createState(tensors);
  /** @type {Record<string, unknown>[]} */
  const withState = [];
  /** @type {Record<string, unknown>[]} */
  const byHand = [];
  /** @type {Record<string, import('tflite-webnn').TypedArray>} */
  let values = Object.fromEntries(state.tensors.map(({ name }) => [name, new Float32Array(6)]));
  for (const run of runs) {
    const inputs = { x: Float32Array.from(run.x), at: Int32Array.from(run.at) };
    const results = await model.runSignature('step', inputs, { state });
    withState.push(Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, [...data]])));
    const all = await model.runSignature('step', { ...inputs, ...values });
    byHand.push(Object.fromEntries(Object.keys(results).map((name) => [name, [...(all[name]?.data ?? [])]])));
    values = Object.fromEntries(
      Object.entries(tensors).map(([input, output]) => [input, all[output]?.data ?? new Float32Array()]),
    );
  }
  const kept = [];
  for (const { name } of state.tensors) kept.push([name, [...(await state.read(name))]]);
  const { executionMode } = model;
  await model.dispose();
  return {
    executionMode,
    withState: [withState, Object.fromEntries(kept)],
    byHand: [byHand, Object.fromEntries(Object.entries(values).map(([name, data]) => [name, [...data]]))],
  };
}
