// @ts-check

/** Ways to start the polyfill, for test_polyfill.py and test_delegate_on_polyfill.py. */

import { addressOf, firstMessage, loadScript } from './workers.mjs';

const SCRIPT = '/package/webnn_polyfill.js';
/** Lists what is wrong with the interfaces. */
const IDL_CHECK = '/exchange/polyfill_idl_of_page.js';

/** Installs it as a module. */
export async function installModule() {
  /** @type {typeof import('tflite-webnn/polyfill')} */
  const { install } = await import(`${location.origin}/package/polyfill.mjs`);
  return install();
}

/** Installs it by a script tag. */
export async function installScript() {
  await loadScript(SCRIPT);
  return webnnPolyfill.ready;
}

/** Computes in the page. @param {'installModule' | 'installScript'} way */
export async function run(way) {
  await loadScript('/polyfill_run.js');
  await (way === 'installModule' ? installModule() : installScript());
  return runOnWebnn();
}

/** Computes in a worker of a script. @param {string} address @param {WorkerOptions} options */
export async function runInWorker(address, options) {
  return firstMessage(new Worker(address, options));
}

/** Compares the interfaces of the page with the IDL. */
export async function problemsInWindow() {
  await installModule();
  const script = await (await fetch(IDL_CHECK)).text();
  return new Function(`${script}; return tests.problems();`)();
}

/** The same in a classic worker. */
export async function problemsInWorker() {
  const scripts = [SCRIPT, '/tests/polyfill_idl_worker.js'].map((path) => `'${location.origin}${path}'`);
  const worker = new Worker(addressOf(`importScripts(${scripts});`));
  worker.postMessage(location.origin + IDL_CHECK);
  return firstMessage(worker);
}
