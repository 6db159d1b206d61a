/**
 * Models in a worker of this package. A separate entry point: only bundles that import it contain the worker's script.
 *
 * @module tflite-webnn/worker
 */

export type { HelperWorker } from './options.js';
export { startBlockingHelper, TFLiteWorker, type TFLiteWorkerOptions } from './worker/tflite_worker.js';
export type { WorkerModel } from './worker/worker_model.js';
