/** Where the files of a wasm variant are. */

import type { WasmVariant } from '../options.js';
import { absolute, SCRIPT_URL } from '../support/page_address.js';
import type { WasmModuleFactory } from './wasm_binding_types.js';

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
 * @param wasmPath - Folder of the variants' folders, relative to the page. Default: the folder of this script.
 */
export function wasmFiles(variant: WasmVariant, wasmPath: string | undefined): WasmFiles {
  const packaged = PACKAGED_FILES[variant];
  if (wasmPath === undefined && packaged !== undefined) return packaged();
  const folder = new URL(`${variant}/`, wasmPath === undefined ? SCRIPT_URL : folderUrl(wasmPath));
  const glue = new URL('tflite_webnn.mjs', folder);
  return {
    wasm: new URL('tflite_webnn.wasm', folder),
    glue,
    importGlue: () => import(/* @vite-ignore */ /* webpackIgnore: true */ glue.href),
  };
}

function folderUrl(wasmPath: string): URL {
  return new URL(absolute(wasmPath.endsWith('/') ? wasmPath : `${wasmPath}/`));
}
