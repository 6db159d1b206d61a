/** WebNN for Python's interpreter: the browser's, or the polyfill on the CPU if requested by name. */

import type { WebnnDelegateOptions } from '../../runtime/src/options.js';
import type { WasmModule } from '../../runtime/src/wasm/wasm_module.js';
import { chooseWebnn } from '../../runtime/src/webnn/choose_webnn.js';
import {
  missingWebnn,
  openWebnn,
  type PageWebnn,
  type WebnnUnavailable,
} from '../../runtime/src/webnn/webnn_context.js';
import type { WebnnScope } from '../../runtime/src/webnn/webnn_polyfill.js';
import type { Engine } from '../../webnn-polyfill/src/engine.js';
import { installEngine } from '../../webnn-polyfill/src/install_engine.js';
import { LocalContext } from '../../webnn-polyfill/src/tflite/engine/local_context.js';

/** Opens a context. Never throws. */
export function openPythonWebnn(
  options: WebnnDelegateOptions,
  wasm: WasmModule,
): Promise<PageWebnn | WebnnUnavailable> {
  const loadPolyfill = async () => polyfillOn(wasm);
  return chooseWebnn(options, undefined, { openWebnn, gpuEngines: async () => [], loadPolyfill });
}

/** Why there is no WebNN, as far as that is known synchronously; null if only an attempt shows. */
export function whyNoWebnn({ polyfill = 'auto' }: WebnnDelegateOptions): string | null {
  return polyfill === 'auto' || polyfill === 'never' ? missingWebnn() : null;
}

/** Polyfill and interpreter share the compiled module. */
function polyfillOn(wasm: WasmModule): WebnnScope {
  const engine: Engine = { name: 'tflite', open: async () => new LocalContext(wasm) };
  const scope = {};
  void installEngine(engine, true, scope); // synchronous if forced
  return scope as WebnnScope;
}
