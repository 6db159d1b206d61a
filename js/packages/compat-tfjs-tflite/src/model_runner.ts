/** A model as `@tensorflow/tfjs-tflite` runs it: what embind makes of the C++ class `TFLiteWebModelRunner`. */

import { messageOf } from 'tflite-webnn/errors';
import type { NodeTime, WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { CppVector } from './cpp_values.js';
import { LastingModel, type Prepare } from './lasting_model.js';
import { Profile, type ProfileItem } from './profile.js';
import { type TFLiteTensorInfo, tensorInfo } from './tensor_info.js';

/** Runs one model, on the CPU, or on WebNN while its caller waits. The names are C++'s, because the client calls them. */
export class TFLiteWebModelRunner {
  readonly #profile = new Profile();
  readonly #model: LastingModel;

  constructor(file: Uint8Array, prepare: Prepare) {
    this.#model = new LastingModel(file, prepare);
  }

  GetInputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.inputs.map((input) => tensorInfo(() => this.#runner, input)));
  }

  /** The client asks before it runs the model, and reads data and shape afterwards. */
  GetOutputs(): CppVector<TFLiteTensorInfo> {
    return new CppVector(this.#runner.description.outputs.map((output) => tensorInfo(() => this.#runner, output)));
  }

  /** Runs the model on what its inputs hold. The client only learns whether it failed; the console gets the reason. */
  Infer(): boolean {
    try {
      this.#model.invoke();
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
    this.#model.delete();
  }

  get #runner(): WasmRunner {
    return this.#model.runner;
  }
}

function profileItem({ op, name, ms }: NodeTime): ProfileItem {
  return { nodeType: op, nodeName: name, nodeExecMs: ms };
}
