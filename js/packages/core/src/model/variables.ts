/** The variables of a model, which it keeps between runs like the tensors of a state. */

import type { ModelDescription, VariableInfo } from '../description.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';
import { StateTensor } from './state_tensor.js';

const REMEDY = 'Call resetState() on the model, and run again what filled its variables.';

interface Variable {
  readonly tensor: StateTensor;
  /** Null for zeros. */
  readonly initial: Uint8Array | null;
}

/**
 * Each variable is an input and an output of the model behind those that the caller has. Its values stay where runs leave
 * them: in MLTensors where WebNN reads and writes it, else in the memory of wasm. They outlive the preparation of the
 * model, but not the loss of a context that has them.
 */
export class ModelVariables {
  readonly #variables: readonly Variable[];

  /** @returns null for a model without variables. */
  static of(runner: WasmRunner): ModelVariables | null {
    const { variables } = runner.description;
    return variables.length === 0 ? null : new ModelVariables(variables, runner);
  }

  private constructor(variables: readonly VariableInfo[], runner: WasmRunner) {
    this.#variables = variables.map(({ name, input: { dtype, shape, sizeBytes }, address }) => {
      const initial = address === 0 ? null : runner.heapBytes(address, sizeBytes).slice();
      return { tensor: new StateTensor({ name, output: name, dtype, shape, sizeBytes }, REMEDY), initial };
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
