// Loads and runs /exchange/model in the page and in a worker, and writes the results to /exchange/results. Nothing here
// is evaluated from text: for some drivers, the Content-Security-Policy under test forbids that.

import { loadTFLiteModel } from '/package/index.mjs';
import { TFLiteWorker } from '/package/worker.mjs';

const WEBNN = { enableWebnnDelegate: true, webnnDelegateOptions: { ignorePartitionCost: true } };

function evaluates() {
  try {
    return new Function('return true')();
  } catch (error) {
    return error.name;
  }
}

async function run(load) {
  try {
    const model = await load('/exchange/model', WEBNN);
    const [values] = await model.run(new Float32Array(8).fill(0.5));
    return [...values.data];
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const worker = new TFLiteWorker();
const results = {
  evaluates: evaluates(),
  page: await run(loadTFLiteModel),
  worker: await run((...options) => worker.loadTFLiteModel(...options)),
};
await fetch('/exchange/results', { method: 'PUT', body: JSON.stringify(results) });
