/**
 * The tensors of states and the variables of models: values stay where runs leave them, and move only when a run needs
 * them elsewhere.
 */

import type { GraphPort, ModelDescription } from '../description.js';
import { type DType, newArray } from '../dtypes.js';
import { messageOf, StateLostError, WebnnRunError } from '../errors.js';
import { PortTensor } from '../tensors/model_tensors.js';
import type { BytesPointer } from '../wasm/wasm_binding_types.js';
import { OTHER_CRASHED, type WasmRunner } from '../wasm/wasm_runner.js';
import { lossOf } from '../webnn/excluded_nodes.js';
import type { PageWebnn } from '../webnn/webnn_context.js';

/** A tensor of a state, as it is known outside. */
export interface StateTensorInfo {
  /** The name of the inputs that read it. */
  readonly name: string;
  /** The name of the outputs that write it; mostly the same. */
  readonly output: string;
  /** Element type. */
  readonly dtype: DType;
  /** Its shape, outermost dimension first. */
  readonly shape: readonly number[];
  /** Size of its values in bytes. */
  readonly sizeBytes: number;
}

const LOST_CONTEXT = 'The browser took the WebNN context away';

/** Memory for a tensor's values, twice: a run reads `front` and writes `back`, or changes `front` in place. */
export abstract class StateStorage<Memory = unknown> {
  #back: Memory | null = null;

  constructor(
    public front: Memory,
    private readonly createBack: () => Memory,
    readonly sizeBytes: number,
  ) {}

  /** Created on first use. */
  get back(): Memory {
    this.#back ??= this.createBack();
    return this.#back;
  }

  /** What lost the values; null while they are there. */
  abstract get lossText(): string | null;

  /** The same after a failure, which may come before its cause is known. */
  async wasLost(): Promise<boolean> {
    return false;
  }

  /** The values of the front, in the TFLite tensor's type. */
  abstract read(): Uint8Array | Promise<Uint8Array>;
  /** Writes values to the front. */
  abstract write(bytes: Uint8Array): void;
  abstract release(): void;

  /** What a run has written becomes what the next one reads. */
  flip(): void {
    [this.front, this.#back] = [this.back, this.front];
  }
}

/** Two MLTensors of one context. */
export class WebnnStorage extends StateStorage<PortTensor> {
  static async create(webnn: PageWebnn, port: GraphPort, sizeBytes: number): Promise<WebnnStorage> {
    const use = { port, readable: true, writable: true };
    const [front, back] = await PortTensor.createAll(webnn.context, [use, use]);
    return new WebnnStorage(webnn, front as PortTensor, back as PortTensor, sizeBytes);
  }

  private constructor(
    private readonly webnn: PageWebnn,
    front: PortTensor,
    back: PortTensor,
    sizeBytes: number,
  ) {
    super(front, () => back, sizeBytes);
  }

  get lossText(): string | null {
    return this.webnn.lostReason === null ? null : LOST_CONTEXT;
  }

  override async wasLost(): Promise<boolean> {
    return (await lossOf(this.webnn)) !== null;
  }

  read(): Promise<Uint8Array> {
    return this.#read(this.front);
  }

  /** The same of the back: settles when what was queued before has run. */
  readBack(): Promise<Uint8Array> {
    return this.#read(this.back);
  }

  write(bytes: Uint8Array): void {
    this.front.write(bytes);
  }

  release(): void {
    this.front.destroy();
    this.back.destroy();
  }

  async #read(tensor: PortTensor): Promise<Uint8Array> {
    const bytes = newArray(Uint8Array, this.sizeBytes, 'a state');
    await tensor.read(bytes);
    return bytes;
  }
}

/** TFLite's alignment of tensors, which kernels may also read beyond. */
const ALIGNMENT_BYTES = 64;

/** Memory in the heap of a wasm instance. */
export class HeapStorage extends StateStorage<BytesPointer> {
  readonly #blocks: BytesPointer[];

  constructor(
    private readonly runner: WasmRunner,
    sizeBytes: number,
  ) {
    const blocks: BytesPointer[] = [];
    const create = () => {
      const block = runner.allocate(aligned(sizeBytes) + 2 * ALIGNMENT_BYTES);
      blocks.push(block);
      return aligned(block) as BytesPointer;
    };
    super(create(), create, sizeBytes);
    this.#blocks = blocks;
  }

  get lossText(): string | null {
    return this.runner.isOrphaned ? OTHER_CRASHED : null;
  }

  /** A view, valid until wasm runs. */
  read(): Uint8Array {
    return this.runner.heapBytes(this.front, this.sizeBytes);
  }

  write(bytes: Uint8Array): void {
    this.read().set(bytes);
  }

  /** Writes values to the back. */
  writeBack(bytes: Uint8Array): void {
    this.runner.heapBytes(this.back, this.sizeBytes).set(bytes);
  }

  release(): void {
    for (const block of this.#blocks) this.runner.free(block);
  }
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

const STATE_HINT =
  'Call reset() on the state, or write() its tensors, and run again what filled it, such as the prefill of a language model.';

/** The values of one tensor: zeros or what was written, until a run computes others. */
export class StateTensor {
  /** By context or runner. */
  readonly #storages = new Map<object, StateStorage>();
  /** The storages that have the values. */
  readonly #fresh = new Set<StateStorage>();
  /** Values that were written, or zeros (null); undefined once a run has computed others. */
  #provided: Uint8Array | null | undefined = null;
  /** Whether a run that failed may have changed them. */
  #isSpoiled = false;

  /** @param hint - What to do once the values are lost. */
  constructor(
    readonly info: StateTensorInfo,
    private readonly hint = STATE_HINT,
  ) {}

  /** Its storage on a context. */
  async onWebnn(webnn: PageWebnn, port: GraphPort): Promise<WebnnStorage> {
    const known = this.#storages.get(webnn.context);
    if (known !== undefined) return known as WebnnStorage;
    this.#dropLost();
    const storage = await WebnnStorage.create(webnn, port, this.info.sizeBytes);
    this.#storages.set(webnn.context, storage);
    return storage;
  }

  /** Its storage in the wasm instance of a runner. */
  inHeap(runner: WasmRunner): HeapStorage {
    const known = this.#storages.get(runner);
    if (known !== undefined) return known as HeapStorage;
    this.#dropLost();
    const storage = new HeapStorage(runner, this.info.sizeBytes);
    this.#storages.set(runner, storage);
    return storage;
  }

  /**
   * Has a storage hold the values in its front.
   *
   * @throws StateLostError
   */
  async bringTo(storage: StateStorage): Promise<void> {
    if (this.#fresh.has(storage)) return;
    storage.write(await this.#values());
    this.#fresh.add(storage);
  }

  /**
   * The same synchronously, where no other context has the values.
   *
   * @throws StateLostError
   */
  bringNow(storage: HeapStorage): void {
    if (this.#fresh.has(storage)) return;
    const values = this.#provided === undefined ? this.#freshStorage().read() : this.#providedBytes(this.#provided);
    if (values instanceof Promise) throw new TypeError(`the values of ${this.info.name} are on WebNN`);
    storage.write(values);
    this.#fresh.add(storage);
  }

  /** A run has written new values to this storage: to its front where in place, else to its back. */
  written(storage: StateStorage, isInPlace = false): void {
    if (!isInPlace) storage.flip();
    this.#fresh.clear();
    this.#fresh.add(storage);
    this.#provided = undefined;
    this.#isSpoiled = false;
  }

  /** A run has failed that may have changed the values of this storage in place. */
  spoiled(storage: StateStorage): void {
    this.#fresh.delete(storage);
    this.#isSpoiled = true;
  }

  /**
   * A copy of the values.
   *
   * @throws StateLostError
   */
  async read(): Promise<Uint8Array> {
    return (await this.#values()).slice();
  }

  /** Sets its values; null for zeros. */
  write(values: Uint8Array | null): void {
    this.#provided = values;
    this.#fresh.clear();
    this.#isSpoiled = false;
  }

  release(): void {
    for (const storage of this.#storages.values()) storage.release();
    this.#storages.clear();
    this.#fresh.clear();
  }

  async #values(): Promise<Uint8Array> {
    if (this.#provided !== undefined) return this.#providedBytes(this.#provided);
    const storage = this.#freshStorage();
    try {
      return await storage.read();
    } catch (error) {
      if (await storage.wasLost()) throw this.#lost(LOST_CONTEXT, error);
      const what = `WebNN failed while reading the state's tensor ${this.info.name}`;
      throw new WebnnRunError(`${what}: ${messageOf(error)}`, { cause: error });
    }
  }

  #providedBytes(provided: Uint8Array | null): Uint8Array {
    return provided ?? newArray(Uint8Array, this.info.sizeBytes, this.info.name);
  }

  /** A storage that has the values. */
  #freshStorage(): StateStorage {
    const storages = [...this.#fresh];
    const storage = storages.find(({ lossText }) => lossText === null);
    if (storage === undefined) throw this.#lost(this.#isSpoiled ? null : (storages[0]?.lossText ?? LOST_CONTEXT));
    return storage;
  }

  #dropLost(): void {
    for (const [owner, storage] of this.#storages) {
      if (storage.lossText === null) continue;
      this.#storages.delete(owner);
      this.#fresh.delete(storage);
      storage.release();
    }
  }

  /** @param lossText - What took the values away; null after a run that has failed. */
  #lost(lossText: string | null, cause?: unknown): StateLostError {
    const { name } = this.info;
    const what =
      lossText === null
        ? `A run has failed that may have changed the values of ${name}`
        : `${lossText}, and with it the values of ${name}`;
    const message = `${what}. ${this.hint}`;
    return new StateLostError(message, { cause, details: { tensor: name } });
  }
}

const VARIABLES_HINT = 'Call resetState() on the model, and run again what filled its variables.';

interface Variable {
  readonly tensor: StateTensor;
  /** Null for zeros. */
  readonly initial: Uint8Array | null;
}

/**
 * The variables of a model, which it keeps between runs like the tensors of a state. Each is an input and an output of
 * the model behind those that the caller has. Its values stay where runs leave them: in MLTensors where WebNN reads and
 * writes it, else in the memory of wasm. They outlive the preparation of the model, but not the loss of a context that
 * has them.
 */
export class ModelVariables {
  readonly #variables: readonly Variable[];

  /** @returns null for a model without variables. */
  static of(runner: WasmRunner): ModelVariables | null {
    return runner.description.variables.length === 0 ? null : new ModelVariables(runner);
  }

  private constructor(runner: WasmRunner) {
    this.#variables = runner.description.variables.map(({ name, input: { dtype, shape, sizeBytes }, address }) => {
      const initial = address === 0 ? null : runner.heapBytes(address, sizeBytes).slice();
      return { tensor: new StateTensor({ name, output: name, dtype, shape, sizeBytes }, VARIABLES_HINT), initial };
    });
    this.reset();
  }

  /** The variable at a port; null where that is the caller's. */
  at(direction: 'input' | 'output', port: number, { inputs, outputs }: ModelDescription): StateTensor | null {
    const callers = direction === 'input' ? inputs : outputs;
    return this.#variables[port - callers.length]?.tensor ?? null;
  }

  /** Sets all of them to their first values. */
  reset(): void {
    for (const { tensor, initial } of this.#variables) tensor.write(initial);
  }

  release(): void {
    for (const { tensor } of this.#variables) tensor.release();
  }
}
