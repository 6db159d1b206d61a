/** From a model file to a model that runs. */

import { openBlockingWebnn, type WebnnBackend } from '../blocking/blocking_webnn.js';
import { RecoveringModel } from '../model/recovering_model.js';
import type { TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';
import { reportOn } from '../report/report.js';
import { LoadWatch } from '../support/load_watch.js';
import { type CompilingModule, compileFor, wasmPathNow } from '../wasm/wasm_module.js';
import { chooseWebnn } from '../webnn/choose_webnn.js';
import { closeWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { fetchModel, type ModelSource } from './model_source.js';
import { TFLiteModel } from './tflite_model.js';

/** Loads a model, see loader.ts. */
export async function loadTFLiteModel(
  source: ModelSource,
  options: TFLiteModelOptions = {},
  compiling = compileFor(options),
): Promise<TFLiteModel> {
  const watch = new LoadWatch(options.signal, options.onProgress);
  watch.throwIfAborted();
  return watch.orAbort(load(source, options, watch, compiling), (model) => model.dispose());
}

async function load(
  source: ModelSource,
  options: TFLiteModelOptions,
  watch: LoadWatch,
  module: CompilingModule,
): Promise<TFLiteModel> {
  const delegateOptions = options.webnnDelegateOptions ?? {};
  const opening = options.enableWebnnDelegate ? open(delegateOptions, options.wasmPath) : Promise.resolve(null);
  let compileMs = 0;
  watch.report('compile', 0, 1);
  const compiling = module.wasm.then((wasm) => {
    watch.report('compile', 1, 1);
    compileMs = performance.now() - module.start;
    return wasm;
  });
  const fetching = fetchModel(source, watch, compiling);
  const parts = await Promise.all([fetching, compiling, opening]).catch(async (error: unknown) => {
    const webnn = await opening.catch(() => null);
    if (webnn !== null && webnn.context !== null) closeWebnn(webnn);
    throw error;
  });
  const [model, wasm, webnn] = parts;
  const reopenWebnn = () => open(withoutContext(delegateOptions), options.wasmPath);
  const recovering = await RecoveringModel.prepare({ wasm, model, options, webnn, reopenWebnn, watch });
  return new TFLiteModel(recovering, (current) => reportOn(current, options, wasm, compileMs), options);
}

function open(options: WebnnDelegateOptions, wasmPath = wasmPathNow()): Promise<WebnnBackend | WebnnUnavailable> {
  return options.blocking ? openBlockingWebnn(options, wasmPath) : chooseWebnn(options, wasmPath);
}

/** A context that the caller gave and that was lost cannot be had again: the model makes its own like it. */
function withoutContext({ context: _, ...options }: WebnnDelegateOptions): WebnnDelegateOptions {
  return options;
}
