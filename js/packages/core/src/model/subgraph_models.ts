/** The subgraphs, other than the main one, that signatures run: each its own model, if WebNN takes it. */

import type { SubgraphInfo } from '../description.js';
import type { RecoveringModel } from './recovering_model.js';
import { ShapedModels } from './shaped_models.js';

/**
 * Models of subgraphs, each prepared when a signature first runs it. One that shares variables with the others, or that
 * WebNN takes nothing of, runs in the main model's wasm instance.
 */
export class SubgraphModels {
  /** Null for a subgraph that runs in the main model's instance. */
  readonly #models = new Map<number, ShapedModels | null>();

  /** The model of a subgraph; null where it runs in the main model's wasm instance. */
  async modelOf(main: RecoveringModel, subgraph: number): Promise<ShapedModels | null> {
    const known = this.#models.get(subgraph);
    if (known !== undefined) return known;
    const model = mayBeApart(main) ? await apart(main, subgraph) : null;
    this.#models.set(subgraph, model);
    return model;
  }

  /** The models as they are now, by subgraph: undefined before the first run, null in the main model's instance. */
  current(subgraph: number): RecoveringModel | null | undefined {
    const model = this.#models.get(subgraph);
    return model ? model.current : model;
  }

  /** A subgraph in the shapes that it has now. */
  shaped(subgraph: SubgraphInfo): SubgraphInfo {
    const description = this.current(subgraph.index)?.prepared.description;
    return description ? { ...subgraph, inputs: description.inputs, outputs: description.outputs } : subgraph;
  }

  /** Forgets what the models remember from run to run. */
  resetState(): void {
    for (const model of this.#models.values()) model?.current.prepared.resetState();
  }

  /** Frees all of them. */
  release(): void {
    for (const model of this.#models.values()) model?.release();
    this.#models.clear();
  }
}

/** In blocking mode, and without WebNN, one wasm instance has it all. */
function mayBeApart({ prepared, mayUseWebnn }: RecoveringModel): boolean {
  return mayUseWebnn && !prepared.description.sharesState;
}

async function apart(main: RecoveringModel, subgraph: number): Promise<ShapedModels | null> {
  const model = await main.ofSubgraph(subgraph);
  if (model.prepared.schedule.mode !== 'cpu' || main.prepared.runner === null) return new ShapedModels(model);
  model.release();
  return null;
}
