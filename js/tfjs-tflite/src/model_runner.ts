/** A model as `@tensorflow/tfjs-tflite` runs it: embind's interface of the C++ class `TFLiteWebModelRunner`. */

import { messageOf, type NodeTime, type WasmRunner } from '../../runtime/src/internals.js';
import { CppVector } from './cpp_values.js';
import { Profile, type ProfileItem } from './profile.js';
import { type TFLiteTensorInfo, tensorInfo } from './tensor_info.js';

/** Runs one model, on the CPU, or on WebNN while its caller waits. The names are C++'s, as the client calls them. */
export class TFLiteWebModelRunner {
  readonly #runner: WasmRunner;
  readonly #context: { destroy(): void } | null;
  readonly #profile = new Profile();

  /** @param context - The context of the model's graphs, destroyed with the model; null on the CPU. */
  constructor(runner: WasmRunner, context: { destroy(): void } | null = null) {
    this.#runner = runner;
    this.#context = context;
  }

  GetInputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.inputs.map((input) => tensorInfo(this.#runner, input)));
  }

  /** The client gets them before it runs the model, and reads data and shape afterwards. */
  GetOutputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.outputs.map((output) => tensorInfo(this.#runner, output)));
  }

  /** Runs the model on its inputs. The client only gets success or failure; the console gets the reason. */
  Infer(): boolean {
    try {
      this.#runner.invoke();
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

  /** Times over all runs, as text. */
  GetProfilingSummary(): string {
    return this.#profile.summary();
  }

  /** Frees the model. */
  delete(): void {
    this.#runner.delete();
    this.#context?.destroy();
  }
}

function profileItem({ op, name, ms }: NodeTime): ProfileItem {
  return { nodeType: op, nodeName: name, nodeExecMs: ms };
}
