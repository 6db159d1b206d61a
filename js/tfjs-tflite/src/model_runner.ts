/** A model as `@tensorflow/tfjs-tflite` runs it: what embind makes of the C++ class `TFLiteWebModelRunner`. */

import { ContextLostError, messageOf, type NodeTime, type WasmRunner } from '../../runtime/src/internals.js';
import { CppVector } from './cpp_values.js';
import { Profile, type ProfileItem } from './profile.js';
import { type TFLiteTensorInfo, tensorInfo } from './tensor_info.js';

/** A model that can run. */
export interface RunnableModel {
  readonly runner: WasmRunner;
  /** Destroyed with the model; null on the CPU. */
  readonly context: { destroy(): void } | null;
}

/** Prepares a model; `isAgain` after it has lost WebNN. */
export type Prepare = (file: Uint8Array, isAgain: boolean) => RunnableModel;

/** Runs one model, on the CPU, or on WebNN while its caller waits. The names are C++'s, because the client calls them. */
export class TFLiteWebModelRunner {
  readonly #prepare: Prepare;
  readonly #profile = new Profile();
  #model: RunnableModel;

  constructor(file: Uint8Array, prepare: Prepare) {
    this.#prepare = prepare;
    this.#model = prepare(file, false);
  }

  GetInputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.inputs.map((input) => tensorInfo(() => this.#runner, input)));
  }

  /** The client asks before it runs the model, and reads data and shape afterwards. */
  GetOutputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.outputs.map((output) => tensorInfo(() => this.#runner, output)));
  }

  /** Runs the model on what its inputs hold. The client can be told success only; the console gets the reason. */
  Infer(): boolean {
    try {
      this.#invoke();
      this.#profile.record(this.#runner.takeProfile().map(profileItem));
    } catch (error) {
      console.error(`tflite-webnn: ${messageOf(error)}`);
      return false;
    }
    return true;
  }

  /** Times of the last run's nodes; empty without `enableProfiling`. */
  GetProfilingResults(): CppVector<ProfileItem> {
    return new CppVector(this.#profile.lastRun);
  }

  /** Times over all runs, for people. */
  GetProfilingSummary(): string {
    return this.#profile.summary();
  }

  /** Frees the model. */
  delete(): void {
    this.#runner.delete();
    this.#model.context?.destroy();
  }

  get #runner(): WasmRunner {
    return this.#model.runner;
  }

  #invoke(): void {
    try {
      this.#runner.invoke();
    } catch (error) {
      if (this.#model.context === null || !(error instanceof ContextLostError)) throw error;
      this.#prepareAgain();
      this.#runner.invoke();
    }
  }

  /** Where a node ended the GPU process, the next preparation leaves it to the CPU. The state of variables starts again. */
  #prepareAgain(): void {
    const { runner } = this.#model;
    const inputs = runner.description.inputs.map(({ index }) => ({ index, bytes: runner.tensorBytes(index).slice() }));
    const file = runner.file.bytes.slice();
    this.delete();
    this.#model = this.#prepare(file, true);
    for (const { index, bytes } of inputs) this.#runner.write(index, bytes);
  }
}

function profileItem({ op, name, ms }: NodeTime): ProfileItem {
  return { nodeType: op, nodeName: name, nodeExecMs: ms };
}
