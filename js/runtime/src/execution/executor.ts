/** Runs a model by walking its schedule. */

import type { TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { bytesOf } from '../dtypes.js';
import { takeOutput } from '../outputs.js';
import type { WasmRunner } from '../wasm_runner.js';
import type { Action, CopyAction, Schedule } from './schedule.js';
import type { WebnnSession } from './webnn_session.js';

/** The arrays of one run. `outputs` has gaps where the caller gave no array; the run fills them. */
interface RunArrays {
  readonly inputs: readonly TypedArray[];
  readonly outputs: (TypedArray | undefined)[];
}

/** Runs one model. Calls of `run` must not overlap. */
export class Executor {
  readonly #schedule: Schedule;
  readonly #outputs: readonly TensorInfo[];
  #runner: WasmRunner | null;
  #session: WebnnSession | null;

  /**
   * @param runner - The model in wasm; null where the schedule does not use the heap.
   * @param session - The model on WebNN; null where the schedule dispatches nothing.
   */
  constructor(
    schedule: Schedule,
    outputs: readonly TensorInfo[],
    runner: WasmRunner | null,
    session: WebnnSession | null,
  ) {
    this.#schedule = schedule;
    this.#outputs = outputs;
    this.#runner = runner;
    this.#session = session;
  }

  /**
   * @param inputs - One array of the right type and size for each input of the model.
   * @param outputs - Arrays to write into, where given.
   * @returns The outputs, in the model's order.
   */
  async run(inputs: readonly TypedArray[], outputs: readonly (TypedArray | undefined)[]): Promise<TypedArray[]> {
    const arrays: RunArrays = { inputs, outputs: this.#outputs.map((_, port) => outputs[port]) };
    let reads: Promise<void>[] = [];
    for (const action of this.#schedule.actions) {
      // Only wasm needs what is being read; WebNN keeps its own order.
      if (action.kind === 'invoke-steps' && reads.length > 0) {
        await Promise.all(reads);
        reads = [];
      }
      const read = this.#perform(action, arrays);
      if (read !== undefined) reads.push(read);
    }
    if (reads.length > 0) await Promise.all(reads);
    return arrays.outputs as TypedArray[];
  }

  /** Frees graphs and tensors, and lets go of the wasm instance even where the user keeps the model. */
  destroy(): void {
    this.#session?.destroy();
    this.#session = null;
    this.#runner = null;
  }

  /** @returns a promise where the action is not done at once: a read from WebNN. */
  #perform(action: Action, arrays: RunArrays): Promise<void> | undefined {
    if (action.kind === 'copy') return this.#copy(action, arrays);
    if (action.kind === 'dispatch') this.#webnn.dispatch(action.graph);
    else if (action.kind === 'invoke') this.#wasm.invoke();
    else this.#wasm.invokeSteps(action.first, action.count);
    return undefined;
  }

  #copy(copy: CopyAction, arrays: RunArrays): Promise<void> | undefined {
    const { tensor, from, to } = copy;
    const port = copy.port ?? -1;
    if (to === 'caller') return this.#copyOut(copy, port, arrays);
    if (from === 'webnn') return this.#webnn.read(tensor, this.#wasm.tensorBytes(tensor));
    const source = from === 'caller' ? (arrays.inputs[port] as TypedArray) : this.#wasm.tensorBytes(tensor);
    if (to === 'webnn') this.#webnn.write(tensor, source);
    else this.#wasm.tensorBytes(tensor).set(bytesOf(source));
    return undefined;
  }

  #copyOut({ tensor, from }: CopyAction, port: number, arrays: RunArrays): Promise<void> | undefined {
    const info = this.#outputs[port] as TensorInfo;
    if (from === 'webnn') {
      const output = takeOutput(info, info.sizeBytes, arrays.outputs[port]);
      arrays.outputs[port] = output;
      return this.#webnn.read(tensor, output);
    }
    const source = this.#wasm.tensorBytes(tensor); // its size is only now known where the model has dynamic shapes
    const output = takeOutput(info, source.byteLength, arrays.outputs[port]);
    bytesOf(output).set(source);
    arrays.outputs[port] = output;
    return undefined;
  }

  get #wasm(): WasmRunner {
    return this.#runner as WasmRunner;
  }

  get #webnn(): WebnnSession {
    return this.#session as WebnnSession;
  }
}
