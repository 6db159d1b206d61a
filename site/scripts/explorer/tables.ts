/** The explorer's tables: nodes, tensors, sizes. */

import type { PlannedTensor, SubgraphMemory } from 'tflite-webnn/explain';
import { create } from '../common/dom.js';
import { formatBytes, formatCount, formatPercent } from '../common/format.js';
import { type Column, table } from '../common/table.js';
import { type ExploredNode, type OpSize, placementText, sizesByOp, typeText } from './explored_model.js';

const ALLOCATIONS: Partial<Record<PlannedTensor['allocationType'], string>> = {
  'mmap-ro': 'constant',
  'arena-rw': 'arena',
  'arena-rw-persistent': 'persistent',
  dynamic: 'dynamic',
};

/** Table of all nodes; pressing a node's number calls `onChoose`. */
export function nodeTable(nodes: readonly ExploredNode[], onChoose: (node: number) => void): HTMLElement {
  const columns: Column<ExploredNode>[] = [
    { title: 'Node', cell: ({ index }) => chooseButton(index, onChoose), numeric: true },
    { title: 'Op', cell: ({ op }) => op, heading: true },
    { title: 'Runs on', cell: placementBadge },
    { title: 'Partition', cell: ({ partition }) => partition ?? '', numeric: true },
    {
      title: 'WebNN operators, or reason',
      cell: (node) => create('span', { class: 'outcome', text: outcomeText(node) }),
    },
    { title: 'Weights', cell: ({ weightBytes }) => (weightBytes === 0 ? '' : formatBytes(weightBytes)), numeric: true },
  ];
  return table(`${formatCount(nodes.length)} nodes in execution order`, columns, nodes);
}

export function tensorTable({ tensors }: SubgraphMemory): HTMLElement {
  const columns: Column<PlannedTensor>[] = [
    { title: 'Tensor', cell: ({ index }) => index, numeric: true },
    {
      title: 'Name',
      cell: ({ name }) => create('span', { class: 'tensor-name', text: name || '(of a kernel)' }),
      heading: true,
    },
    { title: 'Type', cell: typeText },
    { title: 'Size', cell: ({ sizeBytes }) => formatBytes(sizeBytes), numeric: true },
    { title: 'Allocation', cell: ({ allocationType }) => ALLOCATIONS[allocationType] ?? allocationType },
    { title: 'Offset', cell: ({ offset }) => (offset === null ? '' : formatCount(offset)), numeric: true },
    { title: 'Nodes', cell: lifetimeText },
  ];
  return table(`${formatCount(tensors.length)} tensors`, columns, tensors);
}

/** Table of each op's weights, with bars. */
export function sizeTable(memory: SubgraphMemory): HTMLElement {
  const rows = sizesByOp(memory);
  const total = Math.max(
    1,
    rows.reduce((sum, { weightBytes }) => sum + weightBytes, 0),
  );
  const columns: Column<OpSize>[] = [
    { title: 'Op', cell: ({ op }) => op, heading: true },
    { title: 'Nodes', cell: ({ nodes }) => nodes, numeric: true },
    { title: 'Weights', cell: ({ weightBytes }) => formatBytes(weightBytes), numeric: true },
    { title: 'Share', cell: ({ weightBytes }) => shareBar(weightBytes / total) },
  ];
  return table('Weights by op', columns, rows);
}

/** Coloured badge of a node's placement. */
export function placementBadge(node: ExploredNode): HTMLElement {
  return create('span', { class: `placement placement-${node.placement ?? 'subgraph'}`, text: placementText(node) });
}

/** A node's WebNN operators, and why it stays on the CPU or is not fused. */
export function outcomeText({ placement, webnnOps, reason }: ExploredNode): string {
  if (placement !== 'webnn') return reason;
  const ops = webnnOps.length === 0 ? 'folded while loading' : webnnOps.join(', ');
  return reason === '' ? ops : `${ops}; not fused: ${reason}`;
}

function chooseButton(node: number, onChoose: (node: number) => void): HTMLElement {
  const button = create('button', {
    type: 'button',
    class: 'node-link',
    text: node,
    'aria-label': `Show node ${node} in the graph`,
  });
  button.addEventListener('click', () => onChoose(node));
  return button;
}

function lifetimeText({ firstNode, lastNode }: PlannedTensor): string {
  return firstNode === null ? '' : `${firstNode} to ${lastNode ?? 'end'}`;
}

function shareBar(share: number): HTMLElement {
  const bar = create('span', { class: 'share-bar' });
  bar.style.width = `${share * 8}rem`;
  return create('span', { class: 'share' }, bar, formatPercent(share));
}
