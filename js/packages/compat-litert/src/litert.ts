/** LiteRT.js's runtime object: loads models, and frees them all. */

import { loadTFLiteModel, type ModelSource, preloadTFLite, type TFLiteModel, validateOptions } from 'tflite-webnn';
import { type CompileOptions, checkCompileOptions, type FilledOptions, modelOptions, of } from './compile_options.js';
import { CompiledModel } from './compiled_model.js';
import { Environment, hasGpu } from './environment.js';
import { LiteRtUnsupportedError, warnOnce } from './errors.js';
import type { WebGpuDevice } from './tensor_types.js';

/** Options of `loadLiteRt()`. */
export interface LoadLiteRtOptions {
  /** Compute with a thread for each processor core, unless a model requests another number. Default: false. */
  threads?: boolean;
  /** Without effect: no suspension of WebAssembly is needed. */
  jspi?: boolean;
}

/** A model file: its address, its bytes, or a reader of them. */
export type LiteRtSource = string | URL | Uint8Array | ReadableStreamDefaultReader;

const LITERT_SCHEMA = { threads: of('boolean'), jspi: of('boolean') };

/** The runtime. Created by `loadLiteRt()`. */
export class LiteRt {
  readonly #models = new Set<CompiledModel>();
  #environment = new Environment({ webGpuDevice: null });
  #numThreads = 1;

  /** @internal */
  static of(options: LoadLiteRtOptions): LiteRt {
    return new LiteRt(options);
  }

  private constructor(options: LoadLiteRtOptions) {
    this.setOptions(options);
  }

  /** @internal Stores the options of this and of later calls of `loadLiteRt()`, and begins to load what models need. */
  setOptions(options: LoadLiteRtOptions): void {
    validateOptions('', options, LITERT_SCHEMA);
    const { threads = false } = options;
    this.#numThreads = threads ? processorCount() : 1;
    preloadTFLite({ numThreads: this.#numThreads }).catch(() => {}); // the first model meets the failure again
  }

  /**
   * Sets the environment of models and tensors that have none.
   *
   * @param environment - From now on.
   */
  setDefaultEnvironment(environment: Environment): void {
    this.#environment = environment;
  }

  /** The environment of models and tensors that have none. */
  getDefaultEnvironment(): Environment {
    return this.#environment;
  }

  /**
   * Creates an environment with this device the default one.
   *
   * @param device - The page's.
   */
  setWebGpuDevice(device: WebGpuDevice): void {
    this.#environment = new Environment({ webGpuDevice: device });
  }

  /** The default environment's device; null unless the page has provided one. */
  getWebGpuDevice(): WebGpuDevice | null {
    return this.#environment.webGpuDevice;
  }

  /** Rejected: no object of LiteRT's wasm module is here. @throws LiteRtUnsupportedError */
  get liteRtWasm(): never {
    throw new LiteRtUnsupportedError("tflite-webnn has no wasm module of LiteRT's: use the functions of this package.");
  }

  /**
   * Loads a model.
   *
   * @param model - Its address, its bytes, which must not change while the model lives, or a reader of them.
   * @param compileOptions - Where to run it.
   * @throws OptionError for an unknown option or accelerator, or a value of another kind; what `loadTFLiteModel()`
   *   throws.
   */
  async loadAndCompile(model: LiteRtSource, compileOptions: CompileOptions = {}): Promise<CompiledModel> {
    const options = await this.#filled(compileOptions);
    const loaded = await loadTFLiteModel(sourceOf(model), modelOptions(options));
    const compiled = CompiledModel.of(loaded, options, () => this.#models.delete(compiled));
    this.#models.add(compiled);
    await warnOfFallbacks(loaded, options);
    return compiled;
  }

  /** Frees all models. */
  delete(): void {
    for (const model of this.#models) model.delete();
  }

  async #filled(provided: CompileOptions): Promise<FilledOptions> {
    checkCompileOptions(provided);
    const environment = provided.environment ?? this.#environment;
    return {
      environment,
      accelerator: provided.accelerator ?? (environment.webGpuDevice !== null || (await hasGpu()) ? 'webgpu' : 'wasm'),
      cpuOptions: provided.cpuOptions ?? { numThreads: this.#numThreads },
      gpuOptions: provided.gpuOptions ?? {},
      webNNOptions: provided.webNNOptions ?? {},
    };
  }
}

/** Node 20 has no navigator. */
function processorCount(): number {
  interface NodeGlobals {
    readonly process?: { getBuiltinModule?(name: 'node:os'): { availableParallelism(): number } };
  }
  const { process } = globalThis as NodeGlobals;
  const inNode = process?.getBuiltinModule?.('node:os').availableParallelism();
  return Math.max(1, globalThis.navigator?.hardwareConcurrency ?? inNode ?? 1);
}

function sourceOf(model: LiteRtSource): ModelSource {
  const { read, releaseLock } = (model ?? {}) as Partial<ReadableStreamDefaultReader>;
  if (read === undefined || releaseLock === undefined) return model as ModelSource;
  const reader = model as ReadableStreamDefaultReader<Uint8Array>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function warnOfFallbacks(model: TFLiteModel, { accelerator }: FilledOptions): Promise<void> {
  const { webnn, threads, variant } = await model.report();
  if (accelerator !== 'wasm' && !webnn.used) {
    warnOnce(`models for '${accelerator}' run on the CPU: ${webnn.reason ?? 'WebNN accepted none of their nodes'}`);
  }
  if (threads.reason !== null && !variant.endsWith('-threads')) warnOnce(`models run on one thread: ${threads.reason}`);
}
