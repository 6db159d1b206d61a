/** Chooses the variant of the wasm module for this browser, synchronously. */

import { chooseVariant as choose } from 'tflite-webnn/wasm/wasm_variants';

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
