// @ts-check

/** run()'s typed results, for test_results.py. */

import { LOADERS } from './package.mjs';

/** @typedef {keyof typeof LOADERS} Loader */
/** @typedef {import('tflite-webnn').TensorResult} TensorResult */

/** @param {TensorResult | undefined} result */
function toJson(result) {
  if (!result) throw new Error('there is no such result');
  return [{ ...result, data: [...result.data] }, [...result.dequantized()]];
}

/**
 * Runs a quantized sine with inputs as a list and by name. -> its results, each with its real numbers
 *
 * @param {string} file
 * @param {Loader} loader
 * @param {import('tflite-webnn').TFLiteModelOptions} options
 * @param {number[]} numbers
 */
export async function listedAndNamed(file, loader, options, numbers) {
  const model = await LOADERS[loader](file, options);
  const x = Float32Array.from(numbers);
  const list = (await model.run(x)).map(toJson);
  const { sine, steps } = await model.run({ x });
  const { executionMode } = await model.report();
  await model.dispose();
  return { list, named: [sine, steps].map(toJson), executionMode };
}

/** Runs a model of positive values' indices three times. -> the shape of each, and the last index */
export async function shapesOfRuns(/** @type {string} */ file, /** @type {Loader} */ loader) {
  const model = await LOADERS[loader](file, {});
  const shapes = [];
  for (const x of POSITIVES) {
    const { indices } = await model.run({ x: Float32Array.from(x) });
    shapes.push([indices?.shape, Number(indices?.data.at(-1) ?? -1)]);
  }
  await model.dispose();
  return shapes;
}

/** None, one and three of six are positive. */
export const POSITIVES = [
  [1, -1, 2, -2, 3, 0],
  [-1, -1, -1, -1, -1, -1],
  [0, 0, 0, 0, 0, 5],
];
