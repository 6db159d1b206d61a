/** Where a model can run: here or in a worker, on WebNN or on the CPU. */

import { type ExecutionMode, loadTFLiteModel, type Model, type TFLiteModelOptions } from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { CPU, WEBNN } from './addresses.js';

export type Load = (source: string, options: TFLiteModelOptions) => Promise<Model>;

export const inPage: Load = loadTFLiteModel;
export const inWorker: Load = (source, options) => new TFLiteWorker().loadTFLiteModel(source, options);

export const BLOCKING = {
  ...WEBNN,
  webnnDelegateOptions: { blocking: true, ignorePartitionCost: true },
} satisfies TFLiteModelOptions;

/** A name, where a model is loaded, its options, and its execution mode if WebNN supports all of it. */
export const EXECUTIONS: [name: string, load: Load, options: TFLiteModelOptions, mode: ExecutionMode][] = [
  ['page, WebNN', inPage, WEBNN, 'direct'],
  ['page, CPU', inPage, CPU, 'cpu'],
  ['worker, WebNN', inWorker, WEBNN, 'direct'],
  ['worker, CPU', inWorker, CPU, 'cpu'],
  ['worker, blocking', inWorker, BLOCKING, 'blocking'],
];
