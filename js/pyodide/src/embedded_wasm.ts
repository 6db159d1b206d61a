/** The wasm module of the Python package: its JavaScript part is in this script, its bytes come from Python. */

import createRelaxedSimdModule from 'wasm-relaxed-simd/tflite_webnn.mjs';
import createSimdModule from 'wasm-simd/tflite_webnn.mjs';
import type { WasmModuleFactory } from '../../runtime/src/wasm_binding_types.js';
import type { WasmVariant } from '../../runtime/src/wasm_features.js';
import { instantiateNow, type WasmInstance, type WasmModule } from '../../runtime/src/wasm_module.js';

/** Emscripten gives imports and exports other names in each module. */
const FACTORIES: Readonly<Record<WasmVariant, WasmModuleFactory>> = {
  simd: createSimdModule,
  'relaxed-simd': createRelaxedSimdModule,
};

/** A module from which instances are made at once: Python's interpreter waits for nothing. */
export class EmbeddedWasm implements WasmModule {
  constructor(
    readonly variant: WasmVariant,
    readonly module: WebAssembly.Module,
  ) {}

  /** @throws WasmLoadError */
  instantiateNow(): WasmInstance {
    return instantiateNow(this.module, FACTORIES[this.variant]);
  }

  async instantiate(): Promise<WasmInstance> {
    return this.instantiateNow();
  }
}
