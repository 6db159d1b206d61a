// Chained inference: each dispatch uses the results of earlier ones, and the script waits only for the last.

import { loadTFLiteModel } from '../package/index.mjs';

/**
 * @param {string} url - A model that adds two int32[1] tensors.
 * @param {number} n - Which Fibonacci number; at least 2.
 * @returns {Promise<number>}
 */
export async function fibonacci(url, n) {
  const model = await loadTFLiteModel(url, { device: 'webnn' }); // MLTensors need WebNN, even if the CPU were faster

  // Three tensors rotate as the sum and its two summands. The first two are written, and one is read.
  const make = (i) => model.createInputTensor(0, { writable: i < 2, readable: i === n % 3 });
  const tensors = await Promise.all([0, 1, 2].map(make));
  model.writeTensor(tensors[0], Int32Array.of(0));
  model.writeTensor(tensors[1], Int32Array.of(1));

  for (let i = 2; i <= n; i++) {
    model.dispatch([tensors[(i - 1) % 3], tensors[(i - 2) % 3]], tensors[i % 3]);
  }
  const [result] = await model.readTensor(tensors[n % 3]);

  model.dispose(); // destroys its own context and tensors
  return result;
}
