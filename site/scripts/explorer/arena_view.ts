/** Draws the arena plan: each tensor is a rectangle from its first to its last node, at its offset in memory. */

import type { PlannedTensor, SubgraphMemory } from 'tflite-webnn/explain';
import { create } from '../common/dom.js';
import { formatBytes, formatCount } from '../common/format.js';
import { svg } from '../common/svg.js';
import { typeText } from './explored_model.js';

/** SVG units; the diagram stretches to its frame. */
const WIDTH = 1000;
const HEIGHT = 500;
/** The largest ones; more would keep the page busy. */
const MAX_RECTANGLES = 5000;

/** A figure of the arena's tensors over memory and time; a click calls `onChoose`. */
export function arenaFigure(memory: SubgraphMemory, onChoose: (tensor: PlannedTensor) => void): HTMLElement {
  const { nodes, arenaBytes, peakBytes, peakNode } = memory;
  const placed = placedTensors(memory);
  if (placed.length === 0) return create('p', { text: 'This subgraph has no tensors in the arena before it runs.' });
  const scaleX = WIDTH / Math.max(1, nodes.length);
  const scaleY = HEIGHT / arenaBytes;
  const rectangles = placed.slice(0, MAX_RECTANGLES).map((tensor) => rectangle(tensor, nodes.length, scaleX, scaleY));
  const peak = peakNode === null ? [] : [peakMark(peakNode * scaleX, scaleX)];
  const label = `Arena plan: ${formatCount(placed.length)} tensors over ${formatCount(nodes.length)} nodes, ${formatBytes(arenaBytes)}`;
  const diagram = svg(
    'svg',
    {
      class: 'arena-diagram',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    ...rectangles,
    ...peak,
  );
  diagram.addEventListener('click', ({ target }) => {
    const index = target instanceof SVGRectElement ? target.dataset.tensor : undefined;
    const tensor = placed.find((one) => String(one.index) === index);
    if (tensor !== undefined) onChoose(tensor);
  });
  const left = placed.length > MAX_RECTANGLES ? ` Only the ${MAX_RECTANGLES} largest ones are drawn.` : '';
  const caption = `Each rectangle is a tensor: it spans the nodes during which the tensor is live, from left to right, and its bytes in the arena, from top to bottom. The outlined node ${peakNode ?? 0} has the peak use, ${formatBytes(peakBytes)}.${left}`;
  return create(
    'figure',
    { class: 'arena' },
    create(
      'div',
      { class: 'arena-top' },
      create('span', { text: 'byte 0' }),
      create('span', { text: `node ${nodes.length - 1}` }),
    ),
    diagram,
    create('div', { class: 'arena-bottom' }, create('span', { text: formatBytes(arenaBytes) })),
    create('figcaption', { class: 'note', text: caption }),
  );
}

/** A tensor's allocation in one line. */
export function allocationText(tensor: PlannedTensor): string {
  const { index, name, sizeBytes, offset, firstNode, lastNode } = tensor;
  const time = firstNode === null ? '' : `, nodes ${firstNode} to ${lastNode ?? 'the end'}`;
  const start = offset === null ? '' : `, from byte ${formatCount(offset)}`;
  return `Tensor ${index} ${name || '(of a kernel)'}: ${typeText(tensor)}, ${formatBytes(sizeBytes)}${start}${time}`;
}

/** Tensors of the arena with known offset and lifetime, largest first: small ones are drawn on top. */
function placedTensors({ tensors }: SubgraphMemory): PlannedTensor[] {
  const placed = tensors.filter(
    ({ allocationType, offset, firstNode }) => allocationType === 'arena-rw' && offset !== null && firstNode !== null,
  );
  return placed.sort((a, b) => b.sizeBytes - a.sizeBytes);
}

function rectangle(tensor: PlannedTensor, nodeCount: number, scaleX: number, scaleY: number): SVGRectElement {
  const first = tensor.firstNode ?? 0;
  const last = tensor.lastNode ?? nodeCount - 1;
  return svg(
    'rect',
    {
      class: `arena-tensor arena-tensor-${tensor.index % 4}`,
      'data-tensor': tensor.index,
      x: first * scaleX,
      y: (tensor.offset ?? 0) * scaleY,
      width: (last - first + 1) * scaleX,
      height: Math.max(0.5, tensor.sizeBytes * scaleY),
    },
    svg('title', {}, allocationText(tensor)),
  );
}

function peakMark(x: number, width: number): SVGRectElement {
  return svg('rect', { class: 'arena-peak', x, y: 0, width, height: HEIGHT });
}
