/** Features of this browser's WebAssembly, and the build variant that fits them. */

import { relaxedSimd, simd, threads } from 'wasm-feature-detect';
import { WasmLoadError } from './errors.js';
import { PACKAGED_VARIANTS } from './wasm_files.js';

/** Builds of the wasm module. */
export type WasmVariant = 'simd' | 'relaxed-simd';

/** WebAssembly features that decide what can run here. */
export interface WasmFeatures {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  readonly threads: boolean;
}

let detected: Promise<WasmFeatures> | undefined;

/** Detects the WebAssembly features of this browser, once. */
export function getWasmFeatures(): Promise<WasmFeatures> {
  detected ??= Promise.all([simd(), relaxedSimd(), threads()]).then(([hasSimd, hasRelaxedSimd, hasThreads]) => ({
    simd: hasSimd,
    relaxedSimd: hasRelaxedSimd,
    threads: hasThreads,
  }));
  return detected;
}

/**
 * Chooses the fastest variant that the package has and this browser can run.
 *
 * @param wanted - A variant, or `auto`.
 * @throws WasmLoadError where the browser cannot run what is wanted.
 */
export function chooseVariant(
  wanted: WasmVariant | 'auto',
  features: WasmFeatures,
  packaged: readonly WasmVariant[] = PACKAGED_VARIANTS,
): WasmVariant {
  const runs: Record<WasmVariant, boolean> = {
    'relaxed-simd': features.relaxedSimd && features.simd,
    simd: features.simd,
  };
  const candidates: readonly WasmVariant[] =
    wanted === 'auto' ? (['relaxed-simd', 'simd'] as const).filter((variant) => packaged.includes(variant)) : [wanted];
  const variant = candidates.find((candidate) => runs[candidate]);
  if (variant !== undefined) return variant;
  throw new WasmLoadError(
    `This browser's WebAssembly cannot run the variant ${candidates.join(' or ')} of tflite-webnn. ` +
      'Use a browser with WebAssembly SIMD (Chrome 91, Firefox 89, Safari 16.4, or newer)' +
      `${wanted === 'relaxed-simd' ? ", or the variant 'auto'" : ''}.`,
    { details: { wanted, packaged, features } },
  );
}
