/** A state of a model in a worker. */

import { bytesOf, type TypedArray } from '../dtypes.js';
import { type ModelState, resolveStateValues, stateDisposed, stateTensorNamed } from '../model/state.js';
import type { StateTensorInfo } from '../model/state_tensor.js';
import { checkOutputType, resolveOutput, type TensorInput } from '../tensors/inputs_outputs.js';
import type { StateInfo } from './model_server.js';
import type { WorkerConnection } from './worker_connection.js';

/** The page's handle of a state: its values remain in the worker. */
export class WorkerState implements ModelState {
  readonly #connection: WorkerConnection;
  readonly #info: StateInfo;
  #isDisposed = false;

  /** @internal */
  constructor(
    connection: WorkerConnection,
    /** @internal The model that it is a state of. */
    readonly model: object,
    info: StateInfo,
  ) {
    this.#connection = connection;
    this.#info = info;
  }

  get tensors(): readonly StateTensorInfo[] {
    this.checkUsable();
    return this.#info.tensors;
  }

  /** @internal Its number in the worker. */
  get id(): number {
    return this.#info.id;
  }

  async read(name: string, output?: TypedArray): Promise<TypedArray> {
    const info = this.#tensor(name);
    if (output !== undefined) checkOutputType(info, output);
    const values = await this.#connection.server.readState(this.id, name);
    if (output === undefined) return values;
    bytesOf(resolveOutput(info, values.byteLength, output)).set(bytesOf(values));
    return output;
  }

  async write(name: string, values: TensorInput): Promise<void> {
    const data = resolveStateValues(values, this.#tensor(name));
    await this.#connection.server.writeState(this.id, name, data.slice());
  }

  async reset(): Promise<void> {
    this.checkUsable();
    await this.#connection.server.resetStateTensors(this.id);
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#connection.free((server) => server.disposeState(this.id));
  }

  [Symbol.dispose](): void {
    this.dispose().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** @internal @throws ModelDisposedError. */
  checkUsable(): void {
    if (this.#isDisposed) throw stateDisposed();
  }

  #tensor(name: string): StateTensorInfo {
    this.checkUsable();
    return stateTensorNamed(name, this.tensors);
  }
}
