/** The states of a model: tensors that persist between runs. */

import { bytesOf, type TypedArray } from '../dtypes.js';
import { ModelDisposedError, StateError } from '../errors.js';
import type { Queue } from '../support/tasks.js';
import { shown } from '../support/validate_options.js';
import {
  checkOutputType,
  type ModelIO,
  resolveInput,
  resolveOutput,
  type TensorInput,
} from '../tensors/inputs_outputs.js';
import type { SignatureSource } from './signatures.js';
import { type StateIO, type StateTensors, stateIO, stateTensorsOf } from './state_names.js';
import { StateTensor, type StateTensorInfo } from './state_tensor.js';

/**
 * Values that persist between the runs of one model, such as the cache of a language model. A run that gets the
 * state reads its tensors and leaves new ones in it. They stay where the model computes: in MLTensors on WebNN, in the
 * memory of wasm on the CPU; only `read()` copies them to JavaScript. `model.createState()` creates a state; several
 * states of one model are independent.
 *
 * Where DYNAMIC_UPDATE_SLICE computes a tensor on the CPU, as of a language model's cache, a run changes only the slice
 * in that memory, without a copy.
 *
 * If the browser takes the WebNN context away, values on it are lost, and so are those that a run may have changed in
 * place before it failed: runs throw a StateLostError until `reset()` or `write()` sets the values of every tensor
 * again.
 *
 * @group Models
 */
export interface ModelState {
  /** The persistent tensors. */
  readonly tensors: readonly StateTensorInfo[];
  /**
   * Copies a tensor's values out, after the runs that wait.
   *
   * @param name - One of the names of `tensors`.
   * @param output - The array to fill; without it a new one is created.
   * @throws StateError, StateLostError, OutputError, ModelDisposedError.
   */
  read(name: string, output?: TypedArray): Promise<TypedArray>;
  /**
   * Sets the values of a tensor, after the runs that wait. They are copied immediately.
   *
   * @param name - One of the names of `tensors`.
   * @param values - Values of its type, as many as it has; with a shape, that is checked too.
   * @throws StateError, InputError, ModelDisposedError.
   */
  write(name: string, values: TensorInput): Promise<void>;
  /** Makes all values zero, as they are at first, after the runs that wait. */
  reset(): Promise<void>;
  /** Frees the memory, after the runs that wait. The model's dispose() does it at the latest. */
  dispose(): void | Promise<void>;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A state of a model in this thread. */
export class ResidentState implements ModelState {
  readonly #stateTensors: readonly StateTensor[];
  #isDisposed = false;

  /** @internal */
  constructor(
    private readonly infos: readonly StateTensorInfo[],
    private readonly owner: ModelStates,
  ) {
    this.#stateTensors = infos.map((info) => new StateTensor(info));
  }

  get tensors(): readonly StateTensorInfo[] {
    this.checkUsable();
    return this.infos;
  }

  /** @internal A tensor; its values may be used until another run begins. */
  tensor({ name }: StateTensorInfo): StateTensor {
    return this.#tensor(name);
  }

  async read(name: string, output?: TypedArray): Promise<TypedArray> {
    const tensor = this.#tensor(name);
    if (output !== undefined) checkOutputType(tensor.info, output);
    return this.owner.inTurn(async () => {
      this.checkUsable();
      const bytes = await tensor.read();
      const array = resolveOutput(tensor.info, bytes.byteLength, output);
      bytesOf(array).set(bytes);
      return array;
    });
  }

  async write(name: string, values: TensorInput): Promise<void> {
    const tensor = this.#tensor(name);
    const bytes = bytesOf(resolveStateValues(values, tensor.info)).slice();
    return this.owner.inTurn(async () => {
      this.checkUsable();
      tensor.write(bytes);
    });
  }

  async reset(): Promise<void> {
    this.checkUsable();
    return this.owner.inTurn(async () => {
      this.checkUsable();
      for (const tensor of this.#stateTensors) tensor.write(null);
    });
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.owner.remove(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose();
  }

  /** @internal Frees the memory: nothing may be in flight that uses it. */
  release(): void {
    this.#isDisposed = true;
    for (const tensor of this.#stateTensors) tensor.release();
  }

  /** @internal @throws ModelDisposedError. */
  checkUsable(): void {
    if (this.#isDisposed) throw stateDisposed();
  }

  #tensor(name: string): StateTensor {
    this.checkUsable();
    const info = stateTensorNamed(name, this.tensors);
    return this.#stateTensors[this.tensors.indexOf(info)] as StateTensor;
  }
}

/** @throws InputError */
export function resolveStateValues(values: TensorInput, info: StateTensorInfo): TypedArray {
  return resolveInput(values, { ...info, index: -1, shapeSignature: info.shape, quantization: null });
}

/** @throws StateError where there is none of the name. */
export function stateTensorNamed(name: string, tensors: readonly StateTensorInfo[]): StateTensorInfo {
  const found = tensors.find((tensor) => tensor.name === name);
  if (found !== undefined) return found;
  const names = tensors.map((tensor) => tensor.name).join(', ');
  throw new StateError(`The state has no tensor ${shown(name)}. It has: ${names}.`, { details: { tensor: name } });
}

/** The state is gone. */
export function stateDisposed(): ModelDisposedError {
  return new ModelDisposedError('The state has been disposed. Make another one with model.createState().');
}

/** A state that another model has created. */
export function foreign(): StateError {
  return new StateError('The state is not one of this model. Make it with createState() of the model that runs.');
}

/** A state, and where its tensors are among the inputs and outputs of what runs. */
export interface BoundState {
  readonly state: ResidentState;
  readonly io: StateIO;
}

/** The persistent tensor of an input or output of what runs; null where the caller has it. */
export type ResidentTensors = (direction: 'input' | 'output', port: number) => StateTensor | null;

/** The tensors of a state. */
export function tensorsOf({ state, io }: BoundState): ResidentTensors {
  return (direction, port) => {
    const info = (direction === 'input' ? io.inputs : io.outputs)[port];
    return info === undefined ? null : state.tensor(info);
  };
}

/** The states of one model. */
export class ModelStates {
  readonly #states = new Set<ResidentState>();

  constructor(
    private readonly queue: Queue,
    /** Does something after the runs that wait. */
    readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>,
  ) {}

  /** @throws StateError */
  create(model: SignatureSource, tensors?: StateTensors): ResidentState {
    const state = new ResidentState(stateTensorsOf(model, tensors), this);
    this.#states.add(state);
    return state;
  }

  /**
   * Binds a state to a run's inputs and outputs.
   *
   * @throws StateError where the state is not of this model, or does not fit.
   */
  bind(state: ModelState, io: ModelIO): BoundState {
    if (!(state instanceof ResidentState)) throw foreign();
    state.checkUsable();
    if (!this.#states.has(state)) throw foreign();
    return { state, io: stateIO(state.tensors, io) };
  }

  /** Frees a state, after the runs that wait. */
  remove(state: ResidentState): void {
    this.#states.delete(state);
    void this.queue.add(async () => state.release());
  }

  /** Frees all of them. */
  release(): void {
    for (const state of this.#states) state.release();
    this.#states.clear();
  }
}
