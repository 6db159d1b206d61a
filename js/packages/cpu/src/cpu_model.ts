/// <reference lib="esnext.disposable" preserve="true" />

/** A model on the CPU, without promises. */

import type { SignatureInfo, TensorInfo, TypedArray } from 'tflite-webnn';
import { ModelDisposedError } from 'tflite-webnn/errors';
import { PreparedModel } from 'tflite-webnn/model/prepared_model';
import { type SyncRunOptions, syncRunOptions } from 'tflite-webnn/model/run_options';
import { makeSchedule } from 'tflite-webnn/model/schedule';
import {
  type ModelInputs,
  type OutputBuffers,
  resolveInputs,
  resolveOutputs,
} from 'tflite-webnn/tensors/inputs_outputs';
import { distinct, inSameStructure, type ResultsOf, type TensorResult } from 'tflite-webnn/tensors/results';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';

/**
 * A model that runs on the CPU while its caller waits. Created by {@link TFLiteCpu.loadModel}.
 *
 * @group cpu.mjs
 */
export class CpuModel {
  #model: PreparedModel | null;

  /** @internal */
  static of(runner: WasmRunner): CpuModel {
    return new CpuModel(runner);
  }

  private constructor(runner: WasmRunner) {
    const schedule = makeSchedule(runner.description);
    this.#model = new PreparedModel({ runner, schedule, excludedNodes: [], initMs: 0 });
  }

  /** The model's inputs, in its order. */
  get inputs(): readonly TensorInfo[] {
    return this.#prepared.description.inputs;
  }

  /** The model's outputs, in its order. */
  get outputs(): readonly TensorInfo[] {
    return this.#prepared.description.outputs;
  }

  /** The model's named entry points; often none. */
  get signatures(): readonly SignatureInfo[] {
    return this.#prepared.description.signatures;
  }

  /**
   * Runs the model once, and returns results in the structure of the inputs, as TFLiteModel.run() does, but before it
   * returns.
   *
   * @param inputs - The only input, a list in the order of `inputs`, or a record by name.
   * @param options - Arrays for the results.
   * @throws InputError, OutputError where the arrays do not fit; OptionError;
   *   ModelDisposedError; InterpreterError, WasmTrapError where running fails.
   */
  run<Inputs extends ModelInputs>(inputs: Inputs, options?: SyncRunOptions): ResultsOf<Inputs> {
    return inSameStructure(this.#results(inputs, syncRunOptions(options).outputs ?? []), inputs);
  }

  /**
   * Runs the model on typed arrays and returns typed arrays.
   *
   * @param inputs - Typed arrays: the only one, a list, or a record by name.
   * @returns The only result's values, or those of several by the tensors' names in `outputs`.
   * @throws What run() throws.
   */
  predict(inputs: ModelInputs): TypedArray | Record<string, TypedArray> {
    const results = this.#results(inputs, []);
    if (results.length === 1) return (results[0] as TensorResult).data;
    const names = distinct(this.outputs.map(({ name }) => name));
    return Object.fromEntries(results.map(({ data }, at) => [names[at] as string, data]));
  }

  /** Clears what the model remembers from run to run: variables, resource variables, tables. */
  resetState(): void {
    this.#prepared.resetState();
  }

  /** Frees the model's memory. */
  dispose(): void {
    this.#model?.release();
    this.#model = null;
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
  }

  #results(inputs: ModelInputs, outputs: OutputBuffers): TensorResult[] {
    return this.#prepared.runNow(resolveInputs(inputs, this), resolveOutputs(outputs, this));
  }

  get #prepared(): PreparedModel {
    if (this.#model === null) throw new ModelDisposedError();
    return this.#model;
  }
}
