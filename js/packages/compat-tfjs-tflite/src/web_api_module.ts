/** The module for `@tensorflow/tfjs-tflite`: a heap, and a class whose instances are models. */

import { messageOf } from 'tflite-webnn/errors';
import { runnerOptions } from 'tflite-webnn/model/runner_options';
import type { BytesPointer } from 'tflite-webnn/wasm/wasm_binding_types';
import type { WasmInstance } from 'tflite-webnn/wasm/wasm_module';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import type { BlockingModels } from './blocking_models.js';
import { StatusOr } from './cpp_values.js';
import { TFLiteWebModelRunner } from './model_runner.js';
import { checkOptions, type TFLiteWebModelRunnerOptions } from './options.js';
import { RetryingModel, type RunnableModel } from './retrying_model.js';
import { taskClasses } from './tasks/task_classes.js';

/** The client's part of an Emscripten module. The client creates one for all models of a page. */
export class WebApiModule {
  readonly #instance: WasmInstance;
  readonly #onWebnn: Pick<BlockingModels, 'create'>;
  /** The class of models, with its factory function. */
  readonly TFLiteWebModelRunner = {
    CreateFromBufferAndOptions: (model: BytesPointer, sizeBytes: number, options: TFLiteWebModelRunnerOptions) =>
      this.#create(model, sizeBytes, options),
  };

  /** @param onWebnn - Creates the models that use WebNN. */
  constructor(instance: WasmInstance, onWebnn: Pick<BlockingModels, 'create'>) {
    this.#instance = instance;
    this.#onWebnn = onWebnn;
    Object.assign(this, taskClasses(this));
  }

  /** The heap; memory growth replaces the array. */
  get HEAPU8(): Uint8Array {
    return this.#instance.bindings.HEAPU8;
  }

  _malloc(sizeBytes: number): BytesPointer {
    return this.#instance.bindings._malloc(sizeBytes);
  }

  _free(address: BytesPointer): void {
    this.#instance.bindings._free(address);
  }

  /** A copy: the client may free or change the bytes at any time. */
  read(address: number, sizeBytes: number): Uint8Array {
    return this.HEAPU8.slice(address >>> 0, (address >>> 0) + sizeBytes);
  }

  /** Prepares the model of a task: the client cannot request WebNN there, so it gets it where it is. */
  prepare(file: Uint8Array): RetryingModel {
    return new RetryingModel(file, (bytes, isAgain) => {
      const model = this.#onWebnn.create(this.#instance, bytes, {}, isAgain);
      return typeof model === 'string' ? this.#onCpu(bytes, {}) : model;
    });
  }

  #create(
    model: BytesPointer,
    sizeBytes: number,
    options: TFLiteWebModelRunnerOptions,
  ): StatusOr<TFLiteWebModelRunner> {
    try {
      checkOptions(options);
      const bytes = this.read(model, sizeBytes);
      return StatusOr.of(new TFLiteWebModelRunner(bytes, (file, isAgain) => this.#prepare(file, options, isAgain)));
    } catch (error) {
      return StatusOr.error(messageOf(error));
    }
  }

  #prepare(file: Uint8Array, options: TFLiteWebModelRunnerOptions, isAgain: boolean): RunnableModel {
    if (options.enableWebnnDelegate) {
      const model = this.#onWebnn.create(this.#instance, file, options, isAgain);
      if (typeof model !== 'string') return model;
      console.warn(`tflite-webnn: the model runs on the CPU: ${model}.`);
    }
    return this.#onCpu(file, options);
  }

  #onCpu(file: Uint8Array, options: TFLiteWebModelRunnerOptions): RunnableModel {
    return { runner: new WasmRunner(this.#instance, file, runnerOptions(options)), context: null };
  }
}
