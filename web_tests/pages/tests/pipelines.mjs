// @ts-check

/** Several runs of a model in flight, for test_delegate_on_polyfill.py. */

import { loadTFLiteModel } from '/package/index.mjs';

/** @typedef {import('tflite-webnn').TensorResult} TensorResult */

const FACTORS = [1, 0.5, 0.25, 0, -1, 0.75, 0.1];

/**
 * Runs a model on seven images that are multiples of /exchange/image: one after the other, with MLTensors of the page
 * in seven dispatches in flight, and as a stream with four runs in flight.
 * -> whether the tensors, and the results of the stream, have the values of the first way, for each image
 *
 * @param {string} url
 * @param {'Float32Array' | 'Int8Array'} type of the input
 * @param {'tflite'} polyfill
 */
export async function sameByTensorsAndStream(url, type, polyfill) {
  const options = { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill } };
  const model = await loadTFLiteModel(url, options);
  const image = new globalThis[type](await (await fetch('/exchange/image')).arrayBuffer());
  const images = FACTORS.map((factor) => image.map((value) => value * factor));
  const copied = (/** @type {readonly TensorResult[]} */ results) => results.map(({ data }) => data.slice());
  /** @type {ArrayLike<unknown>[][]} */
  const expected = [];
  for (const one of images) expected.push(copied(await model.run(one)));

  const input = await model.createInputTensor(0);
  const outputs = await Promise.all(
    images.map(() => Promise.all(model.outputs.map((_, i) => model.createOutputTensor(i)))),
  );
  for (const [i, one] of images.entries()) {
    model.writeTensor(input, one);
    model.dispatch(input, outputs[i] ?? []);
  }
  const tensors = await Promise.all(outputs.map((row) => Promise.all(row.map((tensor) => model.readTensor(tensor)))));
  const streamed = [];
  for await (const result of model.stream(images)) streamed.push(copied(result));
  model.dispose();

  const same = (/** @type {ArrayLike<unknown>[][]} */ found) =>
    found.map((arrays, i) =>
      arrays.every((array, j) => Array.from(array).every((value, k) => value === expected[i]?.[j]?.[k])),
    );
  return { tensors: same(tensors), streamed: same(streamed) };
}
