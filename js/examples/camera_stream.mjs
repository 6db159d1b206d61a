// Pipelining off the page's thread: a worker keeps several frames in flight, and results come in order.

import { TFLiteWorker } from '../package/index.mjs';

/**
 * @param {string} url - The model.
 * @param {AsyncIterable<Float32Array>} frames - Each is moved into the worker: do not use it again.
 * @param {(outputs: Float32Array[]) => void} show - Receives the outputs of one frame.
 */
export async function showStream(url, frames, show) {
  const worker = new TFLiteWorker();
  try {
    const model = await worker.loadTFLiteModel(url, { enableWebnnDelegate: true });
    for await (const outputs of model.stream(frames, { inFlight: 3, transfer: true })) show(outputs);
  } finally {
    worker.terminate();
  }
}
