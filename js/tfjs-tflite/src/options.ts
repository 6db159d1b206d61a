/** Options that `@tensorflow/tfjs-tflite` hands on, and what they become for the runner in wasm. */

import type { RunnerOptions } from '../../runtime/src/wasm_runner.js';

/** The client's own options, and this project's, which it hands on as they are. */
export interface TFLiteWebModelRunnerOptions {
  /** Ignored: this module has one thread. */
  numThreads?: number;
  enableProfiling?: boolean;
  maxProfilingBufferEntries?: number;
  enableWebnnDelegate?: boolean;
}

const WEBNN_WARNING =
  'tflite-webnn: enableWebnnDelegate is ignored, and the model runs on the CPU: WebNN answers only later, and ' +
  "@tensorflow/tfjs-tflite's predict() waits for nothing. tflite-webnn's own loadTFLiteModel() runs on WebNN.";

/** Warns of what cannot be had through this client. */
export function runnerOptions(options: TFLiteWebModelRunnerOptions, warn: (text: string) => void): RunnerOptions {
  if (options.enableWebnnDelegate) warn(WEBNN_WARNING);
  const { enableProfiling = false, maxProfilingBufferEntries = 1024 } = options;
  if (!enableProfiling) return {};
  return { enable_profiling: true, max_profiling_buffer_entries: maxProfilingBufferEntries };
}
