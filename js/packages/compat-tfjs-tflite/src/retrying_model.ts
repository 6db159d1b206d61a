/** A model that is prepared again when it has lost WebNN. */

import { ContextLostError } from 'tflite-webnn/errors';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';

/** A model that can run. */
export interface RunnableModel {
  readonly runner: WasmRunner;
  /** Destroyed with the model; null on the CPU. */
  readonly context: { destroy(): void } | null;
}

/** Prepares a model; `isAgain` after it has lost WebNN. */
export type Prepare = (file: Uint8Array, isAgain: boolean) => RunnableModel;

/** One model, on the CPU, or on WebNN while its caller waits. */
export class RetryingModel {
  readonly #prepare: Prepare;
  #model: RunnableModel;

  constructor(file: Uint8Array, prepare: Prepare) {
    this.#prepare = prepare;
    this.#model = prepare(file, false);
  }

  /** Another one after a run that has lost WebNN. */
  get runner(): WasmRunner {
    return this.#model.runner;
  }

  /** Runs the model on what its inputs hold. */
  invoke(): void {
    try {
      this.runner.invoke();
    } catch (error) {
      if (this.#model.context === null || !(error instanceof ContextLostError)) throw error;
      this.#prepareAgain();
      this.runner.invoke();
    }
  }

  /** Frees the model. */
  delete(): void {
    this.runner.delete();
    this.#model.context?.destroy();
  }

  /**
   * Where a node ended the GPU process, the next preparation leaves it to the CPU. The state of variables starts again.
   */
  #prepareAgain(): void {
    const { runner } = this;
    const inputs = runner.description.inputs.map(({ index }) => ({ index, bytes: runner.tensorBytes(index).slice() }));
    const file = runner.file.bytes.slice();
    this.delete();
    this.#model = this.#prepare(file, true);
    for (const { index, bytes } of inputs) this.runner.write(index, bytes);
  }
}
