// The package's interface in a page: progress and abort of loading, predict() on tensors, strings. Each function
// returns JSON for Python.

import * as tflite from '/package/index.mjs';
import * as tfjs from '/package/tfjs.mjs';
import { addressOf } from './called.mjs';

function describe(error) {
  return { name: error?.name ?? typeof error, ...(error?.code && { code: error.code }), message: String(error?.message ?? error) };
}

const outcome = (promise) => promise.then(() => 'fulfilled', describe);

/** Loads and aborts in a phase -> the rejection. */
export async function abortDuring(url, phase, options) {
  const controller = new AbortController();
  const onProgress = (progress) => {
    if (progress.phase === phase) controller.abort(new RangeError('the test has seen enough'));
  };
  return outcome(tflite.loadTFLiteModel(addressOf(url), { ...options, onProgress, signal: controller.signal }));
}

/** Loads from each kind of source -> the number of inputs of each model. */
export async function loadFromEverything(url, options) {
  const response = () => fetch(url);
  const bytes = async () => (await response()).arrayBuffer();
  // Each is created when it is used: Node cancels the body of an unreferenced Response.
  const sources = {
    url: () => addressOf(url),
    URL: () => new URL(url, globalThis.origin),
    ArrayBuffer: bytes,
    Uint8Array: async () => new Uint8Array(await bytes()),
    Response: response,
    ReadableStream: async () => (await response()).body,
  };
  const counts = {};
  for (const [kind, source] of Object.entries(sources)) {
    const model = await tflite.loadTFLiteModel(await source(), options);
    counts[kind] = model.inputs.length;
    model.dispose();
  }
  return counts;
}

/** Loads -> all progress. */
export async function progressOf(url, options) {
  const seen = [];
  const model = await tflite.loadTFLiteModel(addressOf(url), { ...options, onProgress: (progress) => seen.push(progress) });
  model.dispose();
  return seen;
}

/** -> the error of loading. */
export async function failToLoad(url) {
  return outcome(tflite.loadTFLiteModel(addressOf(url)));
}

/** A fake of TensorFlow.js: tensors with its interface. */
const tf = {
  tensor: (values, shape, dtype) => ({
    shape,
    dtype,
    values,
    dataSync: () => values,
    data: async () => values,
  }),
};

const jsonOf = ({ shape, dtype, values }) => ({ shape, dtype, values: Array.from(values) });

/** predict() and predictAsync() of f(x) = sin(x) + x + sin(2x) in both kinds. */
export async function predictSine(url, options) {
  const model = await tfjs.loadTFLiteModel(addressOf(url), { ...options, tf });
  const values = new Float32Array(8).fill(0.5);
  const tensor = tf.tensor(values, [8], 'float32');
  const results = {
    device: model.model.device,
    mode: model.model.executionMode,
    tensor: jsonOf(await model.predictAsync(tensor)),
    named: jsonOf(await model.predictAsync({ x: tensor })),
    array: Array.from(await model.predictAsync(values)),
    integers: jsonOf(await model.predictAsync(tf.tensor(new Int32Array(8), [8], 'int32'))),
    shape: await outcome(model.predictAsync(tf.tensor(values, [2, 4], 'float32'))),
    inexact: await outcome(model.predictAsync(tf.tensor(new Int32Array(8).fill(16777217), [8], 'int32'))),
  };
  try {
    results.sync = jsonOf(model.predict([tensor]));
  } catch (error) {
    results.sync = describe(error);
  }
  model.dispose();
  return results;
}

/** Picks strings -> the results of run() and predict(). */
export async function pickStrings(url, texts, which) {
  const model = await tflite.loadTFLiteModel(addressOf(url));
  const indices = Int32Array.from(which);
  const [picked] = Object.values(await model.run({ texts, which: indices }));
  const tensors = { texts: tf.tensor(texts, [texts.length], 'string'), which: tf.tensor(indices, [2], 'int32') };
  const results = {
    run: tflite.decodeStrings(picked.data),
    shape: picked.shape,
    predict: jsonOf(new tfjs.TFLiteModel(model, { tf }).predict(tensors)),
    tooMany: await outcome(model.run({ texts: [...texts, 'one more'], which: indices })),
    numbers: await outcome(model.run({ texts: new Float32Array(3), which: indices })),
    garbage: await outcome(model.run({ texts: new Uint8Array(40).fill(255), which: indices })),
  };
  model.dispose();
  return results;
}
