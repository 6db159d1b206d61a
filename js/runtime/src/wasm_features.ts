/** Features of this browser's WebAssembly, and the build variant that fits them. */

import { relaxedSimd, simd, threads } from 'wasm-feature-detect';
import { WasmLoadError } from './errors.js';
import { PACKAGED_VARIANTS } from './wasm_files.js';

/** Builds of the wasm module. */
export type WasmVariant = 'simd' | 'relaxed-simd';

/** WebAssembly features that decide what can run here. */
export interface WasmFeatures {
  /** Fixed-width SIMD, which every variant needs. */
  readonly simd: boolean;
  /** Relaxed SIMD, for the variant `relaxed-simd`. */
  readonly relaxedSimd: boolean;
  /** Threads: shared memory and atomics, which a page has where it is cross-origin isolated. */
  readonly threads: boolean;
  /** The same by the name that tfjs-tflite gives it. */
  readonly multiThreading: boolean;
}

let detected: Promise<WasmFeatures> | undefined;

/**
 * Detects the WebAssembly features of this browser, once. What it has is not always what is used: see
 * `report.variant` and `report.threads` of a model.
 */
export function getWasmFeatures(): Promise<WasmFeatures> {
  detected ??= Promise.all([simd(), relaxedSimd(), threads()]).then(([hasSimd, hasRelaxedSimd, hasThreads]) => ({
    simd: hasSimd,
    relaxedSimd: hasRelaxedSimd,
    threads: hasThreads,
    multiThreading: hasThreads,
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
  features: Omit<WasmFeatures, 'multiThreading'>,
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
