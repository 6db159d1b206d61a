/** Features of this browser's WebAssembly, and the build variant that fits them. */

import { relaxedSimd, simd, threads } from 'wasm-feature-detect';
import { WasmLoadError } from '../errors.js';
import type { WasmVariant } from '../options.js';
import { nodeThreadCount } from '../support/local_files.js';
import { PACKAGED_VARIANTS } from './wasm_files.js';

/** WebAssembly features that decide what can run here. */
export interface WasmFeatures {
  /** Fixed-width SIMD, which every variant needs. */
  readonly simd: boolean;
  /** Relaxed SIMD, for the variants `relaxed-simd` and `relaxed-simd-threads`. */
  readonly relaxedSimd: boolean;
  /** Threads, for the other two: shared memory, which a page has where it is cross-origin isolated. */
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

/** What chooses a variant: the features by their own names. */
type Features = Omit<WasmFeatures, 'multiThreading'>;

const NEEDS: Readonly<Record<WasmVariant, (features: Features) => boolean>> = {
  'relaxed-simd-threads': ({ simd, relaxedSimd, threads }) => simd && relaxedSimd && threads,
  'simd-threads': ({ simd, threads }) => simd && threads,
  'relaxed-simd': ({ simd, relaxedSimd }) => simd && relaxedSimd,
  simd: ({ simd }) => simd,
};

/** Whether a variant can use more than one thread. */
export function hasThreads(variant: WasmVariant): boolean {
  return variant.endsWith('-threads');
}

/** Threads where nobody has said how many, as tfjs-tflite has them: half of the processor's, at least one. */
export function defaultThreadCount(): number {
  return Math.max(1, Math.floor((globalThis.navigator?.hardwareConcurrency ?? nodeThreadCount() ?? 1) / 2));
}

/**
 * Chooses the fastest variant that the package has and this browser can run.
 *
 * @param wanted - A variant, or `auto`.
 * @param numThreads - How many threads compute; `auto` is a variant with threads only where it is more than one.
 * @throws WasmLoadError where the browser cannot run what is wanted.
 */
export function chooseVariant(
  wanted: WasmVariant | 'auto',
  features: Features,
  numThreads = 1,
  packaged: readonly WasmVariant[] = PACKAGED_VARIANTS,
): WasmVariant {
  const candidates = wanted === 'auto' ? bySpeed(numThreads).filter((variant) => packaged.includes(variant)) : [wanted];
  const variant = candidates.find((candidate) => NEEDS[candidate](features));
  if (variant !== undefined) return variant;
  throw new WasmLoadError(
    'WASM_LOAD_FAILED',
    `This browser's WebAssembly cannot run the variant ${candidates.join(' or ')} of tflite-webnn. ` +
      'Use a browser with WebAssembly SIMD (Chrome 91, Firefox 89, Safari 16.4, or newer)' +
      `${wanted === 'auto' || wanted === 'simd' ? '' : ", or the variant 'auto'"}` +
      `${hasThreads(candidates[0] ?? 'simd') ? '; threads need a page that is cross-origin isolated' : ''}.`,
    { details: { wanted, packaged, features } },
  );
}

function bySpeed(numThreads: number): readonly WasmVariant[] {
  return numThreads > 1
    ? ['relaxed-simd-threads', 'simd-threads', 'relaxed-simd', 'simd']
    : ['relaxed-simd', 'simd', 'relaxed-simd-threads', 'simd-threads'];
}
