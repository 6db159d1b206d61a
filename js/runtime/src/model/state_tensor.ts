/** One tensor of a state: its values stay where runs leave them, and move only when a run needs them elsewhere. */

import type { GraphPort } from '../description.js';
import type { DType } from '../dtypes.js';
import { messageOf, StateLostError, WebnnRunError } from '../errors.js';
import { PortTensor } from '../tensors/port_tensor.js';
import type { BytesPointer } from '../wasm/wasm_binding_types.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import { lossOf } from '../webnn/context_losses.js';
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

/** Memory for a tensor's values, twice: a run reads `front` and writes `back`. */
export interface StateHome {
  /** Whether the values are gone. */
  readonly isLost: boolean;
  /** The same after a failure, which may come before its cause is told. */
  wasLost(): Promise<boolean>;
  /** The values of the front, in the TFLite tensor's type. */
  read(): Uint8Array | Promise<Uint8Array>;
  /** Writes values to the front. */
  write(bytes: Uint8Array): void;
  /** What a run has written becomes what the next one reads. */
  flip(): void;
  release(): void;
}

/** Two MLTensors of one context. */
export class WebnnHome implements StateHome {
  #front: PortTensor;
  #back: PortTensor;

  static async create(webnn: PageWebnn, port: GraphPort, sizeBytes: number): Promise<WebnnHome> {
    const use = { port, readable: true, writable: true };
    const [front, back] = await PortTensor.createAll(webnn.context, [use, use]);
    return new WebnnHome(webnn, front as PortTensor, back as PortTensor, sizeBytes);
  }

  private constructor(
    private readonly webnn: PageWebnn,
    front: PortTensor,
    back: PortTensor,
    readonly sizeBytes: number,
  ) {
    this.#front = front;
    this.#back = back;
  }

  get isLost(): boolean {
    return this.webnn.lostReason() !== null;
  }

  async wasLost(): Promise<boolean> {
    return (await lossOf(this.webnn)) !== null;
  }

  get front(): PortTensor {
    return this.#front;
  }

  get back(): PortTensor {
    return this.#back;
  }

  read(): Promise<Uint8Array> {
    return this.#read(this.#front);
  }

  /** The same of the back: settles when what was queued before has run. */
  readBack(): Promise<Uint8Array> {
    return this.#read(this.#back);
  }

  write(bytes: Uint8Array): void {
    this.#front.write(bytes);
  }

  flip(): void {
    [this.#front, this.#back] = [this.#back, this.#front];
  }

  release(): void {
    this.#front.destroy();
    this.#back.destroy();
  }

  async #read(tensor: PortTensor): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.sizeBytes);
    await tensor.read(bytes);
    return bytes;
  }
}

/** TFLite's alignment of tensors, which kernels may also read beyond. */
const ALIGNMENT_BYTES = 64;

/** Two blocks of memory in the heap of a wasm instance. */
export class HeapHome implements StateHome {
  readonly isLost = false;
  readonly wasLost = async () => false;
  readonly #memory: BytesPointer;
  #front: BytesPointer;
  #back: BytesPointer;

  constructor(
    private readonly runner: WasmRunner,
    readonly sizeBytes: number,
  ) {
    const blockBytes = aligned(sizeBytes) + ALIGNMENT_BYTES;
    this.#memory = runner.allocate(2 * blockBytes + ALIGNMENT_BYTES);
    this.#front = aligned(this.#memory) as BytesPointer;
    this.#back = (this.#front + blockBytes) as BytesPointer;
  }

  get front(): BytesPointer {
    return this.#front;
  }

  get back(): BytesPointer {
    return this.#back;
  }

  /** A view, valid until wasm runs. */
  read(): Uint8Array {
    return this.runner.heapBytes(this.#front, this.sizeBytes);
  }

  write(bytes: Uint8Array): void {
    this.read().set(bytes);
  }

  /** Writes values to the back. */
  writeBack(bytes: Uint8Array): void {
    this.runner.heapBytes(this.#back, this.sizeBytes).set(bytes);
  }

  flip(): void {
    [this.#front, this.#back] = [this.#back, this.#front];
  }

  release(): void {
    this.runner.free(this.#memory);
  }
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/** The values of one tensor: zeros or what was written, until a run computes others. */
export class StateTensor {
  /** By context or runner. */
  readonly #homes = new Map<object, StateHome>();
  /** The homes that have the values. */
  readonly #fresh = new Set<StateHome>();
  /** Values that were written, or zeros (null); undefined once a run has computed others. */
  #given: Uint8Array | null | undefined = null;

  constructor(readonly info: StateTensorInfo) {}

  /** Its home on a context. */
  onWebnn(webnn: PageWebnn, port: GraphPort): Promise<WebnnHome> {
    return this.#homeOf(webnn.context, () => WebnnHome.create(webnn, port, this.info.sizeBytes)) as Promise<WebnnHome>;
  }

  /** Its home in the wasm instance of a runner. */
  inHeap(runner: WasmRunner): Promise<HeapHome> {
    return this.#homeOf(runner, async () => new HeapHome(runner, this.info.sizeBytes)) as Promise<HeapHome>;
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
    if (this.#given !== undefined) return this.#given ?? new Uint8Array(this.info.sizeBytes);
    const home = [...this.#fresh].find(({ isLost }) => !isLost);
    if (home === undefined) throw lost(this.info.name);
    try {
      return await home.read();
    } catch (error) {
      if (await home.wasLost()) throw lost(this.info.name, error);
      const what = `WebNN failed while reading the state's tensor ${this.info.name}`;
      throw new WebnnRunError(`${what}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #homeOf(place: object, make: () => Promise<StateHome>): Promise<StateHome> {
    const known = this.#homes.get(place);
    if (known !== undefined) return known;
    this.#dropLost();
    const home = await make();
    this.#homes.set(place, home);
    return home;
  }

  #dropLost(): void {
    for (const [place, home] of this.#homes) {
      if (!home.isLost) continue;
      this.#homes.delete(place);
      this.#fresh.delete(home);
      home.release();
    }
  }
}

function lost(name: string, cause?: unknown): StateLostError {
  return new StateLostError(
    `The browser took the WebNN context away, and with it the values of ${name}. Call reset() on the state, or write() its ` +
      'tensors, and run again what filled it, such as the prefill of a language model.',
    { cause, details: { tensor: name } },
  );
}
