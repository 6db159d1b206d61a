/** The JavaScript part of the Python package tflite_webnn; see pyodide_pkg. */

import { parseDelegateOptions } from './delegate_options.js';
import { type EmbeddedVariant, EmbeddedWasm } from './embedded_wasm.js';
import { InterpreterSession, type SessionOptions } from './interpreter_session.js';
import { MetadataSession } from './metadata_session.js';
import { SharedHelper } from './shared_helper.js';

/** The compiled module, and state shared by the models of this thread. */
export class Backend {
  readonly #wasm: EmbeddedWasm;
  readonly #helper: SharedHelper;

  /** @param helperUrl - See createBackend(). */
  constructor(wasm: EmbeddedWasm, helperUrl: string | null) {
    this.#wasm = wasm;
    this.#helper = new SharedHelper(wasm, helperUrl);
  }

  /**
   * Opens a session with a buffer for a model.
   *
   * @param options - JSON: {@link SessionOptions}.
   */
  openSession(modelSizeBytes: number, options: string): InterpreterSession {
    return new InterpreterSession(this.#wasm, this.#helper, modelSizeBytes, JSON.parse(options) as SessionOptions);
  }

  /** Opens a file to read its metadata, with a buffer for it. */
  openMetadata(modelSizeBytes: number): MetadataSession {
    return new MetadataSession(modelSizeBytes);
  }

  /**
   * Checks the options of load_delegate().
   *
   * @param options - JSON: texts by Python's names.
   * @returns JSON: `webnn` of {@link SessionOptions}.
   * @throws DelegateOptionError
   */
  parseDelegateOptions(options: string): string {
    return JSON.stringify(parseDelegateOptions(JSON.parse(options) as Record<string, string>));
  }

  /** Starts the helper worker if workers can do that here. */
  startHelper(): Promise<void> {
    return this.#helper.start();
  }
}

export { chooseVariant } from './embedded_wasm.js';
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
