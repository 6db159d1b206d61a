/** Typed access to one TFLite runner in one wasm instance. */

import type { ModelDescription, XnnpackReport } from '../description.js';
import { newArray } from '../dtypes.js';
import {
  errorFromRunner,
  InterpreterError,
  ModelDisposedError,
  messageOf,
  TFLiteWebnnError,
  WasmTrapError,
} from '../errors.js';
import type { BytesPointer, CStringPointer, RunnerPointer, WasmBindings } from './wasm_binding_types.js';
import { allocate, fileBytes, HeapFile, heapBuffer, type ModelFile, traps } from './wasm_memory.js';
import type { ThreadsReason, WasmInstance } from './wasm_module.js';

/** Options of the runner by key, see wasm/runtime. */
export type RunnerOptions = Readonly<Record<string, string | number | boolean>>;

/** How long a node took. */
export interface NodeTime {
  readonly op: string;
  /** Name of its first output. */
  readonly name: string;
  readonly subgraph: number;
  /** Its index there; -1 for an operator of a delegate that measures its own. */
  readonly node: number;
  readonly ms: number;
}

/** A constant from there on is created when it is read, a large one in pieces. */
const HEAP_END = 2 ** 32;
const MAX_GENERATED_BYTES = 1 << 23;

/** What a model's users are told that has not crashed itself. */
export const OTHER_CRASHED = 'Another model crashed the WebAssembly instance';

/** Whether this is the error of a model whose instance another one has crashed. */
export function isOfOtherModel(error: unknown): boolean {
  return error instanceof WasmTrapError && error.cause instanceof WasmTrapError;
}

/** TFLite's options write truth as a number. */
function optionText(value: string | number | boolean): string {
  return String(typeof value === 'boolean' ? Number(value) : value);
}

/**
 * One model in wasm. A runner that owns its wasm instance needs no delete(): both go when nothing refers to them any
 * more. Views that it returns are valid only until the next call.
 */
export class WasmRunner {
  /** The subgraph that the model's inputs and outputs belong to. */
  readonly mainSubgraph: number;
  readonly #instance: WasmInstance;
  readonly #bindings: WasmBindings;
  readonly #runner: RunnerPointer;
  readonly #modelSizeBytes: number;
  readonly #updatesInPlace = new Map<number, ReadonlyMap<number, number>>();
  #description: ModelDescription | null = null;
  #isDeleted = false;
  #hasTrapped = false;

  /**
   * Loads a model.
   *
   * @param instance - A wasm instance: a fresh one, or one that the model shares.
   * @param model - The model file; it is copied into the wasm heap where it is not there.
   * @param options - The runner's; the instance has the number of threads.
   * @throws a subclass of TFLiteWebnnError that says why the model cannot be loaded.
   */
  constructor(
    instance: WasmInstance,
    model: ModelFile,
    readonly options: RunnerOptions,
  ) {
    const { main_subgraph: mainSubgraph = 0 } = options;
    this.mainSubgraph = Number(mainSubgraph);
    this.#instance = instance;
    this.#bindings = instance.bindings;
    this.#runner = this.#enter('Starting TFLite', () => this.#bindings._tflite_runner_create());
    instance.runners?.add(this.#runner);
    this.#modelSizeBytes = model.byteLength;
    try {
      if (instance.threads > 1) this.#setOption('num_threads', String(instance.threads));
      const { customOps } = this.#bindings;
      if (customOps !== undefined) this.#setOption('custom_ops', customOps.names);
      for (const [key, value] of Object.entries(options)) this.#setOption(key, optionText(value));
      this.#init(model);
    } catch (error) {
      this.delete();
      throw error;
    }
  }

  /** Why the instance's threads could not be started; undefined once they have. */
  get threadsReason(): ThreadsReason {
    return this.#instance.threadsReason;
  }

  /** Whether other models may be in its wasm instance. */
  get isShared(): boolean {
    return this.#instance.runners !== undefined;
  }

  /** Whether another model has crashed the wasm instance: this one has to be created again. */
  get isOrphaned(): boolean {
    return traps.has(this.#bindings) && !this.#hasTrapped;
  }

  /** The model as it was when it was first requested. */
  get description(): ModelDescription {
    const describe = () => this.#bindings._tflite_runner_description(this.#runner);
    this.#description ??= JSON.parse(this.#describe('Describing the model', describe)) as ModelDescription;
    return this.#description;
  }

  /** Frees the model's memory in the wasm heap, but for a file that was there before. */
  delete(): void {
    if (this.#isDeleted || traps.has(this.#bindings)) return;
    this.#enter('Freeing the model', () => this.#bindings._tflite_runner_delete(this.#runner));
    this.#isDeleted = true;
    this.#instance.runners?.delete(this.#runner);
  }

  /**
   * Ends the instance's threads: a model that has them lives until then. The file can still be read, unless the
   * instance is shared or borrowed: the model then frees what it has there.
   */
  close(): void {
    this.checkEntry();
    const { host } = this.#instance;
    if (host !== undefined || this.isShared) this.delete();
    if (host === undefined) this.#instance.close();
  }

  /** @throws InterpreterError inside of a custom op of the same instance. */
  checkEntry(): void {
    this.#bindings.customOps?.checkEntry();
  }

  /** Runs the entire model. */
  invoke(): void {
    this.#check('Running the model', () => this.#bindings._tflite_runner_invoke(this.#runner));
  }

  /** Runs the plan entries [first, first + count). */
  invokeSteps(first: number, count: number): void {
    const what = `Running the steps ${first} to ${first + count - 1} of the model`;
    this.#check(what, () => this.#bindings._tflite_runner_invoke_steps(this.#runner, first, count));
  }

  /**
   * Sets another shape of an input, which its subgraph is allocated for next.
   *
   * @param strict - Accept only sizes of dimensions that the model leaves open.
   */
  resizeInput(tensor: number, shape: readonly number[], strict: boolean, subgraph = this.mainSubgraph): void {
    this.#withText(shape.join(','), (text) => {
      const resize = () =>
        this.#bindings._tflite_runner_resize_input(this.#runner, tensor, subgraph, text, Number(strict));
      this.#updatesInPlace.clear();
      this.#check(`Resizing tensor ${tensor}`, resize);
    });
  }

  /** Makes a subgraph ready to run, after the model was loaded or resized; again does nothing. */
  allocateSubgraph(subgraph: number): void {
    this.#updatesInPlace.clear(); // TFLite may prepare all of the model again
    const allocate = () => this.#bindings._tflite_runner_allocate_subgraph(this.#runner, subgraph);
    this.#check(`Allocating subgraph ${subgraph}`, allocate);
  }

  /** Runs a subgraph that has been allocated. */
  invokeSubgraph(subgraph: number): void {
    const invoke = () => this.#bindings._tflite_runner_invoke_subgraph(this.#runner, subgraph);
    this.#check(`Running subgraph ${subgraph}`, invoke);
  }

  /** Forgets what the model remembers from run to run. */
  resetState(): void {
    this.#check('Resetting the state', () => this.#bindings._tflite_runner_reset_state(this.#runner));
  }

  /** Zeroes the variable tensors of all subgraphs, and nothing else. */
  resetVariables(): void {
    this.#check('Resetting the variables', () => this.#bindings._tflite_runner_reset_variables(this.#runner));
  }

  /** How many subgraphs the model has. */
  get subgraphCount(): number {
    return this.#enter('Counting subgraphs', () => this.#bindings._tflite_runner_subgraph_count(this.#runner));
  }

  /** JSON: all tensors of a subgraph, as they are now. */
  describeTensors(subgraph: number): string {
    const describe = () => this.#bindings._tflite_runner_describe_tensors(this.#runner, subgraph);
    return this.#describe('Describing the tensors', describe);
  }

  /** JSON: all nodes of a subgraph, those of delegates too. */
  describeNodes(subgraph: number): string {
    const describe = () => this.#bindings._tflite_runner_describe_nodes(this.#runner, subgraph);
    return this.#describe('Describing the nodes', describe);
  }

  /** XNNPACK's part as it is after the last run; that of the description where the instance is gone. */
  get xnnpack(): XnnpackReport {
    if (this.#isDeleted || traps.has(this.#bindings)) return this.description.xnnpack;
    const describe = () => this.#bindings._tflite_runner_describe_xnnpack(this.#runner);
    return JSON.parse(this.#describe('Describing XNNPACK', describe)) as XnnpackReport;
  }

  /** The nodes that have run since the last call, in order; empty unless profiling is enabled. */
  takeProfile(): NodeTime[] {
    const profile = () => this.#bindings.UTF8ToString(this.#bindings._tflite_runner_profile(this.#runner));
    return JSON.parse(this.#enter('Profiling', profile)) as NodeTime[];
  }

  /** The model file for another runner: as in `file`, or a copy where XNNPACK reorders weights there. */
  get fileToOpen(): ModelFile {
    if (!this.options.reorder_weights) return this.file;
    const reorder = (isFileOrder: number) =>
      this.#enter('Reading', () => this.#bindings._tflite_runner_use_file_order(this.#runner, isFileOrder));
    reorder(1);
    const copy = this.file.bytes.slice();
    reorder(0);
    return copy;
  }

  /** The model file, which lies in the heap as long as the runner does. Weights may have another order. */
  get file(): HeapFile {
    const address = this.#enter('Reading', () => this.#bindings._tflite_runner_model_data(this.#runner)) >>> 0;
    const file = new HeapFile(this.#instance, address as BytesPointer, this.#modelSizeBytes);
    file.takeInstance(); // it is this runner's
    return file;
  }

  /** The shape that a tensor has now; a run may have changed it. */
  tensorShape(tensor: number, subgraph = this.mainSubgraph): readonly number[] {
    const shape = () => this.#bindings._tflite_runner_tensor_shape(this.#runner, tensor, subgraph);
    return JSON.parse(this.#enter('Reading a shape', () => this.#bindings.UTF8ToString(shape()))) as number[];
  }

  /** Writes a tensor; one whose size depends on its values, as of strings, is resized to these bytes. */
  write(tensor: number, bytes: Uint8Array, subgraph = this.mainSubgraph): void {
    this.reserve(tensor, bytes.byteLength, subgraph).set(bytes);
  }

  /**
   * The content of a graph's constant: a view into the heap, which should not grow by a large one that is created now.
   */
  constant(address: number, byteLength: number): Uint8Array {
    if (address >= HEAP_END && byteLength > MAX_GENERATED_BYTES) {
      const entire = newArray(Uint8Array, byteLength, 'a constant of a graph');
      for (let start = 0; start < byteLength; start += MAX_GENERATED_BYTES) {
        entire.set(this.constant(address + start, Math.min(MAX_GENERATED_BYTES, byteLength - start)), start);
      }
      return entire;
    }
    const addressOf = () => this.#bindings._tflite_runner_constant(this.#runner, address, byteLength);
    return this.heapBytes(this.#enter('Reading', addressOf) >>> 0, byteLength);
  }

  /** Memory for a tensor's next values: a view, as tensorBytes() returns it, of this size. */
  reserve(tensor: number, sizeBytes: number, subgraph = this.mainSubgraph): Uint8Array {
    const size = () => this.#bindings._tflite_runner_tensor_size_bytes(this.#runner, tensor, subgraph) >>> 0;
    if (this.#enter('Writing', size) !== sizeBytes) {
      this.#check(`Writing tensor ${tensor}`, () =>
        this.#bindings._tflite_runner_resize_tensor_bytes(this.#runner, tensor, subgraph, sizeBytes),
      );
    }
    return this.tensorBytes(tensor, subgraph);
  }

  /** The bytes of a tensor: a view into the heap. */
  tensorBytes(tensor: number, subgraph = this.mainSubgraph): Uint8Array {
    return this.#enter(`Reading tensor ${tensor}`, () => {
      const sizeBytes = this.#bindings._tflite_runner_tensor_size_bytes(this.#runner, tensor, subgraph) >>> 0;
      const address = this.#bindings._tflite_runner_tensor_data(this.#runner, tensor, subgraph) >>> 0;
      if (address === 0 && sizeBytes > 0) {
        throw new InterpreterError('TENSOR_NOT_ALLOCATED', `TFLite holds no memory for tensor ${tensor}.`);
      }
      return this.heapBytes(address, sizeBytes);
    });
  }

  /**
   * Points an input or output at other memory of its size, until it is exchanged back.
   *
   * @returns where its values were; 0 where TFLite does not allow it: then nothing has changed.
   */
  exchange(tensor: number, address: BytesPointer, subgraph = this.mainSubgraph): BytesPointer {
    const exchange = () => this.#bindings._tflite_runner_exchange_tensor_data(this.#runner, tensor, subgraph, address);
    return (this.#enter(`Exchanging the memory of tensor ${tensor}`, exchange) >>> 0) as BytesPointer;
  }

  /**
   * Inputs by outputs of an allocated subgraph: where both point at the same memory, TFLite changes only a slice of it,
   * and copies nothing.
   */
  updatesInPlace(subgraph: number): ReadonlyMap<number, number> {
    const known = this.#updatesInPlace.get(subgraph);
    if (known !== undefined) return known;
    const describe = () => this.#bindings._tflite_runner_describe_updates_in_place(this.#runner, subgraph);
    const pairs = JSON.parse(this.#describe('Describing the updates in place', describe)) as [number, number][];
    const updates = new Map(pairs.map(([input, output]) => [output, input]));
    this.#updatesInPlace.set(subgraph, updates);
    return updates;
  }

  /**
   * Memory of the heap that is the caller's, until free().
   *
   * @throws InterpreterError where there is no more.
   */
  allocate(sizeBytes: number): BytesPointer {
    return this.#enter('Allocating memory', () => allocate(this.#instance, sizeBytes));
  }

  /** Frees memory of allocate(); nothing is left to free after delete(), or a trap. */
  free(address: BytesPointer): void {
    if (!this.#isDeleted && !traps.has(this.#bindings))
      this.#enter('Freeing memory', () => this.#bindings._free(address));
  }

  /** A range of the heap. */
  heapBytes(address: number, byteLength: number): Uint8Array {
    return new Uint8Array(heapBuffer(this.#bindings), address, byteLength);
  }

  /** A text of a C function, which has none where it would be too long. */
  #describe(what: string, describe: () => CStringPointer): string {
    const text = this.#enter(what, () => this.#bindings.UTF8ToString(describe()));
    if (text === '') throw this.#error(what);
    return text;
  }

  #setOption(key: string, value: string): void {
    this.#withText(key, (keyText) =>
      this.#withText(value, (valueText) => {
        const setOption = () => this.#bindings._tflite_runner_set_option(this.#runner, keyText, valueText);
        this.#check(`Setting the option ${key}`, setOption);
      }),
    );
  }

  #init(model: ModelFile): void {
    const isBorrowed = isIn(this.#instance, model);
    const address = isBorrowed ? model.address : this.allocate(model.byteLength);
    if (!isBorrowed) this.heapBytes(address >>> 0, model.byteLength).set(fileBytes(model));
    const init = () => this.#bindings._tflite_runner_init(this.#runner, address, model.byteLength, Number(isBorrowed));
    this.#check('Loading the model', init);
  }

  #withText(text: string, use: (text: CStringPointer) => void): void {
    const bytes = encode(`${text}\0`);
    const address = this.allocate(bytes.length);
    this.heapBytes(address >>> 0, bytes.length).set(bytes);
    try {
      use(address as unknown as CStringPointer);
    } finally {
      if (!traps.has(this.#bindings)) this.#bindings._free(address);
    }
  }

  /** Calls a C function that returns 0 for success. */
  #check(what: string, call: () => number): void {
    const status = this.#enter(what, call);
    this.#throwFailureOfHost(); // a graph that cannot be built is no failure for TFLite, which goes on without
    const failure = this.#bindings.customOps?.takeFailure() ?? null; // gone where TFLite has tried again with success
    if (status !== 0) throw failure ?? this.#error(what);
  }

  #error(what: string): TFLiteWebnnError {
    const text = this.#enter(what, () =>
      this.#bindings.UTF8ToString(this.#bindings._tflite_runner_error(this.#runner)),
    );
    return errorFromRunner(text, what);
  }

  #throwFailureOfHost(): void {
    const failure = this.#bindings.webnnHost?.takeFailure() ?? null;
    if (failure !== null) throw failure;
  }

  /** Enters wasm; never again after a trap. */
  #enter<T>(what: string, call: () => T): T {
    const earlier = traps.get(this.#bindings);
    // Without RecoveringModel, as in the drop-in of tfjs-tflite, the instance is lost for all its models.
    if (earlier !== undefined) throw this.#hasTrapped || !this.isShared ? earlier : ofOtherModel(earlier);
    if (this.#isDeleted) throw new ModelDisposedError();
    this.checkEntry();
    try {
      return call();
    } catch (error) {
      if (error instanceof TFLiteWebnnError) throw error;
      const log = this.#instance.log.length === 0 ? '' : ` Last messages: ${this.#instance.log.join(' | ')}`;
      const trap = new WasmTrapError(
        `${what} crashed WebAssembly (${messageOf(error)}). Load the model again: nothing of it can run in this instance.${log}`,
        { cause: error, details: { log: [...this.#instance.log] } },
      );
      traps.set(this.#bindings, trap);
      this.#hasTrapped = true;
      throw trap;
    }
  }
}

function ofOtherModel(cause: WasmTrapError): WasmTrapError {
  return new WasmTrapError(`${OTHER_CRASHED}: await run(), which reloads this one.`, { cause });
}

/** Emscripten's own loop takes milliseconds for WebNN's limits. Where TextEncoder is missing, options are ASCII. */
function encode(text: string): Uint8Array {
  return globalThis.TextEncoder ? new TextEncoder().encode(text) : Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function isIn(instance: WasmInstance, model: ModelFile): model is HeapFile {
  return model instanceof HeapFile && model.isIn(instance);
}
