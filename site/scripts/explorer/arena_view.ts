/** The arena plan as a picture: each tensor is a rectangle, from its first node to its last, at its place in memory. */

import type { PlannedTensor, SubgraphMemory } from 'tflite-webnn/explain';
import { create } from '../common/dom.js';
import { formatBytes, formatCount } from '../common/format.js';
import { svg } from '../common/svg.js';
import { typeText } from './explored_model.js';

/** The picture's own units; it is stretched to its frame. */
const WIDTH = 1000;
const HEIGHT = 500;

/** A figure that shows where the arena's tensors lie and when; `onChoose` hears of one that is clicked. */
export function arenaFigure(memory: SubgraphMemory, onChoose: (tensor: PlannedTensor) => void): HTMLElement {
  const { nodes, arenaBytes, peakBytes, peakNode } = memory;
  const placed = placedTensors(memory);
  if (placed.length === 0) return create('p', { text: 'Nothing of this subgraph is in the arena before it runs.' });
  const scaleX = WIDTH / Math.max(1, nodes.length);
  const scaleY = HEIGHT / arenaBytes;
  const rectangles = placed.map((tensor) => rectangle(tensor, nodes.length, scaleX, scaleY));
  const peak = peakNode === null ? [] : [peakMark(peakNode * scaleX, scaleX)];
  const label = `Arena plan: ${formatCount(placed.length)} tensors over ${formatCount(nodes.length)} nodes, ${formatBytes(arenaBytes)}`;
  const picture = svg(
    'svg',
    {
      class: 'arena-picture',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    ...rectangles,
    ...peak,
  );
  picture.addEventListener('click', ({ target }) => {
    const index = target instanceof SVGRectElement ? target.dataset.tensor : undefined;
    const tensor = placed.find((one) => String(one.index) === index);
    if (tensor !== undefined) onChoose(tensor);
  });
  const caption = `Each rectangle is a tensor: from left to right the nodes during which it is kept, from top to bottom its place in the arena. At node ${peakNode ?? 0}, ${formatBytes(peakBytes)} of it are in use, the most at once: the frame.`;
  return create(
    'figure',
    { class: 'arena' },
    create(
      'div',
      { class: 'arena-top' },
      create('span', { text: 'byte 0' }),
      create('span', { text: `node ${nodes.length - 1}` }),
    ),
    picture,
    create('div', { class: 'arena-bottom' }, create('span', { text: formatBytes(arenaBytes) })),
    create('figcaption', { class: 'note', text: caption }),
  );
}

/** One line about a tensor's place. */
export function placeText(tensor: PlannedTensor): string {
  const { index, name, sizeBytes, offset, firstNode, lastNode } = tensor;
  const time = firstNode === null ? '' : `, nodes ${firstNode} to ${lastNode ?? 'the end'}`;
  const place = offset === null ? '' : `, from byte ${formatCount(offset)}`;
  return `Tensor ${index} ${name || '(of a kernel)'}: ${typeText(tensor)}, ${formatBytes(sizeBytes)}${place}${time}`;
}

/** Tensors of the arena whose place and time are known; large ones first, so that small ones are drawn above them. */
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
    svg('title', {}, placeText(tensor)),
  );
}

function peakMark(x: number, width: number): SVGRectElement {
  return svg('rect', { class: 'arena-peak', x, y: 0, width, height: HEIGHT });
}
