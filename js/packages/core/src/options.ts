/**
 * Options of loading a model, and what each has to be: with `enableWebNNDelegate` a model stayed on the CPU, silently.
 */

import type { CustomOps } from './custom_op.js';
import { isShape } from './dtypes.js';
import { DELEGATE_OPTIONS, type DelegateOptions } from './generated/delegate_options.js';
import {
  ADDRESS,
  COUNT,
  FLAG,
  FUNCTION,
  type Kind,
  LIST,
  OBJECT,
  type OptionSchema,
  oneOf,
  SIGNAL,
  TEXT,
  WORKER,
} from './option_schema.js';
import type { CacheOptions } from './support/file_cache.js';
import type { ProgressListener } from './support/tasks.js';
import { validateOptions } from './support/validate_options.js';
import type { MLContext } from './webnn_types.js';

export type { DelegateOptions, DevicePreference, PowerPreference } from './generated/delegate_options.js';

/** What computes the polyfill's graphs: TFLite in wasm, or TensorFlow.js on WebGPU or WebGL. */
export type PolyfillEngine = 'tflite' | 'webgpu' | 'webgl';

/** What is used of a Worker, in browsers and in Node. */
export interface HelperWorker {
  /**
   * Sends a message to the worker.
   *
   * @param message - What is sent.
   * @param moved - The buffers in it that are moved.
   */
  postMessage(message: unknown, moved: ArrayBuffer[]): void;
  /** Ends the worker. */
  terminate(): unknown;
}

/** Where the helper comes from: its address, or a worker that runs it already, as a bundler creates it. */
export type HelperSource = string | URL | HelperWorker;

/** A build of the wasm module. */
export type WasmVariant = 'simd' | 'relaxed-simd' | 'simd-threads' | 'relaxed-simd-threads';

/** Options of the WebNN delegate, and of how its context is found or created. */
export interface WebnnDelegateOptions extends DelegateOptions {
  /**
   * Whose WebNN is used. `auto`, the default: the browser's; where that provides no context, a GPU is there and
   * `devicePreference` is `gpu`, the polyfill's on the GPU. `never`: the browser's or none. An engine: the polyfill's
   * with this engine, whatever the browser has. The report's `backend` names the choice.
   */
  polyfill?: 'auto' | 'never' | PolyfillEngine;
  /** A context to run on, e.g. one shared by several models; it is not destroyed with the model. */
  context?: MLContext;
  /**
   * Create the context in a helper worker, for which this thread can wait: `runSync()` then works on WebNN, too, and
   * there are no MLTensors here. Only in a worker of a cross-origin isolated page, and in Node. Default: false.
   */
  blocking?: boolean;
  /** Where blocking mode finds the package's webnn_helper.mjs, or a worker that runs it. Default: next to index.mjs. */
  blockingHelper?: HelperSource;
}

/** Where a model runs: `auto` and `webnn` leave the device of WebNN to the browser. */
export type Device = 'auto' | 'webnn' | 'gpu' | 'npu' | 'cpu';

/** Options of {@link loadTFLiteModel}. */
export interface TFLiteModelOptions {
  /** Ends the loading, whatever it is at: the promise is rejected with the signal's reason, and all is freed. */
  signal?: AbortSignal;
  /**
   * Receives the progress: of the download, compiling wasm, TFLite's preparation, and each WebNN graph that is built.
   */
  onProgress?: ProgressListener;
  /**
   * The maximum number of threads on the CPU, 1 to 256. Default, also by -1: half of the processor's, at least one. A
   * model whose runs are short has one, which is faster. More than one needs a page that is cross-origin isolated, or
   * Node, and a variant with threads; `threads` of `model.report()` has the number.
   */
  numThreads?: number;
  /**
   * Keep the model and the wasm module in the browser, and take them from there when they are loaded again, without
   * a request to the server. A changed model needs another address or `integrity`. Where the browser keeps nothing,
   * the console says so, and loading goes on. Default: false.
   */
  cache?: boolean | CacheOptions;
  /** The hash of the model's file, as subresource integrity: `sha384-…`. For a URL; browsers reject other bytes. */
  integrity?: string;
  /** Measure each node, for `getProfilingResults()`. Default: false. */
  enableProfiling?: boolean;
  /** The maximum number of nodes of a run that are measured; the newest are kept. Default: 1024. */
  maxProfilingBufferEntries?: number;
  /** Shapes of the inputs, in the model's order, where they are not those that the file has. */
  inputShapes?: readonly (readonly number[])[];
  /**
   * How many other shapes of its inputs the model stays prepared for: `resizeInputs()` to one of them is immediate.
   * Each takes the memory of a model, its weights included; the one that was not used for longest goes first. Default:
   * 1.
   */
  maxKeptShapes?: number;
  /**
   * Where the model runs. `auto`, the default: on WebNN or on the CPU, whichever is faster by the delegate's estimate.
   * `webnn`: everything that WebNN supports runs there; `gpu`, `npu`: on this device of WebNN. Without WebNN, loading
   * then fails. `cpu`: on XNNPACK alone.
   */
  device?: Device;
  /** Wins over `device`, in the terms of the WebNN delegate's RFC: true is `auto`, false is `cpu`. */
  enableWebnnDelegate?: boolean;
  /** How WebNN is used, unless the model runs on the CPU alone. Wins over what `device` implies. */
  webnnDelegateOptions?: WebnnDelegateOptions;
  /** Run on XNNPACK what stays on the CPU. Default: true; false leaves TFLite's own slow kernels. */
  enableXnnpackDelegate?: boolean;
  /**
   * Ops that your functions compute, by the names that the model has for them; or the address, relative to the page, of
   * a module with such an object as its default export: a worker accepts only that. They win over ops of this runtime.
   */
  customOps?: CustomOps | string | URL;
  /** The directory above those of the wasm variants, relative to the page. Default: `setWasmPath()`'s, or index.mjs'. */
  wasmPath?: string;
  /** Build of the wasm module. Default: `auto`, the fastest one that the browser can run. */
  variant?: WasmVariant | 'auto';
}

/** Options with `device` in the RFC's terms. */
export interface ResolvedOptions extends TFLiteModelOptions {
  enableWebnnDelegate: boolean;
  webnnDelegateOptions: WebnnDelegateOptions;
  /** The device that is required; null if the model may run on the CPU instead. */
  requiredDevice: Device | null;
}

/** Expresses `device` by `enableWebnnDelegate` and `webnnDelegateOptions`, which win if they are provided. */
export function resolveDevice(options: TFLiteModelOptions): ResolvedOptions {
  const { enableWebnnDelegate, webnnDelegateOptions } = options;
  const legacy = enableWebnnDelegate ? 'auto' : 'cpu';
  const device = enableWebnnDelegate === undefined ? (options.device ?? 'auto') : legacy;
  const requiredDevice = device === 'auto' || device === 'cpu' ? null : device;
  const preference = requiredDevice === 'webnn' ? null : requiredDevice;
  const { ignorePartitionCost = requiredDevice !== null, devicePreference = preference ?? 'default' } =
    webnnDelegateOptions ?? {};
  return {
    ...options,
    enableWebnnDelegate: device !== 'cpu',
    webnnDelegateOptions: { ...webnnDelegateOptions, ignorePartitionCost, devicePreference },
    requiredDevice,
  };
}

const TYPES_SCHEMA = { count: COUNT, flag: FLAG, ops: LIST, workarounds: LIST };

const DELEGATE_SCHEMA = Object.fromEntries(
  Object.entries(DELEGATE_OPTIONS).map(([name, row]): [string, Kind] => [
    name,
    row.type === 'choice' ? oneOf(row.choices) : TYPES_SCHEMA[row.type],
  ]),
) as OptionSchema<DelegateOptions>;

const CACHE_SCHEMA: OptionSchema<CacheOptions> = { maxBytes: COUNT };

const WEBNN_SCHEMA: OptionSchema<WebnnDelegateOptions> = {
  ...DELEGATE_SCHEMA,
  polyfill: oneOf(['auto', 'never', 'tflite', 'webgpu', 'webgl']),
  context: OBJECT,
  blocking: FLAG,
  blockingHelper: ['an address or a worker', (value) => ADDRESS[1](value) || WORKER[1](value)],
};

/** What each option of a model has to be. */
export const MODEL_OPTIONS_SCHEMA: OptionSchema<TFLiteModelOptions> = {
  signal: SIGNAL,
  onProgress: FUNCTION,
  numThreads: [
    'an integer from 1 to 256, or -1 for the default',
    (value) => value === -1 || (COUNT[1](value) && value !== 0 && Number(value) <= 256),
  ],
  cache: ['true, false or an object', (value) => FLAG[1](value) || OBJECT[1](value)],
  integrity: ['a hash as sha384-…', (value) => /^sha(256|384|512)-/.test(String(value))],
  enableProfiling: FLAG,
  maxProfilingBufferEntries: COUNT,
  maxKeptShapes: COUNT,
  inputShapes: ['a list of shapes', (value) => Array.isArray(value) && value.every(isShape)],
  device: oneOf(['auto', 'webnn', 'gpu', 'npu', 'cpu']),
  enableWebnnDelegate: FLAG,
  webnnDelegateOptions: OBJECT,
  enableXnnpackDelegate: FLAG,
  customOps: [
    'an object of custom ops, or the address of a module that exports one',
    (value) => ADDRESS[1](value) || OBJECT[1](value),
  ],
  wasmPath: TEXT,
  variant: oneOf(['auto', 'simd', 'relaxed-simd', 'simd-threads', 'relaxed-simd-threads']),
};

/**
 * Checks the options of a model.
 *
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 */
export function checkOptions<Options extends TFLiteModelOptions>(
  options: Options,
  kinds = MODEL_OPTIONS_SCHEMA as OptionSchema<Options>,
): void {
  validateOptions('', options, kinds);
  if (typeof options.cache === 'object') validateOptions('cache.', options.cache, CACHE_SCHEMA);
  validateOptions('webnnDelegateOptions.', options.webnnDelegateOptions ?? {}, WEBNN_SCHEMA);
}
