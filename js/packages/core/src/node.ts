/** `tflite-webnn/node`: the exports of `tflite-webnn` and of `tflite-webnn/worker` in Node. */

export * from './index.mjs';
export {
  type HelperWorker,
  type NodeTFLiteWorkerOptions,
  type NodeWorker,
  startBlockingHelper,
  TFLiteWorker,
  type WorkerModel,
} from './node_worker.js';
