/** WebNN for Python's interpreter: the browser's, or the polyfill on the CPU if requested by name. */

import type { WebnnDelegateOptions } from 'tflite-webnn';
import type { WasmModule } from 'tflite-webnn/wasm/wasm_module';
import { BugGuard } from 'tflite-webnn/webnn/context_losses';
import { GpuBugs } from 'tflite-webnn/webnn/gpu_bugs';
import {
  chooseWebnn,
  missingWebnn,
  openWebnn,
  type PageWebnn,
  type WebnnScope,
  type WebnnUnavailable,
} from 'tflite-webnn/webnn/webnn_context';
import type { Engine } from 'webnn-polyfill/engine';
import { installEngine } from 'webnn-polyfill/install_engine';
import { GraphPool } from 'webnn-polyfill/tflite/engine/graph_pool';
import { LocalContext } from 'webnn-polyfill/tflite/engine/local_context';

/** No script of the package is next to this one. */
const guard = new BugGuard(() => GpuBugs.load());

/** Opens a context. Never throws. */
export function openPythonWebnn(
  options: WebnnDelegateOptions,
  wasm: WasmModule,
): Promise<PageWebnn | WebnnUnavailable> {
  const open: typeof openWebnn = (requests, globals) => openWebnn(requests, globals, guard);
  const loadPolyfill = async () => polyfillOn(wasm);
  return chooseWebnn(options, undefined, { openWebnn: open, gpuEngines: async () => [], loadPolyfill });
}

/** Why there is no WebNN, as far as that is known synchronously; null if only an attempt shows. */
export function whyNoWebnn({ polyfill = 'auto' }: WebnnDelegateOptions): string | null {
  return polyfill === 'auto' || polyfill === 'never' ? missingWebnn() : null;
}

/** Polyfill and interpreter share the compiled module. */
function polyfillOn(wasm: WasmModule): WebnnScope {
  const pool = new GraphPool(wasm);
  const engine: Engine = { name: 'tflite', open: async () => new LocalContext(pool) };
  const scope = {};
  void installEngine(engine, true, scope); // synchronous if forced
  return scope as WebnnScope;
}
