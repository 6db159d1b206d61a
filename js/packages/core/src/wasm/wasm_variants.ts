/** Features of this browser's WebAssembly, and the build variant that fits them. */

import { relaxedSimd, simd, threads } from 'wasm-feature-detect';
import { WasmLoadError } from '../errors.js';
import type { WasmVariant } from '../options.js';
import { absolute, nodeThreadCount, SCRIPT_URL } from '../support/platform.js';
import type { WasmModuleFactory } from './wasm_binding_types.js';

/** WebAssembly features that decide what can run here. */
export interface WasmFeatures {
  /** Fixed-width SIMD, which every variant needs. */
  readonly simd: boolean;
  /** Relaxed SIMD, for the variants `relaxed-simd` and `relaxed-simd-threads`. */
  readonly relaxedSimd: boolean;
  /** Threads, for the other two: shared memory, which a page has where it is cross-origin isolated. */
  readonly threads: boolean;
  /** The same by the name in tfjs-tflite. */
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
 * @param requested - A variant, or `auto`.
 * @param numThreads - How many threads compute; `auto` is a variant with threads only where it is more than one.
 * @throws WasmLoadError where the browser cannot run what is requested.
 */
export function chooseVariant(
  requested: WasmVariant | 'auto',
  features: Features,
  numThreads = 1,
  packaged: readonly WasmVariant[] = PACKAGED_VARIANTS,
): WasmVariant {
  const candidates =
    requested === 'auto' ? bySpeed(numThreads).filter((variant) => packaged.includes(variant)) : [requested];
  const variant = candidates.find((candidate) => NEEDS[candidate](features));
  if (variant !== undefined) return variant;
  throw new WasmLoadError(
    'WASM_LOAD_FAILED',
    `This browser's WebAssembly cannot run the variant ${candidates.join(' or ')} of tflite-webnn. ` +
      'Use a browser with WebAssembly SIMD (Chrome 91, Firefox 89, Safari 16.4, or newer)' +
      `${requested === 'auto' || requested === 'simd' ? '' : ", or the variant 'auto'"}` +
      `${hasThreads(candidates[0] ?? 'simd') ? '; threads need a page that is cross-origin isolated' : ''}.`,
    { details: { requested, packaged, features } },
  );
}

function bySpeed(numThreads: number): readonly WasmVariant[] {
  return numThreads > 1
    ? ['relaxed-simd-threads', 'simd-threads', 'relaxed-simd', 'simd']
    : ['relaxed-simd', 'simd', 'relaxed-simd-threads', 'simd-threads'];
}

/** The two files of a variant. */
export interface WasmFiles {
  readonly wasm: URL;
  readonly glue: URL;
  importGlue(): Promise<{ default: WasmModuleFactory }>;
}

/** The integrity of the modules in this package, or false for variants that it lacks; js/scripts/bundling sets them. */
declare const __PACKAGED__: {
  readonly simd: string | false;
  readonly relaxedSimd: string | false;
  readonly simdThreads: string | false;
  readonly relaxedSimdThreads: string | false;
};

export const WASM_INTEGRITY: { readonly [variant in WasmVariant]: string | false } = {
  simd: __PACKAGED__.simd,
  'relaxed-simd': __PACKAGED__.relaxedSimd,
  'simd-threads': __PACKAGED__.simdThreads,
  'relaxed-simd-threads': __PACKAGED__.relaxedSimdThreads,
};

/**
 * The package's own files. Each is written as a literal address: in this form, and in no other, bundlers recognize them
 * and carry them along, so that nobody has to copy files or set `wasmPath`.
 */
const PACKAGED_FILES: { readonly [variant in WasmVariant]?: () => WasmFiles } = {
  ...(__PACKAGED__.simd && {
    simd: () => ({
      wasm: new URL('./simd/tflite_webnn.wasm', import.meta.url),
      glue: new URL('./simd/tflite_webnn.mjs', SCRIPT_URL),
      importGlue: () => import('./simd/tflite_webnn.mjs'),
    }),
  }),
  ...(__PACKAGED__.relaxedSimd && {
    'relaxed-simd': () => ({
      wasm: new URL('./relaxed-simd/tflite_webnn.wasm', import.meta.url),
      glue: new URL('./relaxed-simd/tflite_webnn.mjs', SCRIPT_URL),
      importGlue: () => import('./relaxed-simd/tflite_webnn.mjs'),
    }),
  }),
  ...(__PACKAGED__.simdThreads && {
    'simd-threads': () => ({
      wasm: new URL('./simd-threads/tflite_webnn.wasm', import.meta.url),
      glue: new URL('./simd-threads/tflite_webnn.mjs', SCRIPT_URL),
      importGlue: () => import('./simd-threads/tflite_webnn.mjs'),
    }),
  }),
  ...(__PACKAGED__.relaxedSimdThreads && {
    'relaxed-simd-threads': () => ({
      wasm: new URL('./relaxed-simd-threads/tflite_webnn.wasm', import.meta.url),
      glue: new URL('./relaxed-simd-threads/tflite_webnn.mjs', SCRIPT_URL),
      importGlue: () => import('./relaxed-simd-threads/tflite_webnn.mjs'),
    }),
  }),
};

/** The variants that were built into this package. */
export const PACKAGED_VARIANTS = Object.keys(PACKAGED_FILES) as readonly WasmVariant[];

/**
 * The files of a variant.
 *
 * @param wasmPath - The directory above those of the variants, relative to the page. Default: the directory of this script.
 */
export function wasmFiles(variant: WasmVariant, wasmPath: string | undefined): WasmFiles {
  const packaged = PACKAGED_FILES[variant];
  if (wasmPath === undefined && packaged !== undefined) return packaged();
  const directory = new URL(`${variant}/`, wasmPath === undefined ? SCRIPT_URL : directoryUrl(wasmPath));
  const glue = new URL('tflite_webnn.mjs', directory);
  return {
    wasm: new URL('tflite_webnn.wasm', directory),
    glue,
    importGlue: () => import(/* @vite-ignore */ /* webpackIgnore: true */ glue.href),
  };
}

function directoryUrl(wasmPath: string): URL {
  return new URL(absolute(wasmPath.endsWith('/') ? wasmPath : `${wasmPath}/`));
}
