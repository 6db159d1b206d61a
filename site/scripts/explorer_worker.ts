/** The explorer's worker: analyses models, lays out graphs and writes files, so that the page stays responsive. */

import { expose } from 'comlink';
import type { MLOpSupportLimits } from 'tflite-webnn';
import {
  type Explanation,
  explainModel,
  exportGraphsAsJson,
  exportGraphsAsScript,
  planMemory,
} from 'tflite-webnn/explain';
import type { ExploredModel } from './explorer/explored_model.js';
import type { Graph } from './explorer/graph.js';
import { layOut } from './explorer/layout.js';
import type { Picture } from './explorer/picture.js';

let explored: { readonly name: string; readonly explanation: Explanation } | null = null;

/** Calls of the page to the worker. */
const calls = {
  /**
   * Analyses a model.
   *
   * @param limits - Of the WebNN implementation to explain for: the delegate's choices depend on them.
   * @throws What loadTFLiteModel() throws.
   */
  async explore(name: string, bytes: Uint8Array, limits: MLOpSupportLimits): Promise<ExploredModel> {
    explored = null;
    const explanation = await explainModel(bytes, limits);
    const memory = await planMemory(bytes, { limits });
    explored = { name, explanation };
    return { name, sizeBytes: bytes.byteLength, report: explanation.report, memory };
  },

  /** Lays out boxes and lines. */
  layOut(graph: Graph): Picture {
    return layOut(graph);
  },

  /** The WebNN graphs of the last model, as JSON. */
  graphsAsJson(): string {
    return exportGraphsAsJson(current().explanation);
  },

  /** The WebNN graphs of the last model, as an ES module. */
  graphsAsScript(): string {
    const { name, explanation } = current();
    return exportGraphsAsScript(explanation, name);
  },
};

/** Calls of the page to the worker. */
export type ExplorerCalls = typeof calls;

function current() {
  if (explored === null) throw new Error('No model is loaded yet.');
  return explored;
}

expose(calls);
