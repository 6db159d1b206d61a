/** The one entry point: from a model file to a model that runs. */

import { fetchModel, type ModelSource } from './model_source.js';
import type { TFLiteModelOptions } from './options.js';
import { prepareModel } from './prepare_model.js';
import { makeReport } from './report.js';
import { TFLiteModel } from './tflite_model.js';
import { loadWasmModule, type WasmModule } from './wasm_module.js';
import { openWebnn, type WebnnBackend, type WebnnUnavailable } from './webnn_context.js';

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
  const opening = options.enableWebnnDelegate ? openWebnn(options.webnnDelegateOptions ?? {}) : Promise.resolve(null);
  try {
    const [model, { wasm, compileMs }, webnn] = await Promise.all([fetchModel(source), timedWasm(options), opening]);
    const prepared = await prepareModel({ wasm, model, options, webnn });
    const report = makeReport(prepared, options, wasm.variant, compileMs);
    const backend = usable(webnn);
    if (report.webnn.used) return new TFLiteModel(prepared.description, report, prepared.executor, backend);
    destroyOwned(backend);
    return new TFLiteModel(prepared.description, report, prepared.executor, null);
  } catch (error) {
    destroyOwned(usable(await opening));
    throw error;
  }
}

async function timedWasm(options: TFLiteModelOptions): Promise<{ wasm: WasmModule; compileMs: number }> {
  const start = performance.now();
  const wasm = await loadWasmModule(options);
  return { wasm, compileMs: performance.now() - start };
}

function usable(webnn: WebnnBackend | WebnnUnavailable | null): WebnnBackend | null {
  return webnn === null || webnn.context === null ? null : webnn;
}

function destroyOwned(backend: WebnnBackend | null): void {
  if (backend?.owned) backend.context.destroy?.();
}
