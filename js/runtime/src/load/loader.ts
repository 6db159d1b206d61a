/** The one entry point. It is small: what loading and running a model takes comes with the first one. */

import type { TFLiteModelOptions } from '../options.js';
import { LoadWatch } from '../support/load_watch.js';
import { packagePart } from '../support/package_part.js';
import { compileFor } from '../wasm/wasm_module.js';
import type { ModelSource } from './model_source.js';
import type { TFLiteModel } from './tflite_model.js';

/**
 * Loads what every model needs: the wasm module, and the package's part that loads models. `loadTFLiteModel()` finds it
 * there, if it is given the same options.
 *
 * @param options - Where the module is, which one, and for how many threads.
 * @throws WasmLoadError, PackageFileError
 */
export async function preloadTFLite(
  options: Pick<TFLiteModelOptions, 'numThreads' | 'variant' | 'wasmPath'> = {},
): Promise<void> {
  await Promise.all([compileFor(options).wasm, loadingPart()]);
}

/**
 * Loads a TFLite model.
 *
 * With `enableWebnnDelegate`, what WebNN can take runs on WebNN and the rest on the CPU. Where WebNN is missing or
 * refuses the model, the model runs on the CPU, and `model.report.webnn.reason` says why.
 *
 * @param source - The model file: a URL (relative to the page), its bytes, a Response, or a stream of its bytes. Bytes
 *   must stay as they are while the model lives: it may be prepared anew from them.
 * @param options - Where it shall run, what to measure, who hears of the progress.
 * @throws The reason of `options.signal` where that is aborted; OptionError, ModelFetchError, WasmLoadError, NotATFLiteModelError,
 *   MalformedModelError, FlexOpError, EdgeTpuOpError, OpsNotInBuildError, UnresolvedCustomOpError, InterpreterError,
 *   WasmTrapError; where `blocking` was asked for and cannot be had, BlockingError, WorkerFailedError;
 *   PackageFileError.
 *
 * @example
 * const model = await loadTFLiteModel('model.tflite', { enableWebnnDelegate: true });
 * const [scores] = await model.run(new Float32Array(224 * 224 * 3));
 * console.log(scores.name, scores.shape, scores.data);
 */
export async function loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions = {}): Promise<TFLiteModel> {
  const watch = new LoadWatch(options.signal, options.onProgress);
  watch.throwIfAborted();
  const compiling = compileFor(options); // the module is the larger download: it need not wait for the script
  const { load } = await loadingPart();
  return watch.orAbort(load(source, options, watch, compiling), (model) => model.dispose());
}

function loadingPart() {
  return packagePart(import('./load_tflite_model.js'));
}
