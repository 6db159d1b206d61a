// Resource management: memory is freed when it is no longer needed, not when the garbage collector runs.

import { loadTFLiteModel } from '../package/index.mjs';

/**
 * Runs one model after the other, the second on the output of the first. Their weights are never held at the same time.
 *
 * @param {Float32Array} image - Input of the first model.
 * @param {string} firstUrl
 * @param {string} secondUrl - Its input is the first one's output.
 * @returns {Promise<Float32Array>}
 */
export async function oneAfterTheOther(image, firstUrl, secondUrl) {
  const context = await navigator.ml.createContext();
  const options = { device: 'webnn', webnnDelegateOptions: { context } };

  const first = await loadTFLiteModel(firstUrl, options);
  const input = await first.createInputTensor(0);
  const between = await first.createOutputTensor(0);
  first.writeTensor(input, image);
  first.dispatch(input, between);
  // The work is queued, so both may go now: the browser frees them when it is done.
  input.destroy();
  first.dispose(); // frees the graph with its weights; the context is this page's and remains, and so does `between`

  const second = await loadTFLiteModel(secondUrl, options);
  const output = await second.createOutputTensor(0);
  second.dispatch(between, output);
  between.destroy();
  const result = await second.readTensor(output);

  second.dispose();
  context.destroy(); // destroys `output`, too
  return result;
}
