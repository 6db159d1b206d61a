/** What became of a model: where its nodes run, and why. */

import type { NodeInfo, PartitionInfo } from './description.js';
import type { ExecutionMode } from './execution/schedule.js';
import type { DevicePreference, PowerPreference, TFLiteModelOptions } from './options.js';
import type { DeniedNode, PreparedModel } from './prepare_model.js';
import type { WasmVariant } from './wasm_features.js';

/** What became of the wish to run on WebNN. */
export interface WebnnReport {
  readonly requested: boolean;
  readonly used: boolean;
  /** Why WebNN is not used though it was requested, in plain words; else null. */
  readonly reason: string | null;
  readonly devicePreference: DevicePreference;
  readonly powerPreference: PowerPreference;
  /** Nodes that were taken back from WebNN because the browser refused to build them. */
  readonly deniedNodes: readonly DeniedNode[];
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

/** Report on a loaded model. */
export interface ModelReport {
  readonly executionMode: ExecutionMode;
  /** Build of the wasm module. */
  readonly variant: WasmVariant;
  readonly nodes: readonly NodeInfo[];
  /** The ordered subsets of nodes as the delegate partitioned the model. */
  readonly partitions: readonly PartitionInfo[];
  /** Nodes that run on WebNN. */
  readonly delegatedNodeCount: number;
  readonly totalNodeCount: number;
  readonly webnn: WebnnReport;
  readonly timingsMs: LoadTimings;
}

/** Puts the report together. */
export function makeReport(
  { description, schedule, webnnReason, deniedNodes, initMs, buildMs }: PreparedModel,
  options: TFLiteModelOptions,
  variant: WasmVariant,
  compileMs: number,
): ModelReport {
  const { nodes, partitions } = description;
  const { devicePreference = 'default', powerPreference = 'default' } = options.webnnDelegateOptions ?? {};
  return {
    executionMode: schedule.mode,
    variant,
    nodes,
    partitions,
    delegatedNodeCount: nodes.filter(({ placement }) => placement === 'webnn').length,
    totalNodeCount: nodes.length,
    webnn: {
      requested: options.enableWebnnDelegate ?? false,
      used: schedule.mode !== 'cpu',
      reason: webnnReason,
      devicePreference,
      powerPreference,
      deniedNodes,
    },
    timingsMs: { compile: compileMs, init: initMs, build: buildMs },
  };
}
