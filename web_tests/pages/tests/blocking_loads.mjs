// @ts-check

/** Models of blocking mode that are loaded and disposed `count` times, for test_memory.py; the model is /exchange/sin. */

import { loadTFLiteModel } from '/package/index.mjs';
import { TFLiteWorker } from '/package/worker.mjs';

const URL_OF_SIN = new URL('/exchange/sin', import.meta.url).href;

/** @typedef {import('tflite-webnn').TFLiteModelOptions} TFLiteModelOptions */

/** In a TFLiteWorker. @param {TFLiteModelOptions} options */
export async function inTfliteWorker(options, /** @type {number} */ count) {
  const worker = new TFLiteWorker();
  for (let i = 0; i < count; i++) await (await worker.loadTFLiteModel(URL_OF_SIN, options)).dispose();
  worker.dispose();
}

/** In a worker of the page, which keeps the disposed models. @param {TFLiteModelOptions} options */
export async function inOwnWorker(options, /** @type {number} */ count) {
  const source = `import { keepDisposed } from '${import.meta.url}'; onmessage = ({ data }) => keepDisposed(...data);
    postMessage(null);`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address, { type: 'module' });
  const nextMessage = () =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
  await nextMessage();
  worker.postMessage([options, count]);
  const failure = await nextMessage();
  worker.terminate();
  if (failure !== null) throw new Error(failure);
}

/** Posts null, or the error, to the page of its worker. @param {TFLiteModelOptions} options */
export async function keepDisposed(options, /** @type {number} */ count) {
  const disposed = [];
  try {
    for (let i = 0; i < count; i++) {
      const model = await loadTFLiteModel(URL_OF_SIN, options);
      disposed.push(model);
      model.dispose();
    }
    postMessage(null);
  } catch (error) {
    postMessage(String(error));
  }
}
