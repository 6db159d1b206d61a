/** The subgraphs, other than the main one, that signatures run: each its own model, if WebNN takes it. */

import type { SubgraphInfo } from '../description.js';
import type { RecoveringModel } from './recovering_model.js';
import { ShapedModels } from './shaped_models.js';

/**
 * Models of subgraphs, each prepared when a signature first runs it. One that shares variables with the others, or that
 * WebNN takes nothing of, as in blocking mode, runs in the main model's wasm instance, unless it must run alone.
 */
export class SubgraphModels {
  /** Null for a subgraph that runs in the main model's instance. */
  readonly #models = new Map<number, ShapedModels | null>();

  /** The model of a subgraph; null where it runs in the main model's wasm instance. */
  async modelOf(main: RecoveringModel, subgraph: number): Promise<ShapedModels | null> {
    const known = this.#models.get(subgraph);
    if (known !== undefined) return known;
    const { sharesState, subgraphs } = main.prepared.description;
    const runsAlone = subgraphs.some(({ index, runsAlone }) => index === subgraph && runsAlone);
    const mayBeApart = (runsAlone || main.mayUseWebnn) && !sharesState;
    const model = mayBeApart ? await apart(main, subgraph, runsAlone) : null;
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

async function apart(main: RecoveringModel, subgraph: number, runsAlone: boolean): Promise<ShapedModels | null> {
  const model = await main.ofSubgraph(subgraph, runsAlone);
  const isOnCpu = model.prepared.schedule.mode === 'cpu';
  if (runsAlone || !isOnCpu || main.prepared.runner === null) return new ShapedModels(model);
  model.release();
  return null;
}
