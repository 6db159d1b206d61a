/** The report on a model: where its nodes run, and why. report.schema.json describes it as JSON. */

import type { ModelDescription, NodeInfo, PartitionInfo, QuantizedForm, XnnpackReport } from '../description.js';
import type { PreparedModel } from '../model/prepared_model.js';
import type { RecoveringModel } from '../model/recovering_model.js';
import type { ExecutionMode, Schedule } from '../model/schedule.js';
import type { SubgraphModels } from '../model/shapes.js';
import type { DevicePreference, PowerPreference, TFLiteModelOptions, WasmVariant } from '../options.js';
import type { WasmModule } from '../wasm/wasm_module.js';
import type { ExcludedNode } from '../webnn/excluded_nodes.js';
import type { DispatchTimes } from '../webnn/graph_executor.js';
import { preferencesOf } from '../webnn/webnn_context.js';
import type { MLOpSupportLimits } from '../webnn_types.js';

/** WebNN's part in running the model. */
export interface WebnnReport {
  /** Whether the model may run on WebNN: with every `device` but `cpu`. */
  readonly requested: boolean;
  /** In an explanation from saved limits: whether it would be used. */
  readonly used: boolean;
  /** Why WebNN is not used though it was requested, as text; else null. */
  readonly reason: string | null;
  /** The device that was requested. */
  readonly devicePreference: DevicePreference;
  /** What was requested. */
  readonly powerPreference: PowerPreference;
  /** The polyfill's engine behind the context; null for a browser's own. */
  readonly backend: string | null;
  /** What the context's `opSupportLimits()` returned; null where there was no context. */
  readonly opSupportLimits: MLOpSupportLimits | null;
  /** Nodes that were taken back from WebNN because the browser did not build them. */
  readonly excludedNodes: readonly ExcludedNode[];
  /** Ids of the browser's bugs that were worked around for this model; docs/reference/browser-bugs.md lists them. */
  readonly workarounds: readonly string[];
  /** How often the browser took the context away. The model was rebuilt each time. */
  readonly contextLosses: number;
  /** The browser's message about the last time; null where there was none. */
  readonly lastContextLoss: string | null;
}

/** What is only known where a model was prepared. */
export type WebnnInfo = Omit<
  WebnnReport,
  'requested' | 'used' | 'devicePreference' | 'powerPreference' | 'workarounds'
>;

/** One partition: where it runs, what crosses its boundary, and what it costs. */
export interface PartitionReport extends PartitionInfo {
  /** Bytes of its inputs. */
  readonly bytesIn: number;
  /** Bytes of its outputs. */
  readonly bytesOut: number;
  /** Time of building its graph, in milliseconds; null on the CPU. */
  readonly buildMs: number | null;
  /**
   * Time from the dispatch until the results were read, in milliseconds: of runs. Null on the CPU, before the first
   * run, and for a partition whose results only other partitions on WebNN read: its time is part of what they take.
   */
  readonly dispatchMs: DispatchTimes | null;
  /**
   * How often dispatch() and stream() have dispatched its graph. They have no times: several are in flight at the same
   * time, and WebNN does not report when one of them begins or ends.
   */
  readonly queuedDispatches: number;
  /** The devices that its graph runs on; null where the browser does not report them. */
  readonly devices: readonly string[] | null;
}

/** Sums over the model. */
export interface ReportTotals {
  /** All nodes of the main subgraph. */
  readonly nodes: number;
  /** Nodes that run on WebNN. */
  readonly delegatedNodes: number;
  /** Partitions that run on WebNN. */
  readonly webnnPartitions: number;
  /** Number of quantized nodes by form. */
  readonly quantizedNodes: Readonly<Record<QuantizedForm, number>>;
  /** Bytes that a run copies into and out of WebNN. What one graph hands to the next stays there and costs
   * nothing, but in blocking mode. */
  readonly bytesCrossing: number;
  /** Building all graphs, in milliseconds. */
  readonly buildMs: number;
  /** Mean times of a run's dispatches together, in milliseconds; null before the first run. */
  readonly dispatchMs: number | null;
}

/** Time that loading took, in milliseconds. */
export interface LoadTimings {
  /** Fetching and compiling the wasm module; about 0 where it was there already. */
  readonly compile: number;
  /** TFLite's preparation of the model, with the delegates'. */
  readonly init: number;
  /** Building the WebNN graphs. */
  readonly build: number;
}

/** Threads on the CPU. */
export interface ThreadsReport {
  /** The option `numThreads`; null where it was not provided. */
  readonly requested: number | null;
  /** Threads that compute what is on the CPU: one, if a run is too short for more to make it faster. */
  readonly used: number;
  /** Why there is one though more could have been; null otherwise. */
  readonly reason: string | null;
}

/** A subgraph, not the main one, that signatures run. */
export interface SubgraphReport {
  /** Its index in the file. */
  readonly index: number;
  /** The signatures that run it. */
  readonly signatures: readonly string[];
  /** How it runs; null before its first run, which prepares it. */
  readonly executionMode: ExecutionMode | null;
  /**
   * Its nodes, in the order of the file; empty before its first run, and where it runs in the main one's wasm instance.
   */
  readonly nodes: readonly NodeInfo[];
  /** The ordered subsets of its nodes. */
  readonly partitions: readonly PartitionReport[];
  /** Sums over it; null where `nodes` is empty. */
  readonly totals: ReportTotals | null;
  /** Its nodes that the browser rejected, or on which its GPU process crashed. */
  readonly excludedNodes: readonly ExcludedNode[];
}

/** Report on a model. */
export interface ModelReport {
  /** How the model runs. */
  readonly executionMode: ExecutionMode;
  /** Build of the wasm module. */
  readonly variant: WasmVariant;
  /** Threads that were requested, and that are used. */
  readonly threads: ThreadsReport;
  /** The nodes of the main subgraph, in the order of the file. */
  readonly nodes: readonly NodeInfo[];
  /** The ordered subsets of nodes as the delegate partitioned the model. */
  readonly partitions: readonly PartitionReport[];
  /** Sums over the main subgraph. */
  readonly totals: ReportTotals;
  /** The other subgraphs that signatures run. */
  readonly subgraphs: readonly SubgraphReport[];
  /** WebNN's part in running the model. */
  readonly webnn: WebnnReport;
  /** The part of XNNPACK, which runs what stays on the CPU. */
  readonly xnnpack: XnnpackReport;
  /** Null in an explanation from saved limits, for which nothing was built. */
  readonly timingsMs: LoadTimings | null;
}

const TOO_SHORT = 'runs are too short for more to make them faster';

/** What is known of graphs that were built. */
type BuiltGraphs = Pick<PreparedModel, 'graphs' | 'dispatchTimes'>;

/** The inputs of a report. */
export interface ReportParts {
  readonly description: ModelDescription;
  readonly schedule: Schedule;
  /** Null in an explanation from saved limits. */
  readonly prepared: BuiltGraphs | null;
  readonly options: TFLiteModelOptions;
  readonly wasm: Pick<WasmModule, 'variant' | 'threads' | 'threadsReason'>;
  readonly webnn: WebnnInfo;
  readonly xnnpack: XnnpackReport;
  readonly timingsMs: LoadTimings | null;
  /** Describes a subgraph: undefined before its first run, null where it runs in the wasm instance of the main one. */
  readonly subgraphPart?: (index: number) => SubgraphPart | null | undefined;
}

/** The inputs of the report on a subgraph. */
export interface SubgraphPart extends Pick<ReportParts, 'description' | 'schedule' | 'prepared'> {
  readonly excludedNodes: readonly ExcludedNode[];
}

/** Puts the report together, as things are now. */
export function makeReport(parts: ReportParts): ModelReport {
  const { description, schedule, prepared, options, wasm, webnn, xnnpack, timingsMs } = parts;
  const partitions = description.partitions.map((partition) => reportPartition(partition, prepared));
  return {
    executionMode: schedule.mode,
    variant: wasm.variant,
    threads: threadsOf(description, options, wasm),
    nodes: description.nodes,
    partitions,
    totals: totalsOf(description, partitions, schedule),
    subgraphs: description.subgraphs.map(({ index }) => ({
      index,
      signatures: description.signatures.filter(({ subgraph }) => subgraph === index).map(({ key }) => key),
      ...reportSubgraph(parts.subgraphPart ? parts.subgraphPart(index) : null),
    })),
    webnn: {
      requested: options.enableWebnnDelegate ?? false,
      used: schedule.mode !== 'cpu',
      ...preferencesOf(options.webnnDelegateOptions),
      ...webnn,
      workarounds: workaroundsIn(parts),
    },
    xnnpack,
    timingsMs,
  };
}

function threadsOf(
  { threads }: ModelDescription,
  { numThreads: requested }: TFLiteModelOptions,
  { threads: available, threadsReason }: ReportParts['wasm'],
): ThreadsReport {
  const used = threadsReason === null ? threads : 1;
  return { requested: requested ?? null, used, reason: threadsReason ?? (used < available ? TOO_SHORT : null) };
}

/** Of the main subgraph, and of the others that have been prepared. */
function workaroundsIn({ description, subgraphPart }: ReportParts): readonly string[] {
  const others = description.subgraphs.flatMap(({ index }) => subgraphPart?.(index)?.description ?? []);
  return [...new Set([description, ...others].flatMap(({ delegate }) => delegate.workarounds))];
}

const ALL_IN_WASM: Pick<SubgraphModels, 'current'> = { current: () => null };

/** The report on a loaded model. */
export function reportOn(
  { prepared, losses }: Pick<RecoveringModel, 'prepared' | 'losses'>,
  options: TFLiteModelOptions,
  wasm: ReportParts['wasm'],
  compile: number,
  subgraphs: Pick<SubgraphModels, 'current'> = ALL_IN_WASM,
): ModelReport {
  const { description, schedule, webnn, webnnReason, excludedNodes, initMs, buildMs } = prepared;
  const hosted = webnn?.Builder === null ? webnn.context.losses : null;
  const webnnInfo: WebnnInfo = {
    reason: webnnReason,
    backend: webnn?.backend ?? null,
    opSupportLimits: webnn?.limits ?? null,
    excludedNodes,
    contextLosses: losses.count + (hosted?.count ?? 0),
    lastContextLoss: hosted?.last ?? losses.last,
  };
  const timingsMs = { compile, init: initMs, build: buildMs };
  const subgraphPart = (index: number) => {
    const model = subgraphs.current(index);
    return model ? partOf(model.prepared) : model;
  };
  const others = description.subgraphs.map(
    ({ index }) => subgraphs.current(index)?.prepared.xnnpack.excludedNodes ?? [],
  );
  const xnnpack = { ...prepared.xnnpack, excludedNodes: [prepared.xnnpack.excludedNodes, ...others].flat() };
  const parts = { description, schedule, prepared, options, wasm, webnn: webnnInfo, xnnpack, timingsMs, subgraphPart };
  return makeReport(parts);
}

function partOf(prepared: PreparedModel): SubgraphPart {
  const { description, schedule, excludedNodes } = prepared;
  return { description, schedule, prepared, excludedNodes };
}

function reportSubgraph(part: SubgraphPart | null | undefined): Omit<SubgraphReport, 'index' | 'signatures'> {
  const executionMode = part === null ? 'cpu' : null;
  if (!part) return { executionMode, nodes: [], partitions: [], totals: null, excludedNodes: [] };
  const { description, schedule, prepared, excludedNodes } = part;
  const partitions = description.partitions.map((partition) => reportPartition(partition, prepared));
  const { nodes } = description;
  const totals = totalsOf(description, partitions, schedule);
  return { executionMode: schedule.mode, nodes, partitions, totals, excludedNodes };
}

function reportPartition(partition: PartitionInfo, prepared: BuiltGraphs | null): PartitionReport {
  const { graph, inputs, outputs } = partition;
  const built = graph === null ? undefined : prepared?.graphs[graph];
  return {
    ...partition,
    bytesIn: sum(inputs.map(({ sizeBytes }) => sizeBytes)),
    bytesOut: sum(outputs.map(({ sizeBytes }) => sizeBytes)),
    buildMs: built?.buildMs ?? null,
    dispatchMs: graph === null ? null : (prepared?.dispatchTimes(graph) ?? null),
    queuedDispatches: built?.queuedDispatches ?? 0,
    devices: built?.devices ?? null,
  };
}

function totalsOf(
  { nodes, variables }: ModelDescription,
  partitions: readonly PartitionReport[],
  { actions, mode }: Schedule,
): ReportTotals {
  const sizes = new Map(
    partitions
      .flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
      .map(({ index, sizeBytes }) => [index, sizeBytes]),
  );
  const persistent = new Set(variables.flatMap(({ input, output }) => [input.index, output.index]));
  const crossing = actions
    .filter((action) => action.kind === 'copy')
    .filter(({ slot, port, tensor }) => slot !== null && (port === null || !persistent.has(tensor)));
  const onWebnn = partitions.filter(({ placement }) => placement === 'webnn');
  const atBoundaries = sum(onWebnn.map(({ bytesIn, bytesOut }) => bytesIn + bytesOut));
  const dispatches = partitions.flatMap(({ dispatchMs }) => (dispatchMs === null ? [] : [dispatchMs.mean]));
  const count = (form: QuantizedForm) => nodes.filter(({ quantized }) => quantized === form).length;
  return {
    nodes: nodes.length,
    delegatedNodes: nodes.filter(({ placement }) => placement === 'webnn').length,
    webnnPartitions: onWebnn.length,
    quantizedNodes: { fused: count('fused'), float: count('float'), cpu: count('cpu') },
    bytesCrossing: mode === 'blocking' ? atBoundaries : sum(crossing.map(({ tensor }) => sizes.get(tensor) ?? 0)),
    buildMs: sum(partitions.map(({ buildMs }) => buildMs ?? 0)),
    dispatchMs: dispatches.length === 0 ? null : sum(dispatches),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
