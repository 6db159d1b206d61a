// @ts-check

/** A program in a worker that Vite bundles, for test_package.py. */

import { TFLiteWorker } from 'tflite-webnn/worker';

const model = await new TFLiteWorker().loadTFLiteModel('/exchange/tiny.tflite', { enableWebnnDelegate: true });
const { webnn } = await model.report();
console.log(model.executionMode, webnn.reason, (await model.run(new Float32Array(768)))[0].data);
