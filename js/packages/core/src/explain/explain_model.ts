/** The delegate's decisions on a model, from the limits of a context that need not be there. */

import type { WebnnGraph } from '../description.js';
import { MalformedModelError, UnsupportedOpError } from '../errors.js';
import { fetchModel, type ModelSource } from '../load/model_source.js';
import { ofSubgraph, onWebnn, runnerOptions, withOwnVariables } from '../model/runner_options.js';
import { makeSchedule, whyNothing } from '../model/schedule.js';
import { LIST, OBJECT } from '../option_schema.js';
import { checkOptions, MODEL_OPTIONS_SCHEMA, resolveDevice, type TFLiteModelOptions } from '../options.js';
import { type ModelReport, makeReport, type SubgraphPart } from '../report/report.js';
import { checkArguments } from '../support/validate_options.js';
import { withCustomOps } from '../wasm/load_custom_ops.js';
import { loadWasmModule } from '../wasm/wasm_module.js';
import { type RunnerOptions, WasmRunner } from '../wasm/wasm_runner.js';
import type { ExcludedNode } from '../webnn/excluded_nodes.js';
import type { HeapReader } from '../webnn/graph_nodes.js';
import type { MLOpSupportLimits } from '../webnn_types.js';

/** Each is prepared in an instance of its own. */
const MAX_SUBGRAPHS = 100;

/**
 * Options of {@link explainModel}: those of loading, and what a browser has rejected.
 *
 * @group explain.mjs
 */
export interface ExplanationOptions extends TFLiteModelOptions {
  /** Nodes that a browser has rejected: `report.webnn.excludedNodes` of a model that it has loaded. */
  readonly excludedNodes?: readonly ExcludedNode[];
}

/**
 * A subgraph of a signature that cannot run.
 *
 * @group explain.mjs
 */
export interface UnsupportedSubgraph {
  /** Its index in the file. */
  readonly index: number;
  /** Why it cannot run. */
  readonly reason: string;
}

/**
 * What the delegate makes of a model.
 *
 * @group explain.mjs
 */
export interface Explanation {
  /** As of a loaded model, but without times and devices: nothing was built. */
  readonly report: ModelReport;
  /** Subgraphs of signatures, not the main one, whose ops the runtime lacks: the report leaves out their nodes. */
  readonly unsupported: readonly UnsupportedSubgraph[];
  /** The graphs that WebNN would have to build, in the order of the partitions. */
  readonly graphs: readonly WebnnGraph[];
  /** The bytes of the graphs' constants. */
  readonly heap: HeapReader;
}

/**
 * Explains a model.
 *
 * @param source - The model file, as loadTFLiteModel accepts it.
 * @param limits - What `opSupportLimits()` of the context in question returns.
 * @param options - As of loadTFLiteModel; those about a browser change nothing.
 * @throws What loadTFLiteModel throws.
 *
 * @group explain.mjs
 */
export async function explainModel(
  source: ModelSource,
  limits: MLOpSupportLimits,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  checkArguments('explainModel', { limits }, { limits: OBJECT });
  checkOptions(options, { ...MODEL_OPTIONS_SCHEMA, excludedNodes: LIST });
  const { excludedNodes = [] } = options;
  const [model, wasm] = await Promise.all([
    fetchModel(source),
    withCustomOps(loadWasmModule({ ...options, numThreads: 1 }), options.customOps),
  ]);
  const own = withOwnVariables(runnerOptions(resolveDevice(options)));
  const webnn = { limits, backend: null };
  const requested = onWebnn(own, webnn, excludedNodes);
  const load = async (its: RunnerOptions) => new WasmRunner(await wasm.instantiate(), model, its);
  const runner = await load(requested);
  const { description } = runner;
  const schedule = makeSchedule(description);
  const subgraphs = new Map<number, SubgraphPart | undefined>();
  const unsupported: UnsupportedSubgraph[] = [];
  if (description.subgraphs.length > MAX_SUBGRAPHS) {
    throw new MalformedModelError(
      `The model's signatures run ${description.subgraphs.length} other subgraphs; explainModel() accepts at most ${MAX_SUBGRAPHS}.`,
    );
  }
  for (const { index } of description.sharesState ? [] : description.subgraphs) {
    subgraphs.set(index, undefined);
    try {
      const part = (await load(ofSubgraph(onWebnn(own, webnn, []), index))).description;
      subgraphs.set(index, { description: part, schedule: makeSchedule(part), prepared: null, excludedNodes: [] });
    } catch (error) {
      // The model loads: only a run of this signature fails.
      if (!(error instanceof UnsupportedOpError)) throw error;
      unsupported.push({ index, reason: error.message });
    }
  }
  const report = makeReport({
    description,
    schedule,
    prepared: null,
    options: { ...options, enableWebnnDelegate: true },
    wasm,
    webnn: {
      reason: schedule.mode === 'cpu' ? whyNothing(description) : null,
      backend: null,
      opSupportLimits: limits,
      excludedNodes,
      contextLosses: 0,
      lastContextLoss: null,
    },
    xnnpack: description.xnnpack,
    timingsMs: null,
    subgraphPart: (index) => (subgraphs.has(index) ? subgraphs.get(index) : null),
  });
  const heap: HeapReader = (address, byteLength) => runner.constant(address, byteLength);
  return { report, unsupported, graphs: description.graphs, heap };
}
