/** From a model file to a model that runs: the part that is fetched with the first model. */

import { openBlockingWebnn, type WebnnBackend } from '../blocking/blocking_webnn.js';
import { RecoveringModel } from '../model/recovering_model.js';
import { runnerOptions, weighed, withOwnVariables } from '../model/runner_options.js';
import type { TFLiteModelOptions, WebnnDelegateOptions } from '../options.js';
import { reportOn } from '../report/report.js';
import type { LoadWatch } from '../support/load_watch.js';
import { type CompilingModule, wasmPathNow } from '../wasm/wasm_module.js';
import { chooseWebnn } from '../webnn/choose_webnn.js';
import { closeWebnn, type WebnnUnavailable } from '../webnn/webnn_context.js';
import { checkOptions } from './check_options.js';
import { fetchModel, type ModelSource } from './model_source.js';
import { TFLiteModel } from './tflite_model.js';

/** Loads a model, see loader.ts. An abort is the caller's to notice. */
export async function load(
  source: ModelSource,
  options: TFLiteModelOptions,
  watch: LoadWatch,
  module: CompilingModule,
): Promise<TFLiteModel> {
  checkOptions(options);
  const { context: _, ...delegateOptions } = options.webnnDelegateOptions ?? {};
  // A context that the caller gave and that was lost cannot be had again: the model makes its own like it.
  const reopenWebnn = () => open(delegateOptions, options.wasmPath);
  const opening = options.enableWebnnDelegate
    ? open(options.webnnDelegateOptions ?? {}, options.wasmPath)
    : Promise.resolve(null);
  let compileMs = 0;
  watch.report('compile', 0, 1);
  const compiling = module.wasm.then((wasm) => {
    watch.report('compile', 1, 1);
    compileMs = performance.now() - module.start;
    return wasm;
  });
  const fetching = fetchModel(source, watch, compiling, options);
  const parts = await Promise.all([fetching, compiling, opening]).catch(async (error: unknown) => {
    const webnn = await opening.catch(() => null);
    if (webnn !== null && webnn.context !== null) closeWebnn(webnn);
    throw error;
  });
  const [model, wasm, webnn] = parts;
  const weighedOptions = weighed(runnerOptions(options), options.webnnDelegateOptions);
  const own = options.enableWebnnDelegate ? withOwnVariables(weighedOptions) : weighedOptions;
  const made = { wasm, model, options: own, webnn, reopenWebnn, watch };
  const recovering = await RecoveringModel.prepare(made);
  return new TFLiteModel(
    recovering,
    (current, subgraphs) => reportOn(current, options, wasm, compileMs, subgraphs),
    options,
  );
}

function open(options: WebnnDelegateOptions, wasmPath = wasmPathNow()): Promise<WebnnBackend | WebnnUnavailable> {
  return options.blocking ? openBlockingWebnn(options, wasmPath) : chooseWebnn(options, wasmPath);
}
