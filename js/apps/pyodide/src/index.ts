/** The JavaScript side of the Python package tflite_webnn; see pyodide_pkg. */

import { Backend } from './backend.js';
import type { EmbeddedVariant } from './choose_variant.js';
import { EmbeddedWasm } from './embedded_wasm.js';

export type { Backend } from './backend.js';
export { chooseVariant } from './choose_variant.js';
export type { InterpreterSession, SessionOptions } from './interpreter_session.js';
export type { MetadataSession } from './metadata_session.js';
export { runHelper } from './shared_helper.js';

/**
 * Creates the backend of Python's interpreters, synchronously.
 *
 * @param wasm - The wasm module of the variant: its bytes, or compiled if a page may not compile bytes synchronously.
 * @param helperUrl - Address of a script that calls runHelper(), for blocking runs on WebNN; null for
 *   none.
 */
export function createBackend(
  variant: EmbeddedVariant,
  wasm: WebAssembly.Module | BufferSource,
  helperUrl: string | null = null,
): Backend {
  const module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm);
  return new Backend(new EmbeddedWasm(variant, module), helperUrl);
}
