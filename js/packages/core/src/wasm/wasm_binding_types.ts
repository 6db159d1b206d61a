/** The wasm module as C++ sees it: Emscripten's part and the C functions of wasm/runtime. Pointers are branded numbers. */

declare const pointerTag: unique symbol;

/** Address in the wasm heap. The tag keeps pointers to different things separate. */
export type Pointer<Tag extends string> = number & { readonly [pointerTag]: Tag };

export type RunnerPointer = Pointer<'Runner'>;
export type CStringPointer = Pointer<'char'>;
export type BytesPointer = Pointer<'uint8_t'>;

/** What wasm/runtime/execute/blocking_host.cc calls. Nothing is thrown: wasm gets a number, and the failure is kept. */
export interface WasmWebnnHost {
  /** @returns the graph's handle, 0 where it cannot be built. */
  build(context: number, graphJson: string): number;
  /**
   * @param inputs - Address of a TfLiteWebnnBuffer for each input of the graph; `outputs` likewise.
   * @returns 0 for success.
   */
  dispatch(graph: number, inputs: number, outputs: number): number;
  release(graph: number): void;
  /** What has failed since the last call; null where nothing has. */
  takeFailure(): unknown;
}

/** What wasm/runtime/module/javascript_ops.cc calls. */
export interface WasmCustomOps {
  /** Names of the ops, a line for each. */
  readonly names: string;
  /**
   * Prepares a node, or runs it where its tensors are not described. Throws only what wasm has thrown.
   *
   * @param call - C++'s object.
   * @param tensors - JSON.
   * @returns 0 for success; else the failure is kept.
   */
  call(call: Pointer<'JavascriptCall'>, tensors: string | null): number;
  /** Removes a node that was deleted, by the number that C++ assigned. */
  free(number: number): void;
  /** What has failed since the last call; null where nothing has. */
  takeFailure(): unknown;
  /** @throws InterpreterError where one of the ops runs: its model cannot be used then. */
  checkEntry(): void;
}

/** A WebAssembly.Module, where the reader's TypeScript library has it. */
export type CompiledModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Module } };
}
  ? Module
  : never;

/** What says where the heap of a module instance is. */
export interface WasmHeap {
  readonly HEAPU8: Uint8Array;
  /** Of the variants with threads: another thread may have let it grow, which HEAPU8 does not know. */
  readonly wasmMemory?: { readonly buffer: ArrayBuffer };
}

/** What this package uses of a module instance. */
export interface WasmBindings extends WasmHeap {
  /** Emscripten's threads, of the variants that have them. */
  readonly PThread?: WasmThreads;
  /** Fulfilled when their workers can run them. */
  readonly pthreadPoolReady?: Promise<unknown>;
  /** Only for blocking mode. */
  webnnHost?: WasmWebnnHost;
  /** Only of models with the option `customOps`. */
  customOps?: WasmCustomOps;
  _malloc(sizeBytes: number): BytesPointer;
  _free(pointer: Pointer<string>): void;
  UTF8ToString(text: CStringPointer): string;

  _tflite_runner_create(): RunnerPointer;
  _tflite_runner_delete(runner: RunnerPointer): void;
  _tflite_runner_set_option(runner: RunnerPointer, key: CStringPointer, value: CStringPointer): number;
  _tflite_runner_init(runner: RunnerPointer, model: BytesPointer, sizeBytes: number, isBorrowed: number): number;
  _tflite_runner_error(runner: RunnerPointer): CStringPointer;
  _tflite_runner_description(runner: RunnerPointer): CStringPointer;
  _tflite_runner_constant(runner: RunnerPointer, address: number, sizeBytes: number): BytesPointer;
  _tflite_runner_invoke(runner: RunnerPointer): number;
  _tflite_runner_invoke_steps(runner: RunnerPointer, first: number, count: number): number;
  _tflite_runner_allocate_subgraph(runner: RunnerPointer, subgraph: number): number;
  _tflite_runner_invoke_subgraph(runner: RunnerPointer, subgraph: number): number;
  _tflite_runner_reset_state(runner: RunnerPointer): number;
  _tflite_runner_reset_variables(runner: RunnerPointer): number;
  _tflite_runner_resize_input(
    runner: RunnerPointer,
    tensor: number,
    subgraph: number,
    shape: CStringPointer,
    strict: number,
  ): number;
  _tflite_runner_subgraph_count(runner: RunnerPointer): number;
  _tflite_runner_describe_tensors(runner: RunnerPointer, subgraph: number): CStringPointer;
  _tflite_runner_describe_nodes(runner: RunnerPointer, subgraph: number): CStringPointer;
  _tflite_runner_describe_updates_in_place(runner: RunnerPointer, subgraph: number): CStringPointer;
  _tflite_runner_describe_xnnpack(runner: RunnerPointer): CStringPointer;
  _tflite_runner_profile(runner: RunnerPointer): CStringPointer;
  _tflite_runner_use_file_order(runner: RunnerPointer, isFileOrder: number): void;
  _tflite_runner_model_data(runner: RunnerPointer): BytesPointer;
  _tflite_runner_tensor_data(runner: RunnerPointer, tensor: number, subgraph: number): BytesPointer;
  _tflite_runner_exchange_tensor_data(
    runner: RunnerPointer,
    tensor: number,
    subgraph: number,
    data: BytesPointer,
  ): BytesPointer;
  _tflite_runner_tensor_size_bytes(runner: RunnerPointer, tensor: number, subgraph: number): number;
  _tflite_runner_tensor_shape(runner: RunnerPointer, tensor: number, subgraph: number): CStringPointer;
  _tflite_custom_op_resize(call: Pointer<'JavascriptCall'>, output: number, rank: number): number;
  _tflite_runner_resize_tensor_bytes(
    runner: RunnerPointer,
    tensor: number,
    subgraph: number,
    sizeBytes: number,
  ): number;
}

/** The workers that wait for threads, and those that run them. */
export interface WasmThreads {
  readonly unusedWorkers: readonly WasmThreadWorker[];
  terminateAllThreads(): void;
}

/** A worker of a page, or of Node. */
export interface WasmThreadWorker {
  /** @internal */
  addEventListener?(type: 'error', listener: (event: ErrorEvent) => void): void;
  on?(type: 'error', listener: (error: Error) => void): void;
}

/** Arguments of the module factory that Emscripten generates. It adds the bindings to them. */
export interface WasmModuleArguments {
  /** Workers for threads, besides the thread that calls; of the variants with threads. */
  threadPoolSize?: number;
  /** @internal */
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => object,
  ): object;
  print(line: string): void;
  printErr(line: string): void;
}

/** Default export of `<variant>/tflite_webnn.mjs`. */
export type WasmModuleFactory = (moduleArguments: WasmModuleArguments) => Promise<WasmBindings>;
