/** The helper worker, shared by all interpreters of a thread. */

import { BlockingHelper, startHelperWorker, whyCannotBlock } from 'tflite-webnn/blocking/blocking_helper';
import { listen, serveHelper } from 'tflite-webnn/blocking/helper';
import { messageOf } from 'tflite-webnn/errors';
import { type EmbeddedVariant, EmbeddedWasm } from './embedded_wasm.js';
import { openPythonWebnn } from './python_webnn.js';

/** The first message to the worker: the polyfill may need it. */
interface WasmMessage {
  readonly variant: EmbeddedVariant;
  readonly module: WebAssembly.Module;
}

/** A worker starts only after its thread has returned to the event loop. */
export class SharedHelper {
  readonly #wasm: EmbeddedWasm;
  readonly #url: string | null;
  #starting: Promise<void> | null = null;
  #helper: BlockingHelper | null = null;
  #reason: string | null;

  /** @param url - Address of a script that calls runHelper(); null without one. */
  constructor(wasm: EmbeddedWasm, url: string | null) {
    this.#wasm = wasm;
    this.#url = url;
    this.#reason = url === null ? 'the package has no script for a helper worker here' : whyCannotBlock();
  }

  /** The worker, once it has started. */
  get helper(): BlockingHelper | null {
    return this.#helper;
  }

  /** Why there is no worker, or none yet. */
  get reason(): string {
    return this.#reason ?? 'its helper worker starts when this thread returns to its event loop';
  }

  /** Starts the worker if workers can do that here; a second call has no effect. Never rejects. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    if (this.#url === null || this.#reason !== null) return;
    try {
      const worker = startHelperWorker(this.#url);
      const { variant, module } = this.#wasm;
      worker.postMessage({ variant, module } satisfies WasmMessage, []);
      this.#helper = await BlockingHelper.start(worker);
    } catch (error) {
      this.#reason = messageOf(error);
    }
  }
}

/** The worker's main function: computes on WebNN for the waiting thread. */
export function runHelper(): void {
  let isServing = false;
  listen((message) => {
    if (isServing) return;
    isServing = true;
    const { variant, module } = message as WasmMessage;
    const wasm = new EmbeddedWasm(variant, module);
    serveHelper((request) => openPythonWebnn(request, wasm));
  });
}
