// @ts-check

/** Files as models, threads and WebNN, for test_files.py. */

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addressOf, isOfPackage, library, load, run } from './package.mjs';

/** @typedef {import('./package.mjs').Options} Options */

const NAMES = {
  path: (/** @type {string} */ file) => file,
  'relative path': (/** @type {string} */ file) => basename(file),
  URL: (/** @type {string} */ file) => pathToFileURL(file),
  address: (/** @type {string} */ file) => pathToFileURL(file).href,
};

/** Runs a model. @param {string} file @param {Options} options @param {keyof typeof NAMES} name by which it is loaded */
export const runFile = (file, options, name = 'path') => run(NAMES[name](file), options);

/** Runs a model on three threads next to another one. -> the run, with the numbers of threads of both */
export async function runNextTo(/** @type {string} */ file, /** @type {string} */ other) {
  const model = await library.loadTFLiteModel(other, { numThreads: 3 });
  const small = await run(file, { numThreads: 3 });
  return { ...small, threads: [(await model.report()).threads.used, small.threads] };
}

const THREADS_DIRECTORY = '/proc/self/task';

/** @param {string} thread */
function processorMs(thread) {
  const statistics = readFileSync(join(THREADS_DIRECTORY, thread, 'schedstat'), 'utf8');
  return Number(statistics.split(' ')[0]) / 1e6;
}

/** Runs a model 60 times. -> the processor time in ms of each thread that came with the model */
export async function threadTimes(/** @type {string} */ file, /** @type {number} */ numThreads) {
  const before = new Set(readdirSync(THREADS_DIRECTORY));
  const model = await library.loadTFLiteModel(file, { numThreads });
  const pixels = new Float32Array((model.inputs[0]?.sizeBytes ?? 0) / 4);
  await model.run(pixels);
  const threads = readdirSync(THREADS_DIRECTORY).filter((thread) => !before.has(thread));
  const starts = threads.map(processorMs);
  for (let count = 0; count < 60; count++) await model.run(pixels);
  return threads.map((thread, index) => processorMs(thread) - (starts[index] ?? 0));
}

/** -> the number of threads of a model, and that of processors */
export async function threadsAndProcessors(/** @type {string} */ file, /** @type {Options} */ options) {
  const model = await library.loadTFLiteModel(file, options);
  return [(await model.report()).threads.used, availableParallelism()];
}

/** Runs a model where WebNN is installed. -> the run, with the number of contexts @param {string} file */
export async function runWhereWebnnIs(file, /** @type {'auto' | 'never'} */ polyfill) {
  await (await load('polyfill.mjs')).install();
  let contexts = 0;
  const { ml } = /** @type {any} */ (navigator);
  const createContext = ml.createContext.bind(ml);
  ml.createContext = (/** @type {unknown[]} */ ...options) => {
    contexts++;
    return createContext(...options);
  };
  const webnnDelegateOptions = { polyfill, ignorePartitionCost: true };
  return { ...(await run(file, { enableWebnnDelegate: true, webnnDelegateOptions })), contexts };
}

const NO_MODELS = {
  missing: 'nowhere.tflite',
  directory: fileURLToPath(addressOf('.')),
  script: fileURLToPath(addressOf('node.mjs')),
};

/** -> whether the error is of the package's class, its name and message */
export async function errorOf(/** @type {string} */ _, /** @type {keyof typeof NO_MODELS} */ source) {
  const error = await run(NO_MODELS[source]).catch((reason) => reason);
  return [isOfPackage(error), error.name, error.message];
}
