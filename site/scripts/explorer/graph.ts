/** Boxes and lines of a subgraph; layout.ts positions them. */

import type { SubgraphMemory } from 'tflite-webnn/explain';
import type { ExploredNode } from './explored_model.js';

/** Larger graphs are drawn in pieces: the browser becomes slow with more boxes. */
export const MAX_NODES = 2500;
/** Of nodes, partitions or blocks, and then of inputs and outputs; more are left out. */
export const MAX_BOXES = 2 * MAX_NODES;

/** Kind of a box, which sets its colour. */
export type BoxKind = 'webnn' | 'cpu' | 'subgraph' | 'tensor';

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
  /** The block that the box stands for, if any. */
  readonly block: number | null;
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
  /** Boxes that are left out. */
  readonly leftOut: number;
}

/** The drawn part of a subgraph. */
export interface GraphView {
  /** Whether each partition is one box. */
  readonly collapsed: boolean;
  /** The block of each node, see findBlocks(); null if blocks are not grouped. */
  readonly blocks: readonly (number | null)[] | null;
  /** Blocks whose nodes are drawn. */
  readonly open: ReadonlySet<number>;
  /** The first node that is drawn: long graphs are drawn in pieces. */
  readonly first: number;
}

/** Creates the graph of a subgraph's nodes or partitions. */
export function graphOf(memory: SubgraphMemory, nodes: readonly ExploredNode[], view: GraphView): Graph {
  const isGrouped = view.collapsed || view.blocks !== null;
  const drawn = isGrouped ? nodes : nodes.slice(view.first, view.first + MAX_NODES);
  const groups = groupsOf(nodes, view);
  const boxOf = (node: ExploredNode) => groups.get(node)?.id ?? `n${node.index}`;
  const boxes = new Map<string, Box>();
  const all = new Set<string>();
  for (const node of drawn) {
    const group = groups.get(node);
    const id = boxOf(node);
    all.add(id);
    if (boxes.has(id) || boxes.size === MAX_BOXES) continue;
    boxes.set(id, group === undefined ? nodeBox(id, node, memory) : groupBox(group));
  }
  const available = Math.max(0, MAX_BOXES - boxes.size);
  const lines = new Lines();
  const writers = new Map<number, string>();
  const [inputs, outputs] = [inputsOf(memory, drawn, nodes), outputsOf(drawn, nodes)];
  for (const tensor of inputs.slice(0, available)) {
    boxes.set(`in${tensor}`, tensorBox(`in${tensor}`, 'input', tensor, memory));
    writers.set(tensor, `in${tensor}`);
  }
  for (const node of drawn) {
    for (const tensor of node.inputs) lines.add(writers.get(tensor), boxOf(node));
    for (const tensor of node.outputs) writers.set(tensor, boxOf(node));
  }
  for (const tensor of outputs.slice(0, available)) {
    boxes.set(`out${tensor}`, tensorBox(`out${tensor}`, 'output', tensor, memory));
    lines.add(writers.get(tensor), `out${tensor}`);
  }
  return {
    boxes: [...boxes.values()],
    lines: lines.all().filter(({ from, to }) => boxes.has(from) && boxes.has(to)),
    leftOut: all.size + inputs.length + outputs.length - boxes.size,
  };
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
    block: null,
  };
}

/** Nodes that are one box. */
interface Group {
  readonly id: string;
  readonly partition: number | null;
  readonly block: number | null;
  readonly nodes: ExploredNode[];
}

/** The groups by node; nodes without one are separate boxes. */
function groupsOf(nodes: readonly ExploredNode[], { collapsed, blocks, open }: GraphView): Map<ExploredNode, Group> {
  const known = new Map<string, Group>();
  const groups = new Map<ExploredNode, Group>();
  for (const [position, node] of nodes.entries()) {
    const block = collapsed ? null : (blocks?.[position] ?? null);
    const partition = collapsed ? node.partition : null;
    if (partition === null && (block === null || open.has(block))) continue;
    const id = partition === null ? `b${block}` : `p${partition}`;
    const group = known.get(id) ?? { id, partition, block, nodes: [] };
    known.set(id, group);
    group.nodes.push(node);
    groups.set(node, group);
  }
  return groups;
}

function groupBox({ id, partition, block, nodes }: Group): Box {
  const [first] = nodes as [ExploredNode, ...ExploredNode[]];
  const count = `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`;
  const where = first.placement === 'webnn' ? 'WebNN' : 'CPU';
  if (partition !== null) {
    const title = `Partition ${partition}: ${where}`;
    return { id, title, detail: count, kind: first.placement ?? 'subgraph', node: null, partition, block };
  }
  const onCpu = nodes.filter(({ placement }) => placement === 'cpu');
  const kind = onCpu.length > 0 ? 'cpu' : (first.placement ?? 'subgraph');
  const detail = onCpu.length > 0 ? `${count}, ${onCpu.length} on the CPU` : count;
  return { id, title: `Block ${block}, from ${first.index} ${first.op}`, detail, kind, node: null, partition, block };
}

function tensorBox(id: string, what: string, tensor: number, { tensors }: SubgraphMemory): Box {
  const { dtype = '', shape = [] } = tensors[tensor] ?? {};
  const detail = `${dtype} ${shape.join('×')}`;
  return { id, title: what, detail, kind: 'tensor', node: null, partition: null, block: null };
}

/** Tensors that enter the drawn part; constants get no boxes. */
function inputsOf({ tensors }: SubgraphMemory, drawn: readonly ExploredNode[], all: readonly ExploredNode[]): number[] {
  const written = new Set(drawn.flatMap(({ outputs }) => outputs));
  const writtenBefore = drawn.length === all.length ? written : new Set(all.flatMap(({ outputs }) => outputs));
  const read = drawn.flatMap(({ inputs }) => inputs).filter((tensor) => !written.has(tensor));
  // A piece of a graph shows the subgraph's inputs, but no arrows from other pieces.
  const entering = read.filter((tensor) => tensors[tensor]?.allocationType !== 'mmap-ro' && !writtenBefore.has(tensor));
  return [...new Set(entering)];
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
