/**
 * The tensors of a state in one run: on WebNN they take the place of the model's own, in wasm its tensors point at
 * them.
 */

import type { SubgraphInfo } from '../description.js';
import { StateError } from '../errors.js';
import type { PortTensor } from '../tensors/model_tensors.js';
import type { BytesPointer } from '../wasm/wasm_binding_types.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import type { PageWebnn } from '../webnn/webnn_context.js';
import type { Action, CopyAction, Schedule, TensorLocation } from './schedule.js';
import { type BoundState, type ResidentTensors, tensorsOf } from './state.js';
import { type HeapStorage, type StateStorage, type StateTensor, WebnnStorage } from './state_tensor.js';

/** What runs. */
export interface StateUser {
  readonly schedule: Schedule;
  readonly webnn: PageWebnn | null;
  readonly runner: WasmRunner | null;
}

/** Where a run leaves new values. */
interface Writing {
  readonly storage: StateStorage;
  /** Whether they replace those that the run reads. */
  isInPlace: boolean;
}

/** The memory of a state that a TFLite tensor uses while it runs. */
interface Binding {
  readonly storage: HeapStorage;
  /** Null for an input. */
  readonly writing: Writing | null;
  /** Where the tensor's own memory is, while it points elsewhere; 0 where TFLite moves it, and values are copied. */
  own: BytesPointer;
}

/** A tensor whose values the run reads. */
interface Reading {
  readonly tensor: StateTensor;
  readonly storage: HeapStorage;
}

/** The part of persistent tensors in one run. */
export class StateRun {
  readonly #writings = new Map<StateTensor, Writing>();
  /** By TFLite tensor. */
  readonly #bindings = new Map<number, Binding>();
  /** MLTensors of the state, instead of the model's own, by slot. */
  readonly slots = new Map<number, PortTensor>();

  /**
   * Brings the values that the run reads to where it reads them.
   *
   * @throws StateLostError
   */
  static async ofSchedule(tensorOf: ResidentTensors, user: StateUser): Promise<StateRun> {
    const run = new StateRun(tensorOf, user.runner, user.runner?.mainSubgraph ?? 0);
    for (const action of run.#replaced(user.schedule)) {
      if (locationOf(action) === 'webnn') await run.#useWebnn(action, user);
      else await broughtTo(run.#useHeap(directionOf(action), action.port, action.tensor));
    }
    return run;
  }

  /**
   * The same synchronously, for a schedule without dispatches.
   *
   * @throws StateLostError
   */
  static ofScheduleNow(tensorOf: ResidentTensors, { runner, schedule }: StateUser): StateRun {
    const run = new StateRun(tensorOf, runner, runner?.mainSubgraph ?? 0);
    for (const action of run.#replaced(schedule)) {
      const reading = run.#useHeap(directionOf(action), action.port, action.tensor);
      reading?.tensor.bringNow(reading.storage);
    }
    return run;
  }

  /** The same for a subgraph that wasm runs entirely. */
  static async ofSubgraph(bound: BoundState, runner: WasmRunner, subgraph: SubgraphInfo): Promise<StateRun> {
    const run = new StateRun(tensorsOf(bound), runner, subgraph.index);
    for (const [port, { index }] of subgraph.inputs.entries()) await broughtTo(run.#useHeap('input', port, index));
    for (const [port, { index }] of subgraph.outputs.entries()) await broughtTo(run.#useHeap('output', port, index));
    return run;
  }

  private constructor(
    /** The persistent tensor of an input or output; null where the caller has it. */
    readonly tensorOf: ResidentTensors,
    private readonly runner: WasmRunner | null,
    private readonly subgraph: number,
  ) {}

  /** Whether the state does what this action would do. */
  replaces(action: Action): action is PortCopy {
    if (action.kind !== 'copy' || action.port === null) return false;
    return this.tensorOf(directionOf(action), action.port) !== null;
  }

  /**
   * Points the tensors of wasm at the state's memory. Nothing may run in this instance but what follows, until end().
   */
  begin(): void {
    if (this.#bindings.size === 0) return;
    const readers = this.#beginReading();
    const updates = this.#runner.updatesInPlace(this.subgraph);
    for (const [tensor, binding] of this.#bindings) {
      const { storage, writing } = binding;
      if (writing === null) continue;
      const isUpdate = updates.has(tensor) && updates.get(tensor) === readers.get(storage);
      binding.own = this.#exchange(tensor, isUpdate ? storage.front : storage.back);
      writing.isInPlace = isUpdate && binding.own !== 0;
    }
  }

  /** @returns the input that reads a storage; null where there are several, or one that reads a copy. */
  #beginReading(): Map<HeapStorage, number | null> {
    const readers = new Map<HeapStorage, number | null>();
    for (const [tensor, binding] of this.#bindings) {
      const { storage, writing } = binding;
      if (writing !== null) continue;
      binding.own = this.#exchange(tensor, storage.front);
      if (binding.own === 0) this.#runner.write(tensor, storage.read(), this.subgraph);
      readers.set(storage, binding.own === 0 || readers.has(storage) ? null : tensor);
    }
    return readers;
  }

  #exchange(tensor: number, memory: BytesPointer): BytesPointer {
    return this.#runner.exchange(tensor, memory, this.subgraph);
  }

  /** Restores the own tensors of wasm, whether or not it has run. */
  end(): void {
    for (const [tensor, { own }] of this.#bindings) if (own !== 0) this.#exchange(tensor, own);
  }

  /** Takes over what wasm has written into its own memory; before end(). */
  collect(): void {
    for (const [tensor, { own, writing, storage }] of this.#bindings) {
      if (writing === null || own !== 0) continue;
      const bytes = this.#runner.tensorBytes(tensor, this.subgraph);
      if (bytes.byteLength !== storage.sizeBytes) throw this.#grown(tensor, bytes.byteLength, storage.sizeBytes);
      storage.writeBack(bytes);
    }
  }

  /** Reads the smallest tensor that WebNN writes, if any: for a run without other results to wait for. */
  settle(): readonly Promise<unknown>[] {
    const storages = [...this.#writings.values()]
      .map(({ storage }) => storage)
      .filter((storage) => storage instanceof WebnnStorage);
    const [smallest] = storages.sort((a, b) => a.sizeBytes - b.sizeBytes);
    return smallest === undefined ? [] : [smallest.readBack()];
  }

  /** The run has succeeded: its values are the state's. */
  commit(): void {
    for (const [tensor, { storage, isInPlace }] of this.#writings) tensor.written(storage, isInPlace);
  }

  /** What computes in wasm has begun, and the run has failed: values that it may have changed in place are lost. */
  fail(): void {
    for (const [tensor, { storage, isInPlace }] of this.#writings) if (isInPlace) tensor.spoiled(storage);
  }

  #replaced({ actions }: Schedule): PortCopy[] {
    return actions.filter((action): action is PortCopy => this.replaces(action));
  }

  async #useWebnn(action: PortCopy, { schedule, webnn }: StateUser): Promise<void> {
    const { port } = action;
    const [direction, slot] = [directionOf(action), action.slot as number];
    const tensor = this.tensorOf(direction, port) as StateTensor;
    const storage = await tensor.onWebnn(webnn as PageWebnn, (schedule.slots[slot] as Schedule['slots'][number]).port);
    if (direction === 'input') await tensor.bringTo(storage);
    else if (this.slots.has(slot)) throw sameOutput(tensor);
    else this.#writeTo(tensor, storage);
    this.slots.set(slot, direction === 'input' ? storage.front : storage.back);
  }

  /** @returns what has to be brought to its storage before the run. */
  #useHeap(direction: 'input' | 'output', port: number, index: number): Reading | null {
    const tensor = this.tensorOf(direction, port);
    if (tensor === null) return null;
    const earlier = this.#bindings.get(index);
    if (earlier !== undefined && earlier.writing !== null) throw sameOutput(tensor);
    if (earlier !== undefined) return null; // an output that is an input keeps its values
    const storage = tensor.inHeap(this.#runner);
    const writing = direction === 'input' ? null : this.#writeTo(tensor, storage);
    this.#bindings.set(index, { storage, writing, own: 0 as BytesPointer });
    return direction === 'input' ? { tensor, storage } : null;
  }

  #writeTo(tensor: StateTensor, storage: StateStorage): Writing {
    if (this.#writings.has(tensor)) throw sameOutput(tensor);
    const writing = { storage, isInPlace: false };
    this.#writings.set(tensor, writing);
    return writing;
  }

  get #runner(): WasmRunner {
    return this.runner as WasmRunner;
  }

  #grown(tensor: number, sizeBytes: number, expectedBytes: number): StateError {
    const what = `Tensor ${tensor} has ${sizeBytes} bytes after the run, and ${expectedBytes} in the state`;
    return new StateError(`${what}: a tensor whose shape depends on the data cannot persist.`, { details: { tensor } });
  }
}

function sameOutput({ info: { name } }: StateTensor): StateError {
  return new StateError(`Two outputs of the model, or one that it has twice, write ${name}: only one can persist.`);
}

/** A copy of an input or output. */
type PortCopy = CopyAction & { readonly port: number };

async function broughtTo(reading: Reading | null): Promise<void> {
  await reading?.tensor.bringTo(reading.storage);
}

function locationOf({ from, to }: CopyAction): TensorLocation {
  return from === 'caller' ? to : from;
}

function directionOf({ from }: CopyAction): 'input' | 'output' {
  return from === 'caller' ? 'input' : 'output';
}
