/** Options that `@tensorflow/tfjs-tflite` passes on. */

import type { TFLiteModelOptions } from '../../runtime/src/internals.js';

/** The client's own options, and this project's, which it passes on unchanged. */
export type TFLiteWebModelRunnerOptions = Pick<
  TFLiteModelOptions,
  'numThreads' | 'enableProfiling' | 'maxProfilingBufferEntries' | 'enableWebnnDelegate' | 'webnnDelegateOptions'
>;
