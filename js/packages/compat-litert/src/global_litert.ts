/** The one runtime of a page, and functions that use it. */

import type { CompileOptions } from './compile_options.js';
import type { CompiledModel } from './compiled_model.js';
import { setDefaultEnvironmentSource } from './environment.js';
import { LiteRtNotLoadedError, LiteRtUnsupportedError } from './errors.js';
import { LiteRt, type LiteRtSource, type LoadLiteRtOptions } from './litert.js';
import type { WebGpuDevice } from './tensor_types.js';

let current: { readonly liteRt: LiteRt; readonly promise: Promise<LiteRt> } | null = null;

/**
 * Makes LiteRT.js's functions usable, and begins to load the wasm module. A second call returns the same runtime.
 *
 * @param _path - Without effect: the wasm module lies next to this package's scripts, or where `setWasmPath()` of
 *   tflite-webnn says.
 * @param options - Whether models compute with several threads.
 */
export async function loadLiteRt(_path = '', options: LoadLiteRtOptions = {}): Promise<LiteRt> {
  if (current === null) {
    const liteRt = LiteRt.of(options);
    current = { liteRt, promise: Promise.resolve(liteRt) };
    setDefaultEnvironmentSource(() => liteRt.getDefaultEnvironment());
  } else {
    current.liteRt.setOptions(options);
  }
  return current.promise;
}

/** Frees all models and undoes `loadLiteRt()`. */
export function unloadLiteRt(): void {
  current?.liteRt.delete();
  current = null;
  setDefaultEnvironmentSource(null);
}

/**
 * The runtime.
 *
 * @throws LiteRtNotLoadedError
 */
export function getGlobalLiteRt(): LiteRt {
  if (current === null) throw new LiteRtNotLoadedError();
  return current.liteRt;
}

/** The runtime's promise; undefined before `loadLiteRt()`. */
export function getGlobalLiteRtPromise(): Promise<LiteRt> | undefined {
  return current?.promise;
}

/**
 * Loads a model.
 *
 * @param model - Its address, its bytes, or a reader of them.
 * @param compileOptions - Where to run it.
 * @throws LiteRtNotLoadedError; what `LiteRt.loadAndCompile()` throws.
 *
 * @example
 * await loadLiteRt();
 * const model = await loadAndCompile('model.tflite', { accelerator: 'webnn' });
 * const [scores] = await model.run(new Tensor(pixels, [1, 224, 224, 3]));
 * console.log(scores.toTypedArray());
 */
export function loadAndCompile(model: LiteRtSource, compileOptions?: CompileOptions): Promise<CompiledModel> {
  return getGlobalLiteRt().loadAndCompile(model, compileOptions);
}

/**
 * Rejected: a model's weights are in its file.
 *
 * @param _modelData - The model.
 * @param _weightsStream - Its weights.
 * @param _compileOptions - Where to run it.
 * @throws LiteRtUnsupportedError
 */
export async function loadModelAndWeights(
  _modelData: Uint8Array,
  _weightsStream: ReadableStream<Uint8Array>,
  _compileOptions?: CompileOptions,
): Promise<CompiledModel> {
  throw new LiteRtUnsupportedError("tflite-webnn streams no weights: have them in the model's file.");
}

/** The default environment's device; null unless the page has provided one. @throws LiteRtNotLoadedError */
export function getWebGpuDevice(): WebGpuDevice | null {
  return getGlobalLiteRt().getWebGpuDevice();
}

/**
 * Creates an environment with this device the default one.
 *
 * @param device - The page's.
 * @throws LiteRtNotLoadedError
 */
export function setWebGpuDevice(device: WebGpuDevice): void {
  getGlobalLiteRt().setWebGpuDevice(device);
}
