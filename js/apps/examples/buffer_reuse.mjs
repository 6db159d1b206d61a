// Buffer reuse: an image is uploaded once, and several models work on it.

import { loadTFLiteModel } from '../package/index.mjs';

/**
 * @param {Float32Array} image - The input of all models.
 * @param {string[]} urls - Models with one input and one output.
 * @returns {Promise<Float32Array[]>} The output of each model.
 */
export async function effectsOn(image, urls) {
  // The models share a context, so they share its tensors.
  const context = await navigator.ml.createContext();
  const options = { device: 'webnn', webnnDelegateOptions: { context } };
  const models = await Promise.all(urls.map((url) => loadTFLiteModel(url, options)));

  const input = await models[0].createInputTensor(0);
  const outputs = await Promise.all(models.map((model) => model.createOutputTensor(0)));

  models[0].writeTensor(input, image); // the only upload
  for (const [i, model] of models.entries()) model.dispatch(input, outputs[i]); // no wait
  const results = await Promise.all(models.map((model, i) => model.readTensor(outputs[i])));

  for (const model of models) model.dispose();
  context.destroy(); // destroys its tensors, too
  return results;
}
