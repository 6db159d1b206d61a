/** Options of loading a model, and what they become for the runner in wasm. */

import type { HelperSource } from './blocking/blocking_helper.js';
import { DELEGATE_OPTIONS, type DelegateOptions } from './generated/delegate_options.js';
import type { ProgressListener } from './load/load_watch.js';
import type { TfLibrary } from './tensors/tf_tensors.js';
import type { WasmVariant } from './wasm/wasm_features.js';
import type { RunnerOptions } from './wasm/wasm_runner.js';
import type { MLContext } from './webnn_types.js';

export type { DelegateOptions, DevicePreference, PowerPreference } from './generated/delegate_options.js';

/** What computes the polyfill's graphs: TFLite in wasm, or TensorFlow.js on WebGPU or WebGL. */
export type PolyfillEngine = 'tflite' | 'webgpu' | 'webgl';

/** Options of the WebNN delegate, and of how its context is found or made. */
export interface WebnnDelegateOptions extends DelegateOptions {
  /**
   * Whose WebNN is used. `auto`, the default: the browser's; where that gives no context, a GPU is there and
   * `devicePreference` is `gpu`, the polyfill's on the GPU. `never`: the browser's or none. An engine: the polyfill's with
   * this engine, whatever the browser has. The report's `backend` tells what was chosen.
   */
  polyfill?: 'auto' | 'never' | PolyfillEngine;
  /** A context to run on, e.g. one shared by several models; it is not destroyed with the model. */
  context?: MLContext;
  /**
   * Make the context in a helper worker, for which this thread can wait: `predict()` is then synchronous on WebNN too, and
   * there are no MLTensors here. Only in a worker of a cross-origin isolated page, and in Node. Default: false.
   */
  blocking?: boolean;
  /** Where blocking mode finds the package's webnn_helper.mjs, or a worker that runs it. Default: beside index.mjs. */
  blockingHelper?: HelperSource;
}

/** Options of {@link loadTFLiteModel}. */
export interface TFLiteModelOptions {
  /** Ends the loading, whatever it is at: the promise is rejected with the signal's reason, and all is freed. */
  signal?: AbortSignal;
  /** Hears of the download, of compiling wasm, of TFLite's preparation, and of each WebNN graph that is built. */
  onProgress?: ProgressListener;
  /**
   * Threads that compute what is on the CPU. Default: half of the processor's, at least one. More than one needs a page
   * that is cross-origin isolated, or Node, and a variant with threads; `model.report.threads` tells how many there are.
   */
  numThreads?: number;
  /** Measure each node, for `getProfilingResults()`. Default: false. */
  enableProfiling?: boolean;
  /** Most nodes of a run that are measured; the newest are kept. Default: 1024. */
  maxProfilingBufferEntries?: number;
  /** Shapes of the inputs, in the model's order, where they are not those that the file has. */
  inputShapes?: readonly (readonly number[])[];
  /** TensorFlow.js, with which `predict()` makes tensors. Default: the global `tf`. */
  tf?: TfLibrary;
  /** Run what can be run on WebNN. Default: false. */
  enableWebnnDelegate?: boolean;
  /** How WebNN is used, where `enableWebnnDelegate` asks for it. */
  webnnDelegateOptions?: WebnnDelegateOptions;
  /** Run on XNNPACK what stays on the CPU. Default: true; false leaves TFLite's own slow kernels. */
  enableXnnpackDelegate?: boolean;
  /** Folder that has the wasm variants' folders; relative to the page. Default: `setWasmPath()`'s, or index.mjs'. */
  wasmPath?: string;
  /** Build of the wasm module. Default: `auto`, the fastest one that the browser can run. */
  variant?: WasmVariant | 'auto';
}

/** Runner options of a model that stays on the CPU. */
export function cpuRunnerOptions(options: TFLiteModelOptions): RunnerOptions {
  const { enableXnnpackDelegate = true, enableProfiling, maxProfilingBufferEntries, inputShapes } = options;
  return {
    enable_xnnpack_delegate: enableXnnpackDelegate,
    ...(enableProfiling && { enable_profiling: true }),
    ...(maxProfilingBufferEntries !== undefined && { max_profiling_buffer_entries: maxProfilingBufferEntries }),
    ...(inputShapes && { input_shapes: inputShapes.map((shape) => shape.join(',')).join(';') }),
  };
}

/**
 * Runner options of a model for WebNN.
 *
 * @param limitsText - The context's limits, see op_support_limits.ts.
 * @param deniedNodes - Nodes that the browser has refused.
 */
export function webnnRunnerOptions(
  options: TFLiteModelOptions,
  limitsText: string,
  deniedNodes: readonly number[],
): RunnerOptions {
  return {
    ...cpuRunnerOptions(options),
    enable_webnn_delegate: true,
    webnn_op_support_limits: limitsText,
    ...(deniedNodes.length > 0 && { webnn_denied_nodes: deniedNodes.join(',') }),
    ...delegateRunnerOptions(options.webnnDelegateOptions ?? {}),
  };
}

/** What the delegate reads of its options, by their names in wasm. */
function delegateRunnerOptions(given: DelegateOptions): RunnerOptions {
  const read = Object.entries(DELEGATE_OPTIONS).flatMap(([name, { key, scope }]) => {
    const value = given[name as keyof DelegateOptions];
    return scope === 'delegate' && value !== undefined ? [[`webnn_${key}`, String(value)] as const] : [];
  });
  return Object.fromEntries(read);
}
