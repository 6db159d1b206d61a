/**
 * TensorFlow Lite on the CPU, for contexts that can neither import nor fetch scripts, and do not wait: service workers,
 * AudioWorklets, extensions. Everything is done when a call returns.
 *
 * @module tflite-webnn/cpu
 */

import { messageOf, OptionError, WasmLoadError } from 'tflite-webnn/errors';
import { runnerOptions } from 'tflite-webnn/model/runner_options';
import type { OptionSchema } from 'tflite-webnn/option_schema';
import { MODEL_OPTIONS_SCHEMA, type TFLiteModelOptions } from 'tflite-webnn/options';
import { bytesIn } from 'tflite-webnn/support/download';
import { validateOptions } from 'tflite-webnn/support/validate_options';
import type { CompiledModule } from 'tflite-webnn/wasm/wasm_binding_types';
import { instantiateNow, type WasmInstance } from 'tflite-webnn/wasm/wasm_module';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import createModule from 'wasm-module/tflite_webnn.mjs';
import { CpuModel } from './cpu_model.js';

export {
  CodedError,
  type ErrorDetails,
  InputError,
  InterpreterError,
  MalformedModelError,
  ModelDisposedError,
  NotATFLiteModelError,
  OptionError,
  OutputError,
  TFLiteWebnnError,
  UnsupportedOpError,
  WasmLoadError,
  WasmTrapError,
} from 'tflite-webnn/errors';
export { CpuModel } from './cpu_model.js';

/**
 * Options of {@link createTFLite}.
 *
 * @group cpu.mjs
 */
export interface TFLiteCpuOptions {
  /**
   * The package's `simd/tflite_webnn.wasm`: compiled, or its bytes. Pages cannot compile so many bytes synchronously;
   * they post a module, which `WebAssembly.compileStreaming()` returns.
   */
  readonly module: CompiledModule | ArrayBuffer | ArrayBufferView;
}

/**
 * Options of {@link TFLiteCpu.loadModel}, as of loadTFLiteModel().
 *
 * @group cpu.mjs
 */
export type CpuModelOptions = Pick<TFLiteModelOptions, 'enableXnnpackDelegate' | 'inputShapes'>;

const isBytes = (value: unknown) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

const TFLITE_SCHEMA: OptionSchema<TFLiteCpuOptions> = {
  module: ['a WebAssembly.Module or its bytes', (value) => isBytes(value) || value instanceof WebAssembly.Module],
};
const { enableXnnpackDelegate, inputShapes } = MODEL_OPTIONS_SCHEMA;
const MODEL_SCHEMA: OptionSchema<CpuModelOptions> = { enableXnnpackDelegate, inputShapes };

/** Names that Emscripten's part of this script calls the module's exports by; js/scripts/bundling defines it. */
declare const __WASM_EXPORTS__: readonly string[];

/**
 * Starts TensorFlow Lite.
 *
 * @param options - The wasm module.
 * @throws OptionError; WasmLoadError where the module is another one, or WebAssembly rejects the bytes.
 * @group cpu.mjs
 *
 * @example
 * const tflite = createTFLite({ module });
 * const model = tflite.loadModel(bytes);
 * const scores = model.predict(pixels);
 */
export function createTFLite(options: TFLiteCpuOptions): TFLiteCpu {
  validateOptions('', options, TFLITE_SCHEMA);
  if (options.module === undefined) throw new OptionError(`the option "module" is ${TFLITE_SCHEMA.module[0]}`);
  return TFLiteCpu.of(compiled(options.module));
}

/**
 * A compiled TensorFlow Lite. Created by {@link createTFLite}.
 *
 * @group cpu.mjs
 */
export class TFLiteCpu {
  readonly #module: WebAssembly.Module;

  /** @internal */
  static of(module: WebAssembly.Module): TFLiteCpu {
    return new TFLiteCpu(module);
  }

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Loads a model, into its own memory.
   *
   * @param model - The model file's bytes; they are copied.
   * @param options - How to run it.
   * @throws OptionError, NotATFLiteModelError, MalformedModelError, UnsupportedOpError,
   *   InterpreterError, WasmTrapError.
   */
  loadModel(model: ArrayBuffer | Uint8Array, options: CpuModelOptions = {}): CpuModel {
    validateOptions('', options, MODEL_SCHEMA);
    const bytes = bytesIn(model);
    if (bytes === null) throw new OptionError('a model is provided as its bytes: an ArrayBuffer or a Uint8Array');
    return CpuModel.of(new WasmRunner(this.#instantiate(), bytes, runnerOptions(options)));
  }

  #instantiate(): WasmInstance {
    return instantiateNow(this.#module, createModule);
  }
}

function compiled(provided: TFLiteCpuOptions['module']): WebAssembly.Module {
  const module = provided instanceof WebAssembly.Module ? provided : compile(provided);
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  if (__WASM_EXPORTS__.every((name) => names.has(name))) return module;
  throw new WasmLoadError(
    'WASM_LOAD_FAILED',
    'This is another wasm module: use simd/tflite_webnn.wasm of the same package as this script.',
  );
}

function compile(bytes: ArrayBuffer | ArrayBufferView): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes as BufferSource);
  } catch (error) {
    const message = `WebAssembly rejects the bytes of the module: ${messageOf(error)}`;
    throw new WasmLoadError('WASM_LOAD_FAILED', message, { cause: error });
  }
}
