/** Python's entry: one object, which opens models. */

import { takeDelegateOptions } from './delegate_options.js';
import type { EmbeddedWasm } from './embedded_wasm.js';
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
  takeDelegateOptions(options: string): string {
    return JSON.stringify(takeDelegateOptions(JSON.parse(options) as Record<string, string>));
  }

  /** Starts the helper worker if workers can do that here. */
  startHelper(): Promise<void> {
    return this.#helper.start();
  }
}
