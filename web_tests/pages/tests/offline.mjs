// @ts-check

/** What test_offline.py does in its page. */

import { listCachedModels, loadTFLiteModel } from '/package/index.mjs';
import { TFLiteWorker } from '/package/worker.mjs';

/**
 * Loads a model with the option `cache`, unless `options` say otherwise, and runs it.
 * -> the number of its outputs and [url, kind, size] of each cached file, or the error's name and message
 *
 * @param {'page' | 'worker'} loader
 * @param {string} url of a model of float32[500]
 * @param {import('tflite-webnn').TFLiteModelOptions} options
 */
export async function load(loader, url, options) {
  const all = { cache: true, ...options };
  try {
    const loaded = await (loader === 'page' ? loadTFLiteModel(url, all) : new TFLiteWorker().loadTFLiteModel(url, all));
    const [scores] = await loaded.run(new Float32Array(500));
    let kept = await listCachedModels();
    // The list waits for files that this thread writes; a worker may still write its own.
    for (let tries = 0; loader === 'worker' && kept.length < 2 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      kept = await listCachedModels();
    }
    return { scores: scores.data.length, kept: kept.map(({ url, kind, sizeBytes }) => [url, kind, sizeBytes]) };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { name, message };
  }
}
