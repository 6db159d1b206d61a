// @ts-check

/** The built package, for the scripts of this directory. */

const directory = new URL('../../../../build/package/', import.meta.url);

/** The address of a file of the package. @param {string} path */
export const addressOf = (path) => new URL(path, directory);

/** Imports a script of the package. @param {string} path @returns {Promise<any>} */
export const load = (path) => import(addressOf(path).href);

/** @type {typeof import('../../../../js/packages/core/src/node.js')} */
export const library = await load('node.mjs');

/** Whether an error is of the package's class of its name. @param {Error} error */
export const isOfPackage = (error) =>
  Object.entries(library).some(([name, value]) => name === error.name && value === error.constructor);

/** @typedef {import('tflite-webnn').TFLiteModelOptions} Options */

/** Where a model runs: in this thread or in a worker. */
export const LOADERS = {
  here: library.loadTFLiteModel,
  worker: (/** @type {string} */ file, /** @type {Options} */ options) =>
    new library.TFLiteWorker().loadTFLiteModel(file, options),
};

/** 0 to 7, what `run()` runs models on. */
export const values = () => Float32Array.from({ length: 8 }, (_, index) => index);

/** Loads a model of f32[8] and runs it. @type {(...all: Parameters<typeof library.loadTFLiteModel>) => Promise<Run>} */
export async function run(...all) {
  const model = await library.loadTFLiteModel(...all);
  const [y] = await model.run(values());
  const { threads, webnn } = await model.report();
  return { y: [...y.data], mode: model.executionMode, threads: threads.used, webnn };
}

/** @typedef {{ y: unknown[], mode: string, threads: number, webnn: import('tflite-webnn').WebnnReport }} Run */
