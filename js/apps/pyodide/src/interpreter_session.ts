/**
 * The session behind Python's `Interpreter`: a model in its own instance of the wasm module. All work of the CPU
 * is done when a method returns. Only strings, numbers, booleans, views of memory and promises cross to Python.
 */

import type { InputShapes, TFLiteModelOptions, WebnnDelegateOptions } from 'tflite-webnn';
import { ModelDisposedError } from 'tflite-webnn/errors';
import { makeSchedule } from 'tflite-webnn/model/schedule';
import { type ModelReport, makeReport } from 'tflite-webnn/report/report';
import { allocate } from 'tflite-webnn/wasm/wasm_memory';
import type { WasmInstance } from 'tflite-webnn/wasm/wasm_module';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import type { EmbeddedWasm } from './embedded_wasm.js';
import { SessionWebnn } from './session_webnn.js';
import type { SharedHelper } from './shared_helper.js';
import { SharedFile } from './shared_memory.js';

/** Options of a model. */
export interface SessionOptions {
  readonly numThreads: number | null;
  readonly enableXnnpackDelegate: boolean;
  readonly preserveAllTensors: boolean;
  /** Null without WebNN. */
  readonly webnn: WebnnDelegateOptions | null;
}

const MAIN_SUBGRAPH = 0;

/** One model. Python ensures that its calls do not overlap. */
export class InterpreterSession {
  readonly #wasm: EmbeddedWasm;
  readonly #options: SessionOptions;
  readonly #instance: WasmInstance;
  readonly #file: SharedFile;
  readonly #webnn: SessionWebnn | null;
  #runner: WasmRunner | null = null;
  #shapes: InputShapes | null = null;

  /** Allocates memory for the model; write its bytes into modelBytes(), then call load(). */
  constructor(wasm: EmbeddedWasm, helper: SharedHelper, modelSizeBytes: number, options: SessionOptions) {
    this.#wasm = wasm.forThreads(options.numThreads);
    this.#options = options;
    this.#instance = wasm.instantiateNow();
    this.#file = new SharedFile(this.#instance, allocate(this.#instance, modelSizeBytes), modelSizeBytes);
    const parts = { wasm: this.#wasm, file: this.#file, options: modelOptions(options) };
    this.#webnn = options.webnn === null ? null : new SessionWebnn(helper, parts, options.preserveAllTensors);
  }

  /** The memory for the model. */
  modelBytes(): Uint8Array {
    return this.#file.bytes;
  }

  /**
   * Builds TFLite's interpreter, without allocating tensors.
   *
   * @throws a subclass of TFLiteWebnnError with what is wrong with the model.
   */
  load(): void {
    this.#runner = new WasmRunner(this.#instance, this.#file, {
      enable_xnnpack_delegate: this.#options.enableXnnpackDelegate,
      preserve_all_tensors: this.#options.preserveAllTensors,
      defer_allocation: true,
    });
  }

  /** JSON: the indices of inputs and outputs, the signatures, the number of subgraphs. */
  describe(): string {
    const { inputs, outputs, signatures } = this.#tflite.description;
    const indices = (tensors: typeof inputs) => tensors.map(({ index }) => index);
    const subgraphCount = this.#tflite.subgraphCount;
    return JSON.stringify({ inputs: indices(inputs), outputs: indices(outputs), signatures, subgraphCount });
  }

  /** JSON: all tensors of a subgraph as they are now. */
  describeTensors(subgraph: number): string {
    return this.#tflite.describeTensors(subgraph);
  }

  /** JSON: all nodes of a subgraph. */
  describeNodes(subgraph: number): string {
    return this.#tflite.describeNodes(subgraph);
  }

  /** @param shape - JSON: the sizes of the dimensions. */
  resizeInput(tensor: number, subgraph: number, shape: string, strict: boolean): void {
    this.#shapes = null;
    this.#tflite.resizeInput(tensor, JSON.parse(shape) as number[], strict, subgraph);
  }

  /** Allocates a subgraph; a second call has no effect. */
  allocate(subgraph: number): void {
    this.#tflite.allocateSubgraph(subgraph);
  }

  /** A view of a tensor's memory; the next call invalidates it. */
  tensorBytes(tensor: number, subgraph: number): Uint8Array {
    return this.#tflite.tensorBytes(tensor, subgraph);
  }

  /** The same, for a tensor whose size depends on its values, as of strings. */
  reserveBytes(tensor: number, subgraph: number, sizeBytes: number): Uint8Array {
    return this.#tflite.reserve(tensor, sizeBytes, subgraph);
  }

  /** Whether running the main subgraph needs invokeAsync(), unless this thread may wait for a helper worker. */
  needsPromise(): boolean {
    return this.#webnn?.needsPromise(this.#inputShapes) ?? false;
  }

  /**
   * Runs a subgraph synchronously.
   *
   * @throws BlockingError if that needs WebNN, for which this thread cannot wait.
   */
  invoke(subgraph: number): void {
    if (subgraph === MAIN_SUBGRAPH && this.#webnn?.run(this.#tflite, this.#inputShapes)) return;
    this.#invokeOnCpu(subgraph);
  }

  /** Runs the main subgraph. */
  async invokeAsync(): Promise<void> {
    if (await this.#webnn?.runAsync(this.#tflite, this.#inputShapes)) return;
    this.#invokeOnCpu(MAIN_SUBGRAPH);
  }

  /** Prepares WebNN for the present shapes of the inputs, before the first run. */
  async prepareAsync(): Promise<void> {
    await this.#webnn?.prepareAsync(this.#inputShapes);
  }

  /** Zeroes the variable tensors. */
  resetVariables(): void {
    this.#tflite.resetVariables();
    this.#webnn?.resetVariables();
  }

  /** JSON: where the nodes run, and why, see report.schema.json. */
  report(): string {
    return JSON.stringify(this.#webnn?.report ?? this.#reportOnCpu());
  }

  /** Frees memory outside this instance, and drops the instance. */
  dispose(): void {
    this.#webnn?.release();
    this.#runner = null;
  }

  #invokeOnCpu(subgraph: number): void {
    if (subgraph === MAIN_SUBGRAPH) this.#tflite.invoke();
    else this.#tflite.invokeSubgraph(subgraph);
  }

  #reportOnCpu(): ModelReport {
    const { description, xnnpack } = this.#tflite;
    const webnn = {
      reason: this.#webnn?.reason ?? null,
      backend: null,
      opSupportLimits: null,
      excludedNodes: [],
      contextLosses: 0,
      lastContextLoss: null,
    };
    const options = modelOptions(this.#options);
    const schedule = makeSchedule(description);
    const wasm = this.#wasm;
    return makeReport({ description, schedule, prepared: null, options, wasm, webnn, xnnpack, timingsMs: null });
  }

  get #inputShapes(): InputShapes {
    this.#shapes ??= this.#tflite.description.inputs.map(({ index }) => this.#tflite.tensorShape(index));
    return this.#shapes;
  }

  get #tflite(): WasmRunner {
    if (this.#runner === null) throw new ModelDisposedError();
    return this.#runner;
  }
}

function modelOptions({ numThreads, enableXnnpackDelegate, webnn }: SessionOptions): TFLiteModelOptions {
  return {
    enableXnnpackDelegate,
    ...(numThreads !== null && { numThreads }),
    ...(webnn !== null && { enableWebnnDelegate: true, webnnDelegateOptions: webnn }),
  };
}
