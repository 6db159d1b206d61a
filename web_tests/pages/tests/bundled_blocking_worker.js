// @ts-check

/** A worker that Vite bundles and that waits for WebNN, for test_package.py. */

import { loadTFLiteModel } from 'tflite-webnn';
import { startBlockingHelper } from 'tflite-webnn/worker';

const webnnDelegateOptions = { blocking: true, blockingHelper: startBlockingHelper() };
loadTFLiteModel('/exchange/tiny.tflite', { device: 'webnn', webnnDelegateOptions }).then(
  (model) => postMessage([model.executionMode, model.runSync(new Float32Array(768))[0].data.length]),
  (error) => postMessage([error.name, error.message]),
);
