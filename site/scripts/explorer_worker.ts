/** The explorer's worker: analyses models, lays out graphs and writes files, so that the page remains responsive. */

import './common/watch_module.js';
import { transfer } from 'comlink';
import { type MLOpSupportLimits, preloadTFLite } from 'tflite-webnn';
import {
  describeFile,
  type Explanation,
  explainModel,
  exportGraphsAsJson,
  exportGraphsAsScript,
  planMemory,
} from 'tflite-webnn/explain';
import { openTaskBundle } from 'tflite-webnn/metadata';
import { exposeCalls } from './common/expose_calls.js';
import { isBundle, modelsOf } from './explorer/bundle.js';
import type { Diagram } from './explorer/diagram.js';
import type { ExploredModel } from './explorer/explored_model.js';
import type { FileContent } from './explorer/file_view.js';
import type { Graph } from './explorer/graph.js';
import { layOut } from './explorer/layout.js';

/** Models of the last bundle, by path. */
let bundled = new Map<string, Uint8Array>();
let explored: { readonly name: string; readonly explanation: Explanation } | null = null;

/** Calls of the page to the worker. */
const calls = {
  /** Fetches the wasm module, while the page fetches a model. What explores one reports a failure. */
  async preload(): Promise<void> {
    await preloadTFLite().catch(() => {});
  },

  /**
   * Opens a bundle.
   *
   * @returns the paths of its models; null for a file that is no bundle.
   */
  async open(bytes: Uint8Array): Promise<string[] | null> {
    bundled = isBundle(bytes) ? await modelsOf(await openTaskBundle(bytes), bytes.length) : new Map();
    return isBundle(bytes) ? [...bundled.keys()] : null;
  },

  /** A model of the last bundle. */
  part(path: string): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(bundled.get(path) ?? []);
    return transfer(bytes, [bytes.buffer]);
  },

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
    const file = await fileContentOf(bytes);
    return { name, sizeBytes: bytes.byteLength, report: explanation.report, memory, file };
  },

  /** Lays out boxes and lines. */
  layOut(graph: Graph): Diagram {
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

/** Wrong metadata does not prevent the analysis. */
async function fileContentOf(bytes: Uint8Array): Promise<FileContent> {
  try {
    return await describeFile(bytes);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function current() {
  if (explored === null) throw new Error('No model is loaded yet.');
  return explored;
}

exposeCalls(calls);
