// @ts-check

/** TFLiteWorker and blocking mode on models of f32[8], for test_workers.py. */

import { openAsBlob, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { addressOf, isOfPackage, library, values } from './package.mjs';

/** @typedef {import('tflite-webnn').TFLiteModelOptions} Options */

/** Runs and streams. The worker is not terminated: it must not keep the process alive. @param {string} file */
export async function runAndStream(file, /** @type {Options} */ options) {
  /** @type {Set<string>} */
  const phases = new Set();
  const onProgress = (/** @type {{ phase: string }} */ { phase }) => phases.add(phase);
  const model = await new library.TFLiteWorker().loadTFLiteModel(file, { ...options, onProgress });
  const [y] = await model.run(values());
  const streamed = [];
  for await (const [item] of model.stream([values(), values()])) streamed.push([...item.data]);
  return { y: [...y.data], streamed, mode: model.executionMode, phases: [...phases] };
}

/** -> of each kind of source, the output */
export async function runFromEachSource(/** @type {string} */ file) {
  const worker = new library.TFLiteWorker();
  const sources = [pathToFileURL(file), new Uint8Array(readFileSync(file)), (await openAsBlob(file)).stream()];
  const outputs = [];
  for (const source of sources) {
    const model = await worker.loadTFLiteModel(source);
    outputs.push([...(await model.run(values()))[0].data]);
  }
  worker.dispose();
  return outputs;
}

/** -> of a missing model, a missing script and a disposed worker: whether its class is the package's, name, message */
export async function errors(/** @type {string} */ file) {
  const worker = new library.TFLiteWorker();
  const failed = async (/** @type {Promise<unknown>} */ promise) => {
    const error = /** @type {Error} */ (await promise.catch((reason) => reason));
    return [isOfPackage(error), error.name, error.message];
  };
  const nowhere = new library.TFLiteWorker({ url: pathToFileURL(`${file}.mjs`) });
  const loading = worker.loadTFLiteModel(new ReadableStream());
  const missing = await failed(worker.loadTFLiteModel('nowhere.tflite'));
  const notStarted = await failed(nowhere.loadTFLiteModel(file));
  worker.dispose();
  return [missing, notStarted, await failed(loading)];
}

/** Disposes of the worker of a run without end. -> what came first in 300 ms, and the name of the run's error */
export async function disposeDuringRun(/** @type {string} */ file) {
  const worker = new library.TFLiteWorker();
  const model = await worker.loadTFLiteModel(file);
  const pending = model.run(values());
  const first = await Promise.race([pending, new Promise((resolve) => setTimeout(resolve, 300, 'runs on'))]);
  worker.dispose();
  return [first, await pending.catch((error) => error.name)];
}

/** @param {string} file */
export async function runInWorkerOfCaller(file) {
  const worker = new library.TFLiteWorker({ worker: new Worker(addressOf('model_worker.mjs')) });
  const model = await worker.loadTFLiteModel(file);
  return [...(await model.run(values()))[0].data];
}

/** @param {string} file */
export async function runSync(file, /** @type {Options} */ options) {
  const model = await library.loadTFLiteModel(file, options);
  const { webnn } = await model.report();
  return { y: [...model.runSync(values())[0].data], mode: model.executionMode, webnn };
}
