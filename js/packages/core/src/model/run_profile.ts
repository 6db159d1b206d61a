/** What a run spent its time on, node by node. */

import { printable } from '../errors.js';
import type { NodeTime, WasmRunner } from '../wasm/wasm_runner.js';

/** An entry of a profile, as tfjs-tflite has it. A partition on WebNN is one entry. */
export interface ProfileItem {
  /** TFLite's name of the op; `WEBNN` for a partition there. */
  readonly nodeType: string;
  /** The name of the node's first output; for WebNN, the operators of the partition. */
  readonly nodeName: string;
  /** Milliseconds. 0 for a partition whose results only other partitions on WebNN read: its time is part of what they take. */
  readonly nodeExecMs: number;
  /**
   * The subgraph that the node is in. 0 is the main one; the time of others is also in that of the node that ran them,
   * the last one before them that does such things, as WHILE, IF and CALL_ONCE do.
   */
  readonly subgraph: number;
  /** Its index there; -1 for a partition on WebNN, and for an operator that XNNPACK measures inside of its partition. */
  readonly node: number;
}

/** Collects the parts of the last run in the order in which they ran. */
export class RunProfile {
  readonly #parts: (NodeTime | { readonly graph: number })[] = [];

  begin(runner: WasmRunner | null): void {
    this.#parts.length = 0;
    runner?.takeProfile(); // what another signature has left
  }

  /** What wasm has run. */
  addNodes(runner: WasmRunner): void {
    this.#parts.push(...runner.takeProfile());
  }

  addDispatch(graph: number): void {
    this.#parts.push({ graph });
  }

  /**
   * The profile of the last run.
   *
   * @param nameOf - The name of a graph.
   * @param msOf - The time of a graph's last dispatch.
   */
  items(nameOf: (graph: number) => string, msOf: (graph: number) => number): ProfileItem[] {
    return this.#parts.map((part) =>
      'graph' in part
        ? { nodeType: 'WEBNN', nodeName: nameOf(part.graph), nodeExecMs: msOf(part.graph), subgraph: 0, node: -1 }
        : { nodeType: part.op, nodeName: part.name, nodeExecMs: part.ms, subgraph: part.subgraph, node: part.node },
    );
  }
}

/** Name of a graph in a profile, by the operators of its partition. */
export function graphName(ops: readonly string[]): string {
  return ops.length < 2 ? ops.join() : `${ops[0]} to ${ops.at(-1)}, ${ops.length} nodes`;
}

/** A profile as text: sums by type of node, the most expensive first. */
export function profilingSummary(items: readonly ProfileItem[]): string {
  const total = items.reduce((sum, { nodeExecMs }) => sum + nodeExecMs, 0);
  const types = new Map<string, { count: number; ms: number }>();
  for (const { nodeType, nodeExecMs } of items) {
    const { count, ms } = types.get(nodeType) ?? { count: 0, ms: 0 };
    types.set(nodeType, { count: count + 1, ms: ms + nodeExecMs });
  }
  const rows = [...types].sort(([, a], [, b]) => b.ms - a.ms);
  const share = (ms: number) => (total === 0 ? 0 : (100 * ms) / total).toFixed(1);
  return [
    `${items.length} nodes, ${total.toFixed(3)} ms`,
    ...rows.map(([type, { count, ms }]) => `${type}: ${count} x, ${ms.toFixed(3)} ms, ${share(ms)} %`),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
}
