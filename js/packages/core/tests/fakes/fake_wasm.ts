/** A wasm module for tests: the C functions of wasm/runtime over a plain ArrayBuffer. */

import type { ModelDescription } from '../../src/description.js';
import type { BytesPointer, CStringPointer, RunnerPointer, WasmBindings } from '../../src/wasm/wasm_binding_types.js';
import type { WasmInstance, WasmModule } from '../../src/wasm/wasm_module.js';
import type { NodeTime } from '../../src/wasm/wasm_runner.js';

/** What the fake runner does. */
export interface FakeRunner {
  /** Creates the description from the options that were set, and may put constants into the heap. */
  describe(options: Readonly<Record<string, string>>, heap: Uint8Array): ModelDescription;
  /** Error JSON of init; "" for success. */
  initError?(options: Readonly<Record<string, string>>): string;
  /** Error JSON of setting this option; "" for success. */
  optionError?(key: string): string;
  /** Computes a run; `tensor` returns a tensor's values. Called for invoke with first = -1. */
  invoke?(first: number, count: number, tensor: (index: number) => Float32Array): void;
  /** Times of the nodes that have run. */
  profile?(): readonly NodeTime[];
  /** Sizes of tensors in bytes; the default is 16, four floats. */
  sizeBytes?(tensor: number): number;
  /** Shapes of tensors after a run; the default is that of four floats. */
  shape?(tensor: number): readonly number[];
  /** Whether TFLite may move a tensor, so that its memory cannot be exchanged. */
  movesTensor?(tensor: number): boolean;
  /** Inputs and outputs that may have the same memory. */
  readonly updatesInPlace?: readonly (readonly [input: number, output: number])[];
  /** Bytes of memory; the heap cannot hold more. */
  capacityBytes?: number;
  /** Whether memory grows, and all views are detached, at every invocation. */
  grows?: boolean;
}

/** A module whose instances all behave alike; remembers what was done to them. */
export class FakeWasm implements WasmModule {
  readonly variant = 'simd';
  readonly threadsReason = null;
  /** One line per call that entered TFLite, over all instances. */
  readonly calls: string[] = [];
  readonly instances: FakeBindings[] = [];

  constructor(
    readonly behaviour: FakeRunner,
    readonly threads = 1,
    /** Without it, each model has its own instance. */
    readonly key?: string | undefined,
  ) {}

  async instantiate(): Promise<WasmInstance> {
    return this.instantiateNow();
  }

  /** The same without a promise, as the Python package's module has it. */
  instantiateNow(): WasmInstance {
    const bindings = new FakeBindings(this.behaviour, this.calls);
    this.instances.push(bindings);
    return { bindings, log: ['INFO: a line of the log'], threads: this.threads, close: () => this.calls.push('close') };
  }
}

class FakeBindings implements WasmBindings {
  HEAPU8: Uint8Array;
  options: Record<string, string> = {};
  /** As the runner found it. */
  file: Uint8Array | null = null;
  /** The beginning and the end of a file that goes with its runner. */
  #ownFile = [0, 0];
  readonly #tensors = new Map<number, number>();
  #top = 16;
  #error = '';

  constructor(
    private readonly behaviour: FakeRunner,
    private readonly calls: string[],
  ) {
    this.HEAPU8 = new Uint8Array(behaviour.capacityBytes ?? 65536);
  }

  _malloc(sizeBytes: number): BytesPointer {
    if (this.#top + sizeBytes > this.HEAPU8.length) return 0 as BytesPointer;
    const address = this.#top;
    this.#top += Math.ceil(sizeBytes / 16) * 16;
    return address as BytesPointer;
  }

  _free(): void {}

  _tflite_custom_op_resize(): number {
    return 0;
  }

  UTF8ToString(text: CStringPointer): string {
    return new TextDecoder().decode(this.HEAPU8.subarray(text, this.HEAPU8.indexOf(0, text)));
  }

  _tflite_runner_create(): RunnerPointer {
    this.options = {};
    return 8 as RunnerPointer;
  }

  _tflite_runner_delete(): void {
    this.calls.push('delete');
    const [start, end] = this.#ownFile;
    this.HEAPU8.fill(0, start, end);
  }

  _tflite_runner_set_option(_: RunnerPointer, key: CStringPointer, value: CStringPointer): number {
    const name = this.UTF8ToString(key);
    this.options[name] = this.UTF8ToString(value);
    return this.#finish(this.behaviour.optionError?.(name) ?? '');
  }

  _tflite_runner_init(_runner: RunnerPointer, model: BytesPointer, sizeBytes: number, isBorrowed: number): number {
    this.file = this.HEAPU8.slice(model, model + sizeBytes);
    this.#ownFile = isBorrowed === 0 ? [model, model + sizeBytes] : [0, 0];
    this.calls.push(`init ${sizeBytes} bytes`);
    return this.#finish(this.behaviour.initError?.(this.options) ?? '');
  }

  _tflite_runner_error(): CStringPointer {
    return this.#text(this.#error);
  }

  _tflite_runner_description(): CStringPointer {
    return this.#text(JSON.stringify(this.behaviour.describe(this.options, this.HEAPU8)));
  }

  /** What is created when it is read begins with its size. */
  _tflite_runner_constant(_: RunnerPointer, address: number, sizeBytes: number): BytesPointer {
    if (address < 2 ** 32) return address as BytesPointer;
    new Uint32Array(this.HEAPU8.buffer).set([sizeBytes, address - 2 ** 32], 4);
    return 16 as BytesPointer;
  }

  _tflite_runner_reset_variables(): number {
    this.calls.push('reset variables');
    return this.#finish('');
  }

  _tflite_runner_resize_input(
    _: RunnerPointer,
    tensor: number,
    subgraph: number,
    shape: CStringPointer,
    strict: number,
  ): number {
    const how = strict === 0 ? '' : ' strictly';
    this.calls.push(`resize ${tensor} of subgraph ${subgraph} to [${this.UTF8ToString(shape)}]${how}`);
    return this.#finish('');
  }

  _tflite_runner_subgraph_count(): number {
    return 1;
  }

  _tflite_runner_describe_tensors(_: RunnerPointer, subgraph: number): CStringPointer {
    return this.#text(`["the tensors of subgraph ${subgraph}"]`);
  }

  _tflite_runner_describe_nodes(_: RunnerPointer, subgraph: number): CStringPointer {
    return this.#text(`["the nodes of subgraph ${subgraph}"]`);
  }

  _tflite_runner_invoke(): number {
    this.calls.push('invoke');
    return this.#invoke(-1, -1);
  }

  _tflite_runner_invoke_steps(_: RunnerPointer, first: number, count: number): number {
    this.calls.push(`invoke steps ${first}+${count}`);
    return this.#invoke(first, count);
  }

  _tflite_runner_allocate_subgraph(_: RunnerPointer, subgraph: number): number {
    this.calls.push(`allocate subgraph ${subgraph}`);
    return 0;
  }

  _tflite_runner_invoke_subgraph(_: RunnerPointer, subgraph: number): number {
    this.calls.push(`invoke subgraph ${subgraph}`);
    return 0;
  }

  _tflite_runner_reset_state(): number {
    this.calls.push('reset state');
    return 0;
  }

  _tflite_runner_describe_xnnpack(): CStringPointer {
    return this.#text(JSON.stringify(this.behaviour.describe(this.options, this.HEAPU8).xnnpack));
  }

  _tflite_runner_profile(): CStringPointer {
    return this.#text(JSON.stringify(this.behaviour.profile?.() ?? []));
  }

  _tflite_runner_use_file_order(): void {}

  _tflite_runner_model_data(): BytesPointer {
    return 0 as BytesPointer;
  }

  _tflite_runner_tensor_shape(_: RunnerPointer, tensor: number): CStringPointer {
    return this.#text(JSON.stringify(this.behaviour.shape?.(tensor) ?? [4]));
  }

  _tflite_runner_resize_tensor_bytes(): number {
    return this.#finish('{"code":"INVOKE_FAILED","message":"the tensor cannot have so many bytes"}');
  }

  _tflite_runner_tensor_data(_: RunnerPointer, tensor: number): BytesPointer {
    const address = this.#tensors.get(tensor) ?? this._malloc(this._tflite_runner_tensor_size_bytes(_, tensor));
    this.#tensors.set(tensor, address);
    return address as BytesPointer;
  }

  _tflite_runner_tensor_size_bytes(_: RunnerPointer, tensor: number): number {
    return this.behaviour.sizeBytes?.(tensor) ?? 16;
  }

  _tflite_runner_exchange_tensor_data(
    _: RunnerPointer,
    tensor: number,
    subgraph: number,
    data: BytesPointer,
  ): BytesPointer {
    if (this.behaviour.movesTensor?.(tensor)) return 0 as BytesPointer;
    const own = this._tflite_runner_tensor_data(_, tensor);
    this.calls.push(`exchange ${tensor} of subgraph ${subgraph}`);
    this.#tensors.set(tensor, data);
    return own;
  }

  _tflite_runner_describe_updates_in_place(): CStringPointer {
    return this.#text(JSON.stringify(this.behaviour.updatesInPlace ?? []));
  }

  #invoke(first: number, count: number): number {
    if (this.behaviour.grows) {
      // As WebAssembly.Memory.grow() does: the old buffer is detached.
      this.HEAPU8 = new Uint8Array(structuredClone(this.HEAPU8.buffer, { transfer: [this.HEAPU8.buffer] }));
    }
    const runner = 8 as RunnerPointer;
    this.behaviour.invoke?.(first, count, (tensor) => {
      const sizeBytes = this._tflite_runner_tensor_size_bytes(runner, tensor);
      return new Float32Array(this.HEAPU8.buffer, this._tflite_runner_tensor_data(runner, tensor), sizeBytes >> 2);
    });
    return 0;
  }

  #finish(error: string): number {
    this.#error = error;
    return error === '' ? 0 : 1;
  }

  #text(text: string): CStringPointer {
    const bytes = Buffer.from(`${text}\0`);
    const address = this._malloc(bytes.length);
    this.HEAPU8.set(bytes, address);
    return address as unknown as CStringPointer;
  }
}
