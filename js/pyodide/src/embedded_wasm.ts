/** The wasm module of the Python package: its JavaScript part is in this script, its bytes come from Python. */

import createRelaxedSimdModule from 'wasm-relaxed-simd/tflite_webnn.mjs';
import createSimdModule from 'wasm-simd/tflite_webnn.mjs';
import type { WasmModuleFactory } from '../../runtime/src/wasm_binding_types.js';
import { instantiateNow, type WasmInstance, type WasmModule } from '../../runtime/src/wasm_module.js';
import type { EmbeddedVariant } from './choose_variant.js';

/** Emscripten gives imports and exports other names in each module. */
const FACTORIES: Readonly<Record<EmbeddedVariant, WasmModuleFactory>> = {
  simd: createSimdModule,
  'relaxed-simd': createRelaxedSimdModule,
};

/** A module from which instances are made at once: Python's interpreter waits for nothing. */
export class EmbeddedWasm implements WasmModule {
  readonly threads = 1;
  readonly threadsReason = null;

  constructor(
    readonly variant: EmbeddedVariant,
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
