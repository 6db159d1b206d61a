/** Options of loading a model, and what they become for the runner in wasm. */

import type { HelperSource } from './blocking/blocking_helper.js';
import type { ProgressListener } from './load_watch.js';
import type { TfLibrary } from './tf_tensors.js';
import type { WasmVariant } from './wasm_features.js';
import type { RunnerOptions } from './wasm_runner.js';
import type { MLContext } from './webnn_types.js';

/** The device that WebNN shall use; the browser may choose another one. */
export type DevicePreference = 'default' | 'gpu' | 'cpu' | 'npu';

/** Whether speed or a long battery life matters more. */
export type PowerPreference = 'default' | 'high-performance' | 'low-power';

/** What computes the polyfill's graphs: TFLite in wasm, or TensorFlow.js on WebGPU or WebGL. */
export type PolyfillEngine = 'tflite' | 'webgpu' | 'webgl';

/** Options of the WebNN delegate. */
export interface WebnnDelegateOptions {
  /** The device to ask for. Default: `default`, which leaves it to the browser. */
  devicePreference?: DevicePreference;
  /** What to ask for. Default: `default`. */
  powerPreference?: PowerPreference;
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
  /** Most partitions that WebNN may take; the largest ones are chosen. Default: no limit. */
  maxPartitions?: number;
  /** Smallest partition that is worth handing to WebNN, in nodes. */
  minNodesPerPartition?: number;
  /**
   * Hand over also partitions for which a dispatch and the copies at the border cost more than WebNN saves, as the
   * delegate estimates it. Default: false. What is the whole model is never weighed, nor anything when `allowedOps`
   * names what shall be delegated.
   */
  ignorePartitionCost?: boolean;
  /** TFLite ops (e.g. `CONV_2D`) that WebNN may take. Default: all it can. */
  allowedOps?: readonly string[];
  /** TFLite ops that WebNN must not take. */
  deniedOps?: readonly string[];
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

// The delegate's C options have these numbers.
const DEVICE_NUMBERS: Readonly<Record<DevicePreference, number>> = { default: 0, gpu: 1, cpu: 2, npu: 3 };
const POWER_NUMBERS: Readonly<Record<PowerPreference, number>> = { default: 0, 'high-performance': 1, 'low-power': 2 };

/** What `devicePreference` can be. */
export const DEVICE_PREFERENCES = Object.keys(DEVICE_NUMBERS) as readonly DevicePreference[];

/** What `powerPreference` can be. */
export const POWER_PREFERENCES = Object.keys(POWER_NUMBERS) as readonly PowerPreference[];

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
  const delegate = options.webnnDelegateOptions ?? {};
  const { devicePreference = 'default', powerPreference = 'default', maxPartitions, minNodesPerPartition } = delegate;
  return {
    ...cpuRunnerOptions(options),
    enable_webnn_delegate: true,
    webnn_device_preference: DEVICE_NUMBERS[devicePreference],
    webnn_power_preference: POWER_NUMBERS[powerPreference],
    webnn_op_support_limits: limitsText,
    ...(delegate.allowedOps && { webnn_allowed_ops: delegate.allowedOps.join(',') }),
    ...(delegate.deniedOps && { webnn_denied_ops: delegate.deniedOps.join(',') }),
    ...(deniedNodes.length > 0 && { webnn_denied_nodes: deniedNodes.join(',') }),
    ...(maxPartitions !== undefined && { webnn_max_partitions: maxPartitions }),
    ...(delegate.ignorePartitionCost && { webnn_ignore_partition_cost: true }),
    ...(minNodesPerPartition !== undefined && { webnn_min_nodes_per_partition: minNodesPerPartition }),
  };
}
