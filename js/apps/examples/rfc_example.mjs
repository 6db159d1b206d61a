// The JavaScript example of the RFC "WebNN Delegate for TensorFlow Lite WebAssembly runtime", with another import, an image
// and a model of the caller, and the `await` that the RFC's listing lacks. In a worker of a cross-origin isolated page,
// predict() waits for WebNN; a page's own thread must not wait, so predict() computes on the CPU there, and the report says so.

import * as tflite from '../package/tfjs.mjs';

/**
 * @param {object} tf - TensorFlow.js
 * @param {HTMLImageElement | HTMLCanvasElement | ImageData} image - In the size of the model's input.
 * @param {string} url - A model from an image in [-1, 1] to another one, e.g. a style transfer.
 * @returns {Promise<[object, object]>} The de-normalized result, a tensor, and the model's report.
 */
export async function runOnImage(tf, image, url) {
  const tfliteModel = await tflite.loadTFLiteModel(url, {
    tf,
    enableWebnnDelegate: true,
    webnnDelegateOptions: { devicePreference: 'gpu', powerPreference: 'low-power' },
  });

  const outputTensor = tf.tidy(() => {
    // Get pixels data from an image.
    const img = tf.browser.fromPixels(image);
    // Normalize (might also do resize here if necessary).
    const input = tf.sub(tf.div(tf.expandDims(img), 127.5), 1);
    // Run the inference.
    const outputTensor = tfliteModel.predict(input);
    // De-normalize the result.
    return tf.mul(tf.add(outputTensor, 1), 127.5);
  });

  const report = await tfliteModel.report();
  tfliteModel.dispose();
  return [outputTensor, report];
}
