/** From a model file to a model that runs. */

import { openBlockingWebnn, type WebnnBackend } from '../blocking/blocking_webnn.js';
import { DeviceUnavailableError } from '../errors.js';
import { RecoveringModel } from '../model/recovering_model.js';
import { costed, onCpu, runnerOptions, withOwnVariables } from '../model/runner_options.js';
import {
  checkOptions,
  type ResolvedOptions,
  resolveDevice,
  type TFLiteModelOptions,
  type WebnnDelegateOptions,
} from '../options.js';
import { reportOn } from '../report/report.js';
import { LoadMonitor } from '../support/tasks.js';
import { withCustomOps } from '../wasm/load_custom_ops.js';
import { HeapFile, type ModelFile } from '../wasm/wasm_memory.js';
import { compileFor, waitForThreads, wasmPathNow } from '../wasm/wasm_module.js';
import { chooseWebnn, closeWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { dropUnusable, fetchModel, type ModelSource } from './model_source.js';
import { TFLiteModel } from './tflite_model.js';

/**
 * Loads the wasm module. `loadTFLiteModel()` finds it there, if it gets the same options.
 *
 * @param options - Where the module is, which one, and for how many threads.
 * @throws OptionError, WasmLoadError
 *
 * @group Loading
 */
export async function preloadTFLite(
  options: Pick<TFLiteModelOptions, 'numThreads' | 'variant' | 'wasmPath'> = {},
): Promise<void> {
  checkOptions(options);
  await compileFor(options);
}

/**
 * Loads a TFLite model.
 *
 * The model runs on WebNN or on the CPU, whichever is faster by the delegate's estimate; the option `device` chooses.
 * Nodes that WebNN does not support run on the CPU. If none runs on WebNN, `webnn.reason` of `model.report()` says why.
 *
 * @param source - The model file: a URL (relative to the page), its bytes, a Response, or a stream of its bytes. Bytes
 *   must stay as they are while the model lives: it may be prepared again from them.
 * @param options - Where it runs, what is measured, who receives the progress.
 * @throws The reason of `options.signal` where that is aborted; OptionError, ModelFetchError, WasmLoadError,
 *   NotATFLiteModelError, MalformedModelError, UnsupportedOpError, InterpreterError, WasmTrapError;
 *   DeviceUnavailableError if `device` requires WebNN and there is none; where `blocking` was requested and is not
 *   available, BlockingError, WorkerFailedError.
 *
 * @example
 * const model = await loadTFLiteModel('model.tflite');
 * const [scores] = await model.run(new Float32Array(224 * 224 * 3));
 * console.log(scores.name, scores.shape, scores.data);
 *
 * @group Loading
 */
export async function loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions = {}): Promise<TFLiteModel> {
  checkOptions(options);
  const monitor = new LoadMonitor(options.signal, options.onProgress);
  monitor.throwIfAborted();
  return monitor.orAbort(load(source, resolveDevice(options), monitor), (model) => model.dispose());
}

async function load(source: ModelSource, options: ResolvedOptions, monitor: LoadMonitor): Promise<TFLiteModel> {
  const { context: _, ...delegateOptions } = options.webnnDelegateOptions;
  // A lost context of the caller cannot be created again: the model then makes its own, with the same preferences.
  const reopenWebnn = () => open(delegateOptions, options.wasmPath);
  let compileMs = 0;
  const start = performance.now();
  monitor.report('compile', 0, 1); // which may throw: nothing is open yet
  const opening = options.enableWebnnDelegate ? openRequired(options) : Promise.resolve(null);
  const { customOps } = options;
  const module = compileFor(options);
  const compiling = (customOps === undefined ? module : withCustomOps(module, customOps)).then((wasm) => {
    monitor.report('compile', 1, 1);
    compileMs = performance.now() - start;
    return wasm;
  });
  const fetching = fetchModel(source, monitor, compiling, { ...options, sharesInstance: customOps === undefined });
  const [model, wasm, webnn] = await together(monitor, fetching, compiling, opening);
  const plain = runnerOptions(options);
  const own = webnn?.context ? withOwnVariables(costed(plain, options.webnnDelegateOptions)) : onCpu(plain);
  const parts = { wasm, model, options: own, webnn, reopenWebnn, monitor };
  const recovering = await RecoveringModel.prepare(parts).catch(async (error: unknown) => {
    await dropUnusable(source, options, error);
    throw error;
  });
  return new TFLiteModel(
    recovering,
    async (current, subgraphs) => {
      const threadsReason = (await waitForThreads(current.prepared.runner?.threadsReason)) ?? wasm.threadsReason;
      return reportOn(current, options, { ...wasm, threadsReason }, compileMs, subgraphs);
    },
    options.maxKeptShapes,
  );
}

/** Waits for all parts of a model. Outside of load(): what its functions refer to lives as long as the model. */
async function together<Wasm>(
  monitor: LoadMonitor,
  fetching: Promise<ModelFile>,
  compiling: Promise<Wasm>,
  opening: Promise<WebnnBackend | WebnnUnavailable | null>,
) {
  try {
    return await Promise.all([fetching, compiling, opening]);
  } catch (error) {
    monitor.end(error);
    fetching.then(endThreadsFor).catch(() => {});
    const webnn = await opening.catch(() => null);
    if (webnn !== null && webnn.context !== null) closeWebnn(webnn);
    throw error;
  }
}

/** Ends the threads of the instance that a file was read into for a model that is not created. */
function endThreadsFor(file: ModelFile): void {
  if (file instanceof HeapFile) file.takeInstance()?.close();
}

/** @throws DeviceUnavailableError */
async function openRequired({ requiredDevice, webnnDelegateOptions, wasmPath }: ResolvedOptions) {
  const webnn = await open(webnnDelegateOptions, wasmPath);
  if (requiredDevice === null || webnn.context !== null) return webnn;
  throw new DeviceUnavailableError(
    `The device "${requiredDevice}" needs WebNN: ${webnn.reason}. The device "auto" runs on the CPU instead.`,
  );
}

function open(options: WebnnDelegateOptions, wasmPath = wasmPathNow()): Promise<WebnnBackend | WebnnUnavailable> {
  return options.blocking ? openBlockingWebnn(options, wasmPath) : chooseWebnn(options, wasmPath);
}
