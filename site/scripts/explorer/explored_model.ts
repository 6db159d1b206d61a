/** The explorer's model: the delegate's report, and TFLite's graph with its memory plan. */

import type { ModelReport } from 'tflite-webnn';
import type { GraphNode, MemoryPlan, PlannedTensor, SubgraphMemory } from 'tflite-webnn/explain';
import type { FileContent } from './file_view.js';

/** An analysed model. */
export interface ExploredModel {
  readonly name: string;
  readonly sizeBytes: number;
  readonly report: ModelReport;
  readonly memory: MemoryPlan;
  /** The file's metadata. */
  readonly file: FileContent;
}

/** A node and its placement. */
export interface ExploredNode {
  readonly index: number;
  readonly op: string;
  /** Its input and output tensors, without omitted optional ones. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Null in subgraphs, which are not delegated; `quantized` also for nodes that are not quantized. */
  readonly placement: 'webnn' | 'cpu' | null;
  readonly partition: number | null;
  readonly quantized: 'fused' | 'float' | 'cpu' | null;
  /** Why it stays on the CPU or is not fused; empty if neither applies. */
  readonly reason: string;
  readonly webnnOps: readonly string[];
  /** Size of the constants that it reads. */
  readonly weightBytes: number;
}

/** The nodes of a subgraph; for the main subgraph, with their entries of the report. */
export function nodesOf({ report, memory }: ExploredModel, subgraph: number): ExploredNode[] {
  const plan = subgraphOf(memory, subgraph);
  const infos = new Map(subgraph === 0 ? report.nodes.map((info) => [info.index, info]) : []);
  return plan.nodes.map((node) => {
    const info = infos.get(node.index);
    return {
      index: node.index,
      op: node.op,
      inputs: node.inputs.filter((tensor) => tensor >= 0),
      outputs: node.outputs,
      placement: info?.placement ?? null,
      partition: info?.partition ?? null,
      quantized: info?.quantized ?? null,
      reason: info?.reason ?? info?.notFused ?? '',
      webnnOps: info?.webnnOps ?? [],
      weightBytes: weightBytes(node, plan),
    };
  });
}

export function subgraphOf({ subgraphs }: MemoryPlan, index: number): SubgraphMemory {
  const found = subgraphs.find((subgraph) => subgraph.index === index);
  if (!found) throw new RangeError(`the model has no subgraph ${index}`);
  return found;
}

/** Text of a node's badge: placement and form. */
export function placementText({ placement, quantized }: Pick<ExploredNode, 'placement' | 'quantized'>): string {
  if (placement === null) return 'in a subgraph: CPU';
  if (placement === 'cpu') return 'CPU';
  return quantized === null ? 'WebNN' : `WebNN, ${quantized}`;
}

/** `float32 [1, 224, 224, 3]`. */
export function typeText({ dtype, shape }: Pick<PlannedTensor, 'dtype' | 'shape'>): string {
  return `${dtype} [${shape.join(', ')}]`;
}

/** Constants of an op over all its nodes. */
export interface OpSize {
  readonly op: string;
  readonly nodes: number;
  readonly weightBytes: number;
}

/** Weights of each op of a subgraph, largest first. A shared constant counts for its first node. */
export function sizesByOp(memory: SubgraphMemory): OpSize[] {
  const sizes = new Map<string, { nodes: number; weightBytes: number }>();
  const counted = new Set<number>();
  for (const { op, inputs } of memory.nodes) {
    const size = sizes.get(op) ?? { nodes: 0, weightBytes: 0 };
    size.nodes += 1;
    for (const tensor of inputs.filter((index) => isConstant(memory, index) && !counted.has(index))) {
      counted.add(tensor);
      size.weightBytes += memory.tensors[tensor]?.sizeBytes ?? 0;
    }
    sizes.set(op, size);
  }
  const rows = Array.from(sizes, ([op, size]) => ({ op, ...size }));
  return rows.sort((a, b) => b.weightBytes - a.weightBytes || b.nodes - a.nodes || a.op.localeCompare(b.op));
}

function isConstant({ tensors }: SubgraphMemory, index: number): boolean {
  return tensors[index]?.allocationType === 'mmap-ro';
}

function weightBytes({ inputs }: GraphNode, plan: SubgraphMemory): number {
  const constants = inputs.filter((index) => isConstant(plan, index));
  return constants.reduce((sum, index) => sum + (plan.tensors[index]?.sizeBytes ?? 0), 0);
}
