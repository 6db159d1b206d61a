/** Boxes and lines of a subgraph; layout.ts places them. */

import type { SubgraphMemory } from 'tflite-webnn/explain';
import { type ExploredNode, placementText } from './explored_model.js';

/** Larger graphs are unreadable and take seconds to lay out. */
export const MOST_NODES = 600;

/** Kind of a box, which sets its colour. */
export type BoxKind = 'webnn' | 'cpu' | 'subgraph' | 'port';

/** A box: a node, a partition, or an input or output of the subgraph. */
export interface Box {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly kind: BoxKind;
  /** The node that the box shows, if any. */
  readonly node: number | null;
  /** The partition that the box shows or belongs to, if any. */
  readonly partition: number | null;
}

/** A data flow between boxes. */
export interface Line {
  readonly from: string;
  readonly to: string;
}

/** Boxes and lines without positions. */
export interface Graph {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** The drawn part of a subgraph. */
export interface GraphView {
  /** Whether each partition is one box. */
  readonly collapsed: boolean;
  /** The first drawn node: long graphs are drawn in pieces. */
  readonly first: number;
}

/** Makes the graph of a subgraph's nodes or partitions. */
export function graphOf(memory: SubgraphMemory, nodes: readonly ExploredNode[], view: GraphView): Graph {
  const drawn = view.collapsed ? nodes : nodes.slice(view.first, view.first + MOST_NODES);
  const boxOf = (node: ExploredNode) =>
    view.collapsed && node.partition !== null ? `p${node.partition}` : `n${node.index}`;
  const boxes = new Map<string, Box>();
  for (const node of drawn) {
    const id = boxOf(node);
    if (!boxes.has(id)) boxes.set(id, view.collapsed ? partitionBox(id, node, nodes) : nodeBox(id, node, memory));
  }
  const lines = new Lines();
  const writers = new Map<number, string>();
  for (const port of inputsOf(memory, drawn, nodes)) {
    boxes.set(`in${port}`, portBox(`in${port}`, 'input', port, memory));
    writers.set(port, `in${port}`);
  }
  for (const node of drawn) {
    for (const tensor of node.inputs) lines.add(writers.get(tensor), boxOf(node));
    for (const tensor of node.outputs) writers.set(tensor, boxOf(node));
  }
  for (const port of outputsOf(drawn, nodes)) {
    boxes.set(`out${port}`, portBox(`out${port}`, 'output', port, memory));
    lines.add(writers.get(port), `out${port}`);
  }
  return { boxes: [...boxes.values()], lines: lines.all() };
}

function nodeBox(id: string, node: ExploredNode, { tensors }: SubgraphMemory): Box {
  const shape = tensors[node.outputs[0] ?? -1]?.shape;
  const form = node.quantized !== null && node.placement === 'webnn' ? ` · ${node.quantized}` : '';
  return {
    id,
    title: `${node.index} ${node.op}`,
    detail: `${shape === undefined ? '' : shape.join('×') || 'scalar'}${form}`,
    kind: node.placement ?? 'subgraph',
    node: node.index,
    partition: node.partition,
  };
}

function partitionBox(id: string, node: ExploredNode, nodes: readonly ExploredNode[]): Box {
  if (node.partition === null) {
    return {
      id,
      title: `${node.index} ${node.op}`,
      detail: placementText(node),
      kind: 'subgraph',
      node: node.index,
      partition: null,
    };
  }
  const count = nodes.filter(({ partition }) => partition === node.partition).length;
  const where = node.placement === 'webnn' ? 'WebNN' : 'CPU';
  return {
    id,
    title: `Partition ${node.partition}: ${where}`,
    detail: `${count} ${count === 1 ? 'node' : 'nodes'}`,
    kind: node.placement ?? 'subgraph',
    node: null,
    partition: node.partition,
  };
}

function portBox(id: string, what: string, tensor: number, { tensors }: SubgraphMemory): Box {
  const { dtype = '', shape = [] } = tensors[tensor] ?? {};
  return { id, title: what, detail: `${dtype} ${shape.join('×')}`, kind: 'port', node: null, partition: null };
}

/** Tensors that enter the drawn part; constants get no boxes. */
function inputsOf(
  { tensors }: SubgraphMemory,
  drawn: readonly ExploredNode[],
  all: readonly ExploredNode[],
): Set<number> {
  const written = new Set(drawn.flatMap(({ outputs }) => outputs));
  const writtenBefore = drawn.length === all.length ? written : new Set(all.flatMap(({ outputs }) => outputs));
  const read = drawn.flatMap(({ inputs }) => inputs).filter((tensor) => !written.has(tensor));
  // A piece of a graph shows the subgraph's inputs, but no arrows from other pieces.
  return new Set(read.filter((tensor) => tensors[tensor]?.allocationType !== 'mmap-ro' && !writtenBefore.has(tensor)));
}

/** Tensors that no node reads: the subgraph's outputs. */
function outputsOf(drawn: readonly ExploredNode[], all: readonly ExploredNode[]): number[] {
  const read = new Set(all.flatMap(({ inputs }) => inputs));
  return drawn.flatMap(({ outputs }) => outputs).filter((tensor) => !read.has(tensor));
}

/** One line between two boxes, for any number of tensors. */
class Lines {
  readonly #lines = new Map<string, Line>();

  add(from: string | undefined, to: string): void {
    if (from !== undefined && from !== to) this.#lines.set(`${from} ${to}`, { from, to });
  }

  all(): Line[] {
    return [...this.#lines.values()];
  }
}
