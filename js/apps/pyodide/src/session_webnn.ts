/**
 * WebNN of an interpreter: with promises, or while the thread waits for a helper worker. The first run
 * decides which, because only one of them has the model's state.
 */

import type { InputShapes, ModelReport } from 'tflite-webnn';
import { BlockingError } from 'tflite-webnn/errors';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { AwaitedWebnn, type WebnnParts } from './awaited_webnn.js';
import { HostedWebnn } from './hosted_webnn.js';
import { whyNoWebnn } from './python_webnn.js';
import type { SharedHelper } from './shared_helper.js';

/** All runs are of the main subgraph; WebNN has nodes of no other. */
export class SessionWebnn {
  readonly #helper: SharedHelper;
  readonly #parts: WebnnParts;
  /** Why WebNN can never be used; null if it may. */
  readonly #reason: string | null;
  #awaited: AwaitedWebnn | null = null;
  #hosted: HostedWebnn | null = null;

  /** @param preservesTensors - Whether intermediate tensors are requested, which WebNN does not return. */
  constructor(helper: SharedHelper, parts: WebnnParts, preservesTensors: boolean) {
    this.#helper = helper;
    this.#parts = parts;
    this.#reason = preservesTensors
      ? 'experimental_preserve_all_tensors requests intermediate tensors, which WebNN does not return'
      : whyNoWebnn(parts.options.webnnDelegateOptions ?? {});
    if (this.#reason === null) void helper.start();
  }

  /** Whether only runAsync() can run the model, as far as is known without trying. */
  needsPromise(shapes: InputShapes): boolean {
    if (this.#reason !== null || this.#hosted !== null) return false;
    return !this.#awaited?.isRejected(shapes);
  }

  /**
   * Runs the model synchronously.
   *
   * @returns whether it ran; else the interpreter runs it itself.
   * @throws BlockingError if this thread cannot wait for WebNN.
   */
  run(interpreter: WasmRunner, shapes: InputShapes): boolean {
    if (!this.needsPromise(shapes)) return this.#hosted?.run(interpreter, shapes) ?? false;
    const { helper, reason } = this.#helper;
    if (this.#awaited !== null || helper === null) {
      const why = this.#awaited === null ? reason : 'the model has been prepared to be run with promises';
      throw new BlockingError(`WebNN returns promises, and this thread does not wait for them: ${why}.`);
    }
    this.#hosted = new HostedWebnn(helper, this.#parts);
    return this.#hosted.run(interpreter, shapes);
  }

  /** The same with a promise, which always works. */
  async runAsync(interpreter: WasmRunner, shapes: InputShapes): Promise<boolean> {
    if (!this.needsPromise(shapes)) return this.run(interpreter, shapes);
    this.#awaited ??= new AwaitedWebnn(this.#parts);
    return this.#awaited.run(interpreter, shapes);
  }

  /** Prepares the model, unless the first run must decide how. */
  async prepareAsync(shapes: InputShapes): Promise<void> {
    if (!this.needsPromise(shapes)) return;
    await this.#helper.start();
    if (this.#helper.helper !== null && this.#awaited === null) return; // run() suffices, and prepares synchronously
    this.#awaited ??= new AwaitedWebnn(this.#parts);
    await this.#awaited.prepare(shapes);
  }

  /** Where the nodes run; null if the interpreter reports that. */
  get report(): ModelReport | null {
    return this.#awaited?.report ?? this.#hosted?.report ?? null;
  }

  /** Why WebNN is not used, or not yet; null if there is a `report`. */
  get reason(): string | null {
    return this.#reason ?? this.#hosted?.reason ?? 'the first run, which prepares WebNN, is still to come';
  }

  resetVariables(): void {
    this.#awaited?.resetVariables();
    this.#hosted?.resetVariables();
  }

  release(): void {
    this.#awaited?.release();
    this.#hosted?.release();
  }
}
