// The JavaScript example of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime". What differs: loading and
// running are awaited, since WebNN returns promises. On the CPU, and in a worker of a cross-origin isolated page, the
// RFC's predict() works as it stands there.

import { loadTFLiteModel } from '../package/tfjs.mjs';

/**
 * @param {object} tf - TensorFlow.js
 * @param {HTMLImageElement | HTMLCanvasElement} img - In the size that the model takes.
 * @param {string} url - A model from an image in [-1, 1] to another one, e.g. a style transfer.
 * @returns {Promise<object>} The de-normalized result, a tensor.
 */
export async function runOnImage(tf, img, url) {
  const tfliteModel = await loadTFLiteModel(url, {
    tf,
    enableWebnnDelegate: true,
    webnnDelegateOptions: { devicePreference: 'gpu', powerPreference: 'low-power' },
  });

  // Get pixels data from an image, and normalize them.
  const input = tf.tidy(() => tf.sub(tf.div(tf.expandDims(tf.browser.fromPixels(img)), 127.5), 1));
  // Run the inference.
  const outputTensor = await tfliteModel.predictAsync(input);
  // De-normalize the result.
  const result = tf.tidy(() => tf.mul(tf.add(outputTensor, 1), 127.5));

  tf.dispose([input, outputTensor]);
  tfliteModel.dispose();
  return result;
}
