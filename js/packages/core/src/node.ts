/** The package in Node: `tflite-webnn` and `tflite-webnn/node`. All but the worker is as in pages. */

export * from './index.mjs';
export { type NodeTFLiteWorkerOptions, type NodeWorker, TFLiteWorker } from './node_worker.js';
