// Pipelining off the page's thread: a worker keeps several frames in flight, and results come in order.

import { TFLiteWorker } from '../package/worker.mjs';

/**
 * @param {string} url - The model.
 * @param {AsyncIterable<Float32Array>} frames - Each is moved into the worker: do not use it again.
 * @param {(results: import('../package/index.mjs').TensorResult[]) => void} show - Receives the results of one frame.
 */
export async function showStream(url, frames, show) {
  const worker = new TFLiteWorker();
  try {
    const model = await worker.loadTFLiteModel(url);
    for await (const results of model.stream(frames, { inFlight: 3, transfer: true })) show(results);
  } finally {
    worker.dispose();
  }
}
