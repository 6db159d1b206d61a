/** The wasm module of the Python package: its JavaScript part is in this script, its bytes come from Python. */

import type { WasmModuleFactory } from 'tflite-webnn/wasm/wasm_binding_types';
import { instantiateNow, type WasmInstance, type WasmModule } from 'tflite-webnn/wasm/wasm_module';
import createRelaxedSimdModule from 'wasm-relaxed-simd/tflite_webnn.mjs';
import createSimdModule from 'wasm-simd/tflite_webnn.mjs';
import type { EmbeddedVariant } from './choose_variant.js';

/** Emscripten names imports and exports differently in each module. */
const FACTORIES: Readonly<Record<EmbeddedVariant, WasmModuleFactory>> = {
  simd: createSimdModule,
  'relaxed-simd': createRelaxedSimdModule,
};

const ONE_THREAD = 'the Python package has the modules without threads: a call cannot wait for workers to start';

/** A module with synchronous instances, for Python's interpreter, which does not wait. */
export class EmbeddedWasm implements WasmModule {
  readonly threads = 1;

  constructor(
    readonly variant: EmbeddedVariant,
    readonly module: WebAssembly.Module,
    readonly threadsReason: string | null = null,
  ) {}

  /** The same module for a model that asks for threads, so that its report has the reason for the single one. */
  forThreads(count: number | null): EmbeddedWasm {
    return count === null || count <= 1 ? this : new EmbeddedWasm(this.variant, this.module, ONE_THREAD);
  }

  /** @throws WasmLoadError */
  instantiateNow(): WasmInstance {
    return instantiateNow(this.module, FACTORIES[this.variant]);
  }

  async instantiate(): Promise<WasmInstance> {
    return this.instantiateNow();
  }
}
