/** The module that `@tensorflow/tfjs-tflite` works with: a heap, and a class whose instances are models. */

import {
  type BytesPointer,
  cpuRunnerOptions,
  messageOf,
  type WasmInstance,
  WasmRunner,
} from '../../runtime/src/internals.js';
import type { BlockingModels } from './blocking_models.js';
import { StatusOr } from './cpp_values.js';
import { TFLiteWebModelRunner } from './model_runner.js';
import type { TFLiteWebModelRunnerOptions } from './options.js';
import { refuseTaskLibrary } from './task_library.js';

/** What the client uses of an Emscripten module. The client makes one, and keeps all models of a page in it. */
export class WebApiModule {
  readonly #instance: WasmInstance;
  readonly #onWebnn: Pick<BlockingModels, 'create'>;
  /** The class of models, with the one function by which the client makes them. */
  readonly TFLiteWebModelRunner = {
    CreateFromBufferAndOptions: (model: BytesPointer, sizeBytes: number, options: TFLiteWebModelRunnerOptions) =>
      this.#create(model, sizeBytes, options),
  };

  /** @param onWebnn - Makes the models that the client wants on WebNN. */
  constructor(instance: WasmInstance, onWebnn: Pick<BlockingModels, 'create'>) {
    this.#instance = instance;
    this.#onWebnn = onWebnn;
    refuseTaskLibrary(this);
  }

  /** The heap; it becomes another array when memory grows. */
  get HEAPU8(): Uint8Array {
    return this.#instance.bindings.HEAPU8;
  }

  _malloc(sizeBytes: number): BytesPointer {
    return this.#instance.bindings._malloc(sizeBytes);
  }

  _free(address: BytesPointer): void {
    this.#instance.bindings._free(address);
  }

  #create(
    model: BytesPointer,
    sizeBytes: number,
    options: TFLiteWebModelRunnerOptions,
  ): StatusOr<TFLiteWebModelRunner> {
    try {
      // The runner takes bytes of its own: the client frees these when it likes.
      const bytes = this.HEAPU8.slice(model >>> 0, (model >>> 0) + sizeBytes);
      if (options.enableWebnnDelegate) {
        const model = this.#onWebnn.create(this.#instance, bytes, options);
        if (typeof model !== 'string') return StatusOr.of(new TFLiteWebModelRunner(model.runner, model.context));
        console.warn(`tflite-webnn: the model runs on the CPU: ${model}.`);
      }
      return StatusOr.of(new TFLiteWebModelRunner(new WasmRunner(this.#instance, bytes, cpuRunnerOptions(options))));
    } catch (error) {
      return StatusOr.error(messageOf(error));
    }
  }
}
