/** The states of one model. */

import type { SignatureSource } from '../model/find_signature.js';
import { foreign, type ModelState, ResidentState } from '../model/model_state.js';
import { type StateTensors, stateTensorsOf } from '../model/state_names.js';
import { type NamedPorts, OpenPorts, statePorts } from '../model/state_ports.js';
import type { BoundState } from '../model/state_run.js';
import type { RunQueue } from './run_queue.js';

/** What a run with a state leaves to its caller, and what it does not. */
export interface StatefulCall {
  readonly open: OpenPorts;
  readonly bound: BoundState | null;
}

/** Makes states, and knows its own. */
export class ModelStates {
  readonly #states = new Set<ResidentState>();

  constructor(
    private readonly queue: RunQueue,
    private readonly checkUsable: () => void,
  ) {}

  /** @throws StateError */
  create(model: SignatureSource, tensors?: StateTensors): ResidentState {
    const state = new ResidentState(stateTensorsOf(model, tensors), {
      inTurn: async (task) => {
        this.checkUsable();
        return this.queue.add(async () => {
          this.checkUsable();
          return task();
        });
      },
      disposed: () => {
        this.#states.delete(state);
        void this.queue.add(async () => state.release());
      },
    });
    this.#states.add(state);
    return state;
  }

  /**
   * A run's inputs and outputs.
   *
   * @throws StateError where the state is not of this model, or does not fit.
   */
  call(ports: NamedPorts, given: ModelState | undefined): StatefulCall {
    if (given === undefined) return { open: new OpenPorts(ports, null), bound: null };
    if (!(given instanceof ResidentState)) throw foreign();
    given.checkUsable();
    if (!this.#states.has(given)) throw foreign();
    const stays = statePorts(given.tensors, ports);
    return { open: new OpenPorts(ports, stays), bound: { state: given, ports: stays } };
  }

  /** Frees all of them. */
  release(): void {
    for (const state of this.#states) state.release();
    this.#states.clear();
  }
}
