// @ts-check

/** The outputs of a model in several shapes, for test_weights_in_place.py. */

import { library } from './package.mjs';

/** With weights in place, and with packed ones: they remain as they are if there is a WebNN, though it gets no node. */
export const inPlaceAndPacked = async (/** @type {string} */ file) => [
  await resizedOutputs(file, {}),
  await resizedOutputs(file, { webnnDelegateOptions: { polyfill: 'tflite', allowedOps: ['SIN'] } }),
];

/**
 * Each shape is prepared in its own wasm instance, from a file that is read out of another one. -> of each, all outputs
 *
 * @param {string} file of a model of f32[rows, depth]
 * @param {import('tflite-webnn').TFLiteModelOptions} options
 */
async function resizedOutputs(file, options) {
  const model = await library.loadTFLiteModel(file, { variant: 'simd', ...options });
  const depth = model.inputs[0]?.shape[1] ?? 0;
  const found = [];
  for (const rows of [1, 5, 2, 1]) {
    if (found.length > 0) await model.resizeInputs([[rows, depth]]);
    const outputs = await model.run(Float32Array.from({ length: rows * depth }, (_, i) => Math.sin(i)));
    found.push(outputs.map(({ data }) => [...data]));
  }
  await model.dispose();
  return found;
}

/** @param {string} file */
export async function outputName(file) {
  const model = await library.loadTFLiteModel(file, { variant: 'simd' });
  return model.outputs[0]?.name;
}
