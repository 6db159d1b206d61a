/** The helper worker, which all interpreters of a thread share. */

import {
  BlockingHelper,
  listen,
  messageOf,
  serveHelper,
  startHelperWorker,
  whyCannotBlock,
} from '../../runtime/src/internals.js';
import type { EmbeddedVariant } from './choose_variant.js';
import { EmbeddedWasm } from './embedded_wasm.js';
import { openPythonWebnn } from './python_webnn.js';

/** What the worker is sent before anything else: the polyfill may need it. */
interface WasmMessage {
  readonly variant: EmbeddedVariant;
  readonly module: WebAssembly.Module;
}

/** A worker cannot be started and waited for in one go: its thread has to return first. */
export class SharedHelper {
  readonly #wasm: EmbeddedWasm;
  readonly #url: string | null;
  #starting: Promise<void> | null = null;
  #helper: BlockingHelper | null = null;
  #obstacle: string | null;

  /** @param url - Address of a script that calls runHelper(); null where there is none. */
  constructor(wasm: EmbeddedWasm, url: string | null) {
    this.#wasm = wasm;
    this.#url = url;
    this.#obstacle = url === null ? 'the package has no script for a helper worker here' : whyCannotBlock();
  }

  /** The worker, once it has started. */
  get helper(): BlockingHelper | null {
    return this.#helper;
  }

  /** Why there is no worker, or none yet. */
  get obstacle(): string {
    return this.#obstacle ?? 'its helper worker starts when this thread returns to its event loop';
  }

  /** Starts the worker where there can be one; again does nothing. Never rejects. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    if (this.#url === null || this.#obstacle !== null) return;
    try {
      const worker = startHelperWorker(this.#url);
      const { variant, module } = this.#wasm;
      worker.postMessage({ variant, module } satisfies WasmMessage, []);
      this.#helper = await BlockingHelper.start(worker);
    } catch (error) {
      this.#obstacle = messageOf(error);
    }
  }
}

/** What the worker does: it computes on WebNN for the thread that waits. */
export function runHelper(): void {
  let isServing = false;
  listen((message) => {
    if (isServing) return;
    isServing = true;
    const { variant, module } = message as WasmMessage;
    const wasm = new EmbeddedWasm(variant, module);
    serveHelper((wish) => openPythonWebnn(wish, wasm));
  });
}
