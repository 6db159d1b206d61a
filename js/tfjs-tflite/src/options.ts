/** Options that `@tensorflow/tfjs-tflite` hands on. */

import type { TFLiteModelOptions } from '../../runtime/src/internals.js';

/** The client's own options, and this project's, which it hands on as they are. */
export type TFLiteWebModelRunnerOptions = Pick<
  TFLiteModelOptions,
  'numThreads' | 'enableProfiling' | 'maxProfilingBufferEntries' | 'enableWebnnDelegate' | 'webnnDelegateOptions'
>;
