/** The Graph tab: diagram, controls, and details of the chosen box. */

import { byId, create } from '../common/dom.js';
import { formatBytes } from '../common/format.js';
import { StatusLine } from '../common/status_line.js';
import { findBlocks } from './blocks.js';
import type { Diagram } from './diagram.js';
import { type ExploredModel, type ExploredNode, nodesOf, subgraphOf, typeText } from './explored_model.js';
import { type Box, type Graph, graphOf, MAX_NODES } from './graph.js';
import { GraphView } from './graph_view.js';
import { outcomeText, placementBadge } from './tables.js';

/** From this many nodes on, graphs start grouped: by block, or else by partition. */
const GROUP_FROM = 400;

/** Shows the graph of a model. */
export class GraphPanel {
  readonly #layOut: (graph: Graph) => Promise<Diagram>;
  readonly #view: GraphView;
  readonly #collapsed = byId('graph-collapsed', HTMLInputElement);
  readonly #grouped = byId('graph-grouped', HTMLInputElement);
  readonly #search = byId('graph-search', HTMLInputElement);
  readonly #piece = byId('graph-piece', HTMLSelectElement);
  readonly #found = byId('graph-found', HTMLOutputElement);
  readonly #details = byId('graph-details', HTMLElement);
  readonly #status = new StatusLine(byId('graph-status', HTMLElement));
  #model: ExploredModel | null = null;
  #subgraph = 0;
  #nodes: readonly ExploredNode[] = [];
  #blocks: readonly (number | null)[] = [];
  readonly #open = new Set<number>();
  #graph: Graph = { boxes: [], lines: [], leftOut: 0 };

  /** @param layOut - Positions boxes and lines, in a worker. */
  constructor(layOut: (graph: Graph) => Promise<Diagram>) {
    this.#layOut = layOut;
    this.#view = new GraphView(byId('graph-frame', HTMLElement), (box) => this.#choose(box, false));
    this.#collapsed.addEventListener('change', () => this.#regroup(this.#grouped));
    this.#grouped.addEventListener('change', () => this.#regroup(this.#collapsed));
    this.#piece.addEventListener('change', () => void this.#draw());
    this.#search.addEventListener('input', () => this.#find());
    byId('graph-in', HTMLButtonElement).addEventListener('click', () => this.#view.zoomIn());
    byId('graph-out', HTMLButtonElement).addEventListener('click', () => this.#view.zoomIn(-1));
    byId('graph-fit', HTMLButtonElement).addEventListener('click', () => this.#view.fit());
  }

  async show(model: ExploredModel, subgraph: number): Promise<void> {
    this.#model = model;
    this.#subgraph = subgraph;
    this.#nodes = nodesOf(model, subgraph);
    this.#blocks = findBlocks(this.#nodes.map(({ op }) => op));
    this.#open.clear();
    const isLarge = this.#nodes.length > GROUP_FROM;
    const canGroup = this.#blocks.some((block) => block !== null);
    this.#grouped.disabled = !canGroup;
    this.#grouped.checked = canGroup && isLarge;
    const canCollapse = this.#nodes.some(({ partition }) => partition !== null);
    this.#collapsed.disabled = !canCollapse;
    this.#collapsed.checked = canCollapse && isLarge && !canGroup;
    this.#search.value = '';
    this.#offerPieces();
    await this.#draw();
  }

  /** Shows a node, switching to its piece of the graph and expanding partitions if needed. */
  async showNode(index: number): Promise<void> {
    const position = this.#nodes.findIndex((node) => node.index === index);
    const first = Math.floor(position / MAX_NODES) * MAX_NODES;
    const block = this.#blocks[position] ?? null;
    if (this.#grouped.checked && block !== null && !this.#open.has(block)) {
      await this.#openBlock(block);
    } else if (this.#collapsed.checked || (!this.#grouped.checked && Number(this.#piece.value) !== first)) {
      this.#collapsed.checked = false;
      this.#piece.value = String(first);
      await this.#draw();
    }
    const box = this.#graph.boxes.find(({ node }) => node === index);
    if (box !== undefined) this.#choose(box, true);
    this.#view.frame.focus();
  }

  /** Draws again after one way of grouping was chosen, which excludes the other. */
  #regroup(other: HTMLInputElement): void {
    other.checked = false;
    this.#open.clear();
    void this.#draw();
  }

  async #openBlock(block: number): Promise<void> {
    this.#open.add(block);
    await this.#draw();
  }

  #offerPieces(): void {
    const count = Math.ceil(this.#nodes.length / MAX_NODES);
    const options = Array.from({ length: count }, (_, piece) => {
      const first = piece * MAX_NODES;
      const last = Math.min(this.#nodes.length, first + MAX_NODES) - 1;
      return create('option', { value: first, text: `nodes ${first} to ${last}` });
    });
    this.#piece.replaceChildren(...options);
    byId('graph-piece-field', HTMLElement).hidden = count < 2;
  }

  async #draw(): Promise<void> {
    const model = this.#model;
    if (model === null) return;
    const memory = subgraphOf(model.memory, this.#subgraph);
    const blocks = this.#grouped.checked ? this.#blocks : null;
    const collapsed = this.#collapsed.checked;
    const view = { collapsed, blocks, open: this.#open, first: Number(this.#piece.value) };
    this.#piece.disabled = collapsed || blocks !== null;
    const graph = graphOf(memory, this.#nodes, view);
    this.#graph = graph;
    this.#status.busy('Laying out the graph…');
    const diagram = await this.#layOut(graph);
    if (this.#graph !== graph) return; // superseded by a later request
    await this.#view.show(diagram);
    if (this.#graph !== graph) return;
    const left = graph.leftOut === 0 ? '' : `, ${graph.leftOut} more are left out`;
    this.#status.ready(`${graph.boxes.length} boxes${left}. Choose one to see its details.`);
    this.#details.replaceChildren();
    this.#find();
  }

  #find(): void {
    const text = this.#search.value.trim().toLowerCase();
    const found = text === '' ? [] : this.#graph.boxes.filter((box) => this.#matches(box, text));
    this.#view.mark(new Set(found.map(({ id }) => id)));
    this.#found.textContent = text === '' ? '' : `${found.length} found`;
    const [first] = found;
    if (first !== undefined) this.#view.choose(first.id, true);
  }

  #matches(box: Box, text: string): boolean {
    if (`${box.title} ${box.detail}`.toLowerCase().includes(text)) return true;
    const nodes = this.#nodesIn(box);
    return box.node === null
      ? nodes.some(({ op }) => op.toLowerCase().includes(text))
      : nodes.some(({ outputs }) => outputs.some((tensor) => this.#nameOf(tensor).toLowerCase().includes(text)));
  }

  /** The nodes that a box stands for; none for inputs and outputs. */
  #nodesIn({ node, partition, block }: Box): readonly ExploredNode[] {
    if (node !== null) return this.#nodes.filter(({ index }) => index === node);
    if (block !== null) return this.#nodes.filter((_, position) => this.#blocks[position] === block);
    return partition === null ? [] : this.#nodes.filter((one) => one.partition === partition);
  }

  #nameOf(tensor: number): string {
    return this.#tensor(tensor)?.name ?? '';
  }

  #tensor(index: number) {
    return this.#model === null ? undefined : subgraphOf(this.#model.memory, this.#subgraph).tensors[index];
  }

  #choose(box: Box, isSought: boolean): void {
    this.#view.choose(box.id, isSought);
    const node = this.#nodes.find(({ index }) => index === box.node);
    this.#details.replaceChildren(...(node === undefined ? this.#boxDetails(box) : this.#nodeDetails(node)));
  }

  #boxDetails(box: Box): Node[] {
    const { title, detail, block } = box;
    const counts = new Map<string, number>();
    for (const { op } of this.#nodesIn(box)) counts.set(op, (counts.get(op) ?? 0) + 1);
    const ops = [...counts].map(([op, count]) => (count === 1 ? op : `${op} ×${count}`)).join(', ');
    const parts: Node[] = [create('h3', { text: title }), create('p', { text: ops ? `${detail}: ${ops}` : detail })];
    if (block === null) return parts;
    const button = create('button', { type: 'button', class: 'quiet', text: 'Show its nodes' });
    button.addEventListener('click', () => void this.#openBlock(block).then(() => this.#view.frame.focus()));
    return [...parts, button];
  }

  #nodeDetails(node: ExploredNode): Node[] {
    const info: [string, string | Node][] = [
      ['Runs on', placementBadge(node)],
      ['WebNN operators, or reason', outcomeText(node) || '–'],
      ['Reads', this.#tensorList(node.inputs)],
      ['Writes', this.#tensorList(node.outputs)],
      ['Weights', formatBytes(node.weightBytes)],
    ];
    const rows = info.flatMap(([term, text]) => [create('dt', { text: term }), create('dd', {}, text)]);
    return [create('h3', { text: `Node ${node.index}: ${node.op}` }), create('dl', { class: 'node-info' }, ...rows)];
  }

  #tensorList(indices: readonly number[]): Node | string {
    if (indices.length === 0) return 'nothing';
    const items = indices.map((index) => {
      const tensor = this.#tensor(index);
      const kind = tensor?.allocationType === 'mmap-ro' ? 'constant ' : '';
      const text = tensor === undefined ? '' : `${kind}${typeText(tensor)}, ${formatBytes(tensor.sizeBytes)}`;
      return create(
        'li',
        {},
        create('span', { class: 'tensor-name', text: `${index} ${tensor?.name ?? ''}` }),
        ` ${text}`,
      );
    });
    return create('ul', { class: 'tensor-list' }, ...items);
  }
}
