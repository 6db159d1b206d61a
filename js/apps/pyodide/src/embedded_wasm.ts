/**
 * The wasm module of the Python package: the variant for this browser. Its JavaScript part is in this script, its bytes
 * come from Python.
 */

import type { WasmModuleFactory } from 'tflite-webnn/wasm/wasm_binding_types';
import { instantiateNow, type WasmInstance, type WasmModule } from 'tflite-webnn/wasm/wasm_module';
import { chooseVariant as choose } from 'tflite-webnn/wasm/wasm_variants';
import createRelaxedSimdModule from 'wasm-relaxed-simd/tflite_webnn.mjs';
import createSimdModule from 'wasm-simd/tflite_webnn.mjs';

/** The variants that the Python package has: those without threads. */
const EMBEDDED_VARIANTS = ['simd', 'relaxed-simd'] as const;

export type EmbeddedVariant = (typeof EMBEDDED_VARIANTS)[number];

/** Tests a module of one function without parameters that returns a v128. */
function hasInstructions(...body: readonly number[]): boolean {
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const types = [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b];
  const functions = [0x03, 0x02, 0x01, 0x00];
  const code = [0x0a, body.length + 4, 0x01, body.length + 2, 0x00, ...body, 0x0b];
  return WebAssembly.validate(new Uint8Array([...magic, ...types, ...functions, ...code]));
}

const SPLAT_ZERO = [0x41, 0x00, 0xfd, 0x0f];
const POPCNT = [0xfd, 0x62];
const RELAXED_SWIZZLE = [0xfd, 0x80, 0x02];

/**
 * The fastest variant that this browser runs.
 *
 * @throws WasmLoadError if it runs none.
 */
export function chooseVariant(): EmbeddedVariant {
  const features = {
    simd: hasInstructions(...SPLAT_ZERO, ...POPCNT),
    relaxedSimd: hasInstructions(...SPLAT_ZERO, ...SPLAT_ZERO, ...RELAXED_SWIZZLE),
    threads: false, // none of these variants has them
  };
  return choose('auto', features, 1, EMBEDDED_VARIANTS) as EmbeddedVariant;
}

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

  /** The same module for a model that requests threads, so that its report has the reason for the single one. */
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
