// @ts-check

/** What test_hosting.py does in its pages. `cdn` is the other origin that has the package. */

import { addressOf, firstMessage, loadScript } from './workers.mjs';

/**
 * @param {string} cdn
 * @returns {Promise<typeof import('tflite-webnn')>}
 */
const packageOf = (cdn) => import(`${cdn}/package/index.mjs`);

/** @param {unknown} error */
const nameAndMessage = (error) => (error instanceof Error ? [error.name, error.message] : ['', String(error)]);

/** Starts the polyfill, and computes relu(a x b + c) twice; `warned` has what the console was told. @param {string} cdn */
export async function polyfill(cdn) {
  /** @type {unknown[]} */
  const warned = [];
  console.warn = (text) => warned.push(text);
  /** @type {typeof import('tflite-webnn/polyfill')} */
  const { install } = await import(`${cdn}/package/polyfill.mjs`);
  await import(`${cdn}/polyfill_run.js`);
  await install({ force: true });
  const { values } = await runOnWebnn();
  await runOnWebnn();
  return { values, warned };
}

/** The same by a script tag without `crossorigin`, after polyfill(). @param {string} cdn */
export async function polyfillOfScriptTag(cdn) {
  await loadScript(`${cdn}/package/webnn_polyfill.js`);
  await webnnPolyfill.install({ force: true });
  return (await runOnWebnn()).values;
}

/** The same in a classic worker. @param {string} cdn */
export async function polyfillInWorker(cdn) {
  const scripts = ['package/webnn_polyfill.js', 'polyfill_run.js', 'tests/hosting_polyfill_worker.js'];
  const source = `importScripts(${scripts.map((name) => `'${cdn}/${name}'`)});`;
  return firstMessage(new Worker(addressOf(source)));
}

/** Runs a model in a TFLiteWorker. -> the number of its outputs, or the error's name and message @param {string} cdn */
export async function runInWorker(cdn) {
  /** @type {typeof import('tflite-webnn/worker')} */
  const { TFLiteWorker } = await import(`${cdn}/package/worker.mjs`);
  try {
    const worker = new TFLiteWorker();
    const model = await worker.loadTFLiteModel(`${cdn}/exchange/sin`);
    const [{ data }] = await model.run(new Float32Array(8));
    return data.length;
  } catch (error) {
    return nameAndMessage(error);
  }
}

/** runInWorker() in a SharedWorker. @param {string} cdn */
export async function runInSharedWorker(cdn) {
  const source = `onconnect = async ({ ports: [port] }) => {
    const { runInWorker } = await import('${import.meta.url}');
    port.postMessage(await runInWorker('${cdn}'));
  };`;
  const { port } = new SharedWorker(addressOf(source));
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
  });
}

/** runBlocking() in a worker of the page's own origin. @param {string} cdn */
export async function runBlockingInWorker(cdn) {
  const source = `import { runBlocking } from '${import.meta.url}'; postMessage(await runBlocking('${cdn}'));`;
  return firstMessage(new Worker(addressOf(source), { type: 'module' }));
}

/** -> the execution mode and the number of outputs, or the error's name and message @param {string} cdn */
export async function runBlocking(cdn) {
  try {
    const { loadTFLiteModel } = await packageOf(cdn);
    const webnnDelegateOptions = { blocking: true, ignorePartitionCost: true };
    const options = { enableWebnnDelegate: true, webnnDelegateOptions };
    const model = await loadTFLiteModel(`${cdn}/exchange/sin`, options);
    return [model.executionMode, model.runSync(new Float32Array(8))[0].data.length];
  } catch (error) {
    return nameAndMessage(error);
  }
}

/** Models in a classic worker. @param {string} cdn */
export async function runInClassicWorker(cdn) {
  const source = `importScripts('${cdn}/package/tflite_webnn.js', '${cdn}/tests/hosting_classic_worker.js');`;
  const worker = new Worker(addressOf(source));
  worker.postMessage(cdn);
  return firstMessage(worker);
}

/**
 * Runs a model on two threads. -> { length, threads }
 *
 * @param {string} cdn
 * @param {string} path of the model there
 * @param {number} size of its input, of float32
 * @param {import('tflite-webnn').TFLiteModelOptions} options
 */
export async function runOnThreads(cdn, path, size, options) {
  const { loadTFLiteModel } = await packageOf(cdn);
  const model = await loadTFLiteModel(cdn + path, { numThreads: 2, ...options });
  const [{ data }] = await model.run(new Float32Array(size));
  return { length: data.length, threads: (await model.report()).threads };
}

/** -> the error's name and message @param {string} cdn */
export async function preloadError(cdn) {
  const { preloadTFLite } = await packageOf(cdn);
  return preloadTFLite().catch(nameAndMessage);
}

/** -> the error's name and message @param {string} cdn */
export async function loadError(cdn) {
  const { loadTFLiteModel } = await packageOf(cdn);
  return loadTFLiteModel(`${cdn}/exchange/sin`).then(() => null, nameAndMessage);
}
