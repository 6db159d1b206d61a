/** The tensors of states and the variables of models: values stay where runs leave them, and move only when a run needs them elsewhere. */

import type { GraphPort, ModelDescription } from '../description.js';
import { type DType, newArray } from '../dtypes.js';
import { messageOf, StateLostError, WebnnRunError } from '../errors.js';
import { PortTensor } from '../tensors/model_tensors.js';
import type { BytesPointer } from '../wasm/wasm_binding_types.js';
import { OTHER_CRASHED, type WasmRunner } from '../wasm/wasm_runner.js';
import { lossOf } from '../webnn/denied_nodes.js';
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

/** Memory for a tensor's values, twice: a run reads `front` and writes `back`. */
export abstract class StateHome<Memory = unknown> {
  constructor(
    public front: Memory,
    public back: Memory,
    readonly sizeBytes: number,
  ) {}

  /** What took the values; null while they are there. */
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
    [this.front, this.back] = [this.back, this.front];
  }
}

/** Two MLTensors of one context. */
export class WebnnHome extends StateHome<PortTensor> {
  static async create(webnn: PageWebnn, port: GraphPort, sizeBytes: number): Promise<WebnnHome> {
    const use = { port, readable: true, writable: true };
    const [front, back] = await PortTensor.createAll(webnn.context, [use, use]);
    return new WebnnHome(webnn, front as PortTensor, back as PortTensor, sizeBytes);
  }

  private constructor(
    private readonly webnn: PageWebnn,
    front: PortTensor,
    back: PortTensor,
    sizeBytes: number,
  ) {
    super(front, back, sizeBytes);
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

/** Two blocks of memory in the heap of a wasm instance. */
export class HeapHome extends StateHome<BytesPointer> {
  readonly #memory: BytesPointer;

  constructor(
    private readonly runner: WasmRunner,
    sizeBytes: number,
  ) {
    const blockBytes = aligned(sizeBytes) + ALIGNMENT_BYTES;
    const memory = runner.allocate(2 * blockBytes + ALIGNMENT_BYTES);
    const front = aligned(memory);
    super(front as BytesPointer, (front + blockBytes) as BytesPointer, sizeBytes);
    this.#memory = memory;
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
    this.runner.free(this.#memory);
  }
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

const OF_STATE =
  'Call reset() on the state, or write() its tensors, and run again what filled it, such as the prefill of a language model.';

/** The values of one tensor: zeros or what was written, until a run computes others. */
export class StateTensor {
  /** By context or runner. */
  readonly #homes = new Map<object, StateHome>();
  /** The homes that have the values. */
  readonly #fresh = new Set<StateHome>();
  /** Values that were written, or zeros (null); undefined once a run has computed others. */
  #given: Uint8Array | null | undefined = null;

  /** @param hint - What to do once the values are lost. */
  constructor(
    readonly info: StateTensorInfo,
    private readonly hint = OF_STATE,
  ) {}

  /** Its home on a context. */
  async onWebnn(webnn: PageWebnn, port: GraphPort): Promise<WebnnHome> {
    const known = this.#homes.get(webnn.context);
    if (known !== undefined) return known as WebnnHome;
    this.#dropLost();
    const home = await WebnnHome.create(webnn, port, this.info.sizeBytes);
    this.#homes.set(webnn.context, home);
    return home;
  }

  /** Its home in the wasm instance of a runner. */
  inHeap(runner: WasmRunner): HeapHome {
    const known = this.#homes.get(runner);
    if (known !== undefined) return known as HeapHome;
    this.#dropLost();
    const home = new HeapHome(runner, this.info.sizeBytes);
    this.#homes.set(runner, home);
    return home;
  }

  /**
   * Has a home hold the values in its front.
   *
   * @throws StateLostError
   */
  async bringTo(home: StateHome): Promise<void> {
    if (this.#fresh.has(home)) return;
    home.write(await this.#values());
    this.#fresh.add(home);
  }

  /**
   * The same synchronously, where no other context has the values.
   *
   * @throws StateLostError
   */
  bringNow(home: HeapHome): void {
    if (this.#fresh.has(home)) return;
    const values = this.#given === undefined ? this.#freshHome().read() : this.#givenBytes(this.#given);
    if (values instanceof Promise) throw new TypeError(`the values of ${this.info.name} are on WebNN`);
    home.write(values);
    this.#fresh.add(home);
  }

  /** A run has written new values to the back of this home. */
  written(home: StateHome): void {
    home.flip();
    this.#fresh.clear();
    this.#fresh.add(home);
    this.#given = undefined;
  }

  /**
   * A copy of the values.
   *
   * @throws StateLostError
   */
  async read(): Promise<Uint8Array> {
    return (await this.#values()).slice();
  }

  /** Gives it values; null for zeros. */
  write(values: Uint8Array | null): void {
    this.#given = values;
    this.#fresh.clear();
  }

  release(): void {
    for (const home of this.#homes.values()) home.release();
    this.#homes.clear();
    this.#fresh.clear();
  }

  async #values(): Promise<Uint8Array> {
    if (this.#given !== undefined) return this.#givenBytes(this.#given);
    const home = this.#freshHome();
    try {
      return await home.read();
    } catch (error) {
      if (await home.wasLost()) throw this.#lost(LOST_CONTEXT, error);
      const what = `WebNN failed while reading the state's tensor ${this.info.name}`;
      throw new WebnnRunError(`${what}: ${messageOf(error)}`, { cause: error });
    }
  }

  #givenBytes(given: Uint8Array | null): Uint8Array {
    return given ?? newArray(Uint8Array, this.info.sizeBytes, this.info.name);
  }

  /** A home that has the values. */
  #freshHome(): StateHome {
    const homes = [...this.#fresh];
    const home = homes.find(({ lossText }) => lossText === null);
    if (home === undefined) throw this.#lost(homes[0]?.lossText ?? LOST_CONTEXT);
    return home;
  }

  #dropLost(): void {
    for (const [place, home] of this.#homes) {
      if (home.lossText === null) continue;
      this.#homes.delete(place);
      this.#fresh.delete(home);
      home.release();
    }
  }

  #lost(what: string, cause?: unknown): StateLostError {
    const { name } = this.info;
    const message = `${what}, and with it the values of ${name}. ${this.hint}`;
    return new StateLostError(message, { cause, details: { tensor: name } });
  }
}

const OF_VARIABLES = 'Call resetState() on the model, and run again what filled its variables.';

interface Variable {
  readonly tensor: StateTensor;
  /** Null for zeros. */
  readonly initial: Uint8Array | null;
}

/**
 * The variables of a model, which it keeps between runs like the tensors of a state. Each is an input and an output of the model behind those that the caller has. Its values stay where runs leave
 * them: in MLTensors where WebNN reads and writes it, else in the memory of wasm. They outlive the preparation of the
 * model, but not the loss of a context that has them.
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
      return { tensor: new StateTensor({ name, output: name, dtype, shape, sizeBytes }, OF_VARIABLES), initial };
    });
    this.reset();
  }

  /** The variable at a port; null where that is the caller's. */
  at(side: 'input' | 'output', port: number, { inputs, outputs }: ModelDescription): StateTensor | null {
    const callers = side === 'input' ? inputs : outputs;
    return this.#variables[port - callers.length]?.tensor ?? null;
  }

  /** Gives all of them their first values. */
  reset(): void {
    for (const { tensor, initial } of this.#variables) tensor.write(initial);
  }

  release(): void {
    for (const { tensor } of this.#variables) tensor.release();
  }
}
