/** The one entry point: from a model file to a model that runs. */

import { fetchModel, type ModelSource } from './model_source.js';
import type { TFLiteModelOptions, WebnnDelegateOptions } from './options.js';
import { RecoveringModel } from './recovering_model.js';
import { reportOn } from './report.js';
import { TFLiteModel } from './tflite_model.js';
import { loadWasmModule } from './wasm_module.js';
import { closeWebnn, openWebnn } from './webnn_context.js';

/**
 * Loads a TFLite model.
 *
 * With `enableWebnnDelegate`, what WebNN can take runs on WebNN and the rest on the CPU. Where WebNN is missing or
 * refuses the model, the model runs on the CPU, and `model.report.webnn.reason` says why.
 *
 * @param source - The model file: a URL, its bytes, or a Response.
 * @throws ModelFetchError, WasmLoadError, NotATFLiteModelError, MalformedModelError, FlexOpError, EdgeTpuOpError,
 *   UnresolvedCustomOpError, InterpreterError, WasmTrapError.
 *
 * @example
 * const model = await loadTFLiteModel('model.tflite', { enableWebnnDelegate: true });
 * const [scores] = await model.run(new Float32Array(224 * 224 * 3));
 */
export async function loadTFLiteModel(source: ModelSource, options: TFLiteModelOptions = {}): Promise<TFLiteModel> {
  const delegateOptions = options.webnnDelegateOptions ?? {};
  const opening = options.enableWebnnDelegate ? openWebnn(delegateOptions) : Promise.resolve(null);
  const start = performance.now();
  let compileMs = 0;
  const compiling = loadWasmModule(options).then((wasm) => {
    compileMs = performance.now() - start;
    return wasm;
  });
  const fetching = fetchModel(source);
  const parts = await Promise.all([fetching, compiling, opening]).catch(async (error: unknown) => {
    const webnn = await opening;
    if (webnn !== null && webnn.context !== null) closeWebnn(webnn);
    throw error;
  });
  const [model, wasm, webnn] = parts;
  const reopenWebnn = () => openWebnn(withoutContext(delegateOptions));
  const recovering = await RecoveringModel.prepare({ wasm, model, options, webnn, reopenWebnn });
  return new TFLiteModel(recovering, () => reportOn(recovering, options, wasm.variant, compileMs));
}

/** A context that the caller gave and that was lost cannot be had again: the model makes its own like it. */
function withoutContext({ context: _, ...options }: WebnnDelegateOptions): WebnnDelegateOptions {
  return options;
}
