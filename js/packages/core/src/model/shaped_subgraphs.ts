/** Shapes of the subgraphs, other than the main one, that signatures run. They stay in wasm, whatever becomes of WebNN. */

import type { SubgraphInfo, TensorInfo } from '../description.js';
import { InputError, messageOf, WasmTrapError } from '../errors.js';
import type { WasmRunner } from '../wasm/wasm_runner.js';

/** Shapes of all inputs, in the model's order. */
export type InputShapes = readonly (readonly number[])[];

/** The subgraphs of one model that were resized. */
export class ShapedSubgraphs {
  readonly #resized = new Map<number, SubgraphInfo>();
  /** What was applied to which runner: a model gets a new one when it is prepared again. */
  readonly #applied = new WeakMap<WasmRunner, Map<number, SubgraphInfo>>();

  /** The given subgraphs in the shapes that they have now. */
  current(subgraphs: readonly SubgraphInfo[]): readonly SubgraphInfo[] {
    return this.#resized.size === 0
      ? subgraphs
      : subgraphs.map((subgraph) => this.#resized.get(subgraph.index) ?? subgraph);
  }

  /**
   * Gives a subgraph's inputs other shapes. Where this fails, it keeps the shapes that it has.
   *
   * @throws InputError where the subgraph cannot run with them.
   */
  resize(runner: WasmRunner, subgraph: SubgraphInfo, shapes: InputShapes): void {
    try {
      applyShapes(runner, subgraph, shapes);
    } catch (error) {
      if (error instanceof WasmTrapError) throw error;
      applyShapes(runner, subgraph, shapesOf(subgraph));
      const list = shapes.map((shape) => `[${shape.join(', ')}]`).join(', ');
      throw new InputError(
        'INPUT_SHAPE',
        `The signature cannot run with inputs of the shapes ${list}: ${messageOf(error)}`,
        {
          cause: error,
          details: { shapes },
        },
      );
    }
    this.#remember(runner, shapedNow(runner, subgraph));
  }

  /** Makes sure that the runner has the shapes of a subgraph that is about to run. */
  prepare(runner: WasmRunner, subgraph: SubgraphInfo): void {
    const resized = this.#resized.get(subgraph.index);
    if (resized === undefined || this.#applied.get(runner)?.get(subgraph.index) === resized) return;
    applyShapes(runner, subgraph, shapesOf(resized));
    this.#remember(runner, resized);
  }

  #remember(runner: WasmRunner, subgraph: SubgraphInfo): void {
    this.#resized.set(subgraph.index, subgraph);
    const applied = this.#applied.get(runner) ?? new Map<number, SubgraphInfo>();
    this.#applied.set(runner, applied.set(subgraph.index, subgraph));
  }
}

function applyShapes(runner: WasmRunner, { index: subgraph, inputs }: SubgraphInfo, shapes: InputShapes): void {
  inputs.forEach(({ index }, position) => {
    runner.resizeInput(index, shapes[position] ?? [], false, subgraph);
  });
  runner.allocateSubgraph(subgraph);
}

function shapedNow(runner: WasmRunner, { index, inputs, outputs }: SubgraphInfo): SubgraphInfo {
  const rows = JSON.parse(runner.describeTensors(index)) as readonly TensorInfo[];
  const now = (info: TensorInfo): TensorInfo => {
    const { shape, sizeBytes } = rows.find((row) => row.index === info.index) ?? info;
    return { ...info, shape, sizeBytes };
  };
  return { index, inputs: inputs.map(now), outputs: outputs.map(now) };
}

/** The shapes of a subgraph's inputs. */
export function shapesOf({ inputs }: Pick<SubgraphInfo, 'inputs'>): InputShapes {
  return inputs.map(({ shape }) => shape);
}
