// @ts-check

/** What test_package.py does with the model /exchange/sin, of f32[8], in a TFLiteWorker. */

import * as index from '/package/index.mjs';
import { TFLiteWorker } from '/package/worker.mjs';

const SIN = '/exchange/sin';
const worker = new TFLiteWorker();
const half = () => new Float32Array(8).fill(0.5);

/** Runs, streams four inputs, copies one, transfers another, and resizes. */
export async function runAndResize() {
  const model = await worker.loadTFLiteModel(SIN, { enableWebnnDelegate: true });
  const outputs = [...(await model.run(half()))[0].data];
  const streamed = [];
  for await (const [y] of model.stream([half(), half(), half(), half()])) streamed.push([...y.data]);
  const [copied, moved] = [half(), half()];
  await model.run(copied);
  await model.run(moved, { transfer: true });
  await model.resizeInputs([[3]]);
  const lengths = [copied.length, moved.length];
  return { mode: model.executionMode, outputs, streamed, shape: model.inputs[0]?.shape, lengths };
}

/** Loads the model from each kind of source. -> of each, the last reported phase and the outputs */
export async function runFromEachSource() {
  const response = () => fetch(SIN);
  const sources = {
    url: SIN,
    ArrayBuffer: await (await response()).arrayBuffer(),
    Uint8Array: new Uint8Array(await (await response()).arrayBuffer()),
    Response: await response(),
    ReadableStream: /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await response()).body),
  };
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const [kind, source] of Object.entries(sources)) {
    /** @type {string[]} */
    const seen = [];
    const model = await worker.loadTFLiteModel(source, { onProgress: ({ phase }) => seen.push(phase) });
    found[kind] = [seen.at(-1), [...(await model.run(half()))[0].data]];
  }
  return found;
}

/** -> by what is wrong, the code of the error; "foreign NAME" if it is not of the package's class */
export async function errorCodes() {
  const failing = {
    address: () => worker.loadTFLiteModel('/no_such.tflite'),
    file: () => worker.loadTFLiteModel(new ArrayBuffer(64)),
    input: () => worker.loadTFLiteModel(SIN).then((model) => model.run(new Float32Array(7))),
    worker: () => new TFLiteWorker({ url: '/no_such.mjs' }).loadTFLiteModel(SIN),
  };
  const classes = /** @type {Record<string, any>} */ ({ ...index });
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const [what, fail] of Object.entries(failing)) {
    found[what] = await fail().then(
      () => null,
      (error) => (error instanceof classes[error.name] ? error.code : `foreign ${error.name}`),
    );
  }
  return found;
}

/** Aborts a load with a RangeError when it reports progress. -> the name of the error */
export async function abortedLoad() {
  const abort = new AbortController();
  const onProgress = () => abort.abort(new RangeError('enough'));
  const loading = worker.loadTFLiteModel(SIN, { signal: abort.signal, onProgress });
  return loading.then(
    () => null,
    (error) => error.name,
  );
}
