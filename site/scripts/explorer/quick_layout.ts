/** Layered layout from top to bottom in linear time, for graphs that take dagre seconds. Lines are straight. */

import { BOX_HEIGHT, BOX_WIDTH, type Diagram } from './diagram.js';
import type { Graph } from './graph.js';

const COLUMN = BOX_WIDTH + 18;
/** From one layer to the next. */
export const ROW = BOX_HEIGHT + 30;
const MARGIN = 12;
/** Passes down and up that move boxes to the middle of their neighbours. */
const PASSES = 6;

interface Placed {
  readonly id: string;
  layer: number;
  x: number;
  readonly before: Placed[];
  readonly after: Placed[];
}

/** Lays out a graph without cycles, whose lines lead from earlier boxes to later ones or from inputs. */
export function layOutQuickly({ boxes, lines }: Graph): Diagram {
  const placed = new Map<string, Placed>(boxes.map(({ id }) => [id, { id, layer: 0, x: 0, before: [], after: [] }]));
  for (const { from, to } of lines) {
    const [source, target] = [placed.get(from), placed.get(to)];
    if (source === undefined || target === undefined) continue;
    source.after.push(target);
    target.before.push(source);
  }
  const layers = layersOf([...placed.values()]);
  for (const layer of layers) spread(layer);
  for (let pass = 0; pass < PASSES; pass++) {
    const isDown = pass % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) align(layer, isDown);
  }
  let [left, right] = [Infinity, -Infinity];
  for (const { x } of placed.values()) [left, right] = [Math.min(left, x), Math.max(right, x)];
  const at = (id: string) => {
    const { x, layer } = placed.get(id) as Placed;
    return { x: MARGIN + BOX_WIDTH / 2 + x - left, y: MARGIN + BOX_HEIGHT / 2 + layer * ROW };
  };
  return {
    width: right - left + BOX_WIDTH + 2 * MARGIN,
    height: layers.length * ROW - (ROW - BOX_HEIGHT) + 2 * MARGIN,
    boxes: boxes.map((box) => ({ ...box, ...at(box.id) })),
    lines: lines.map((line) => {
      const [from, to] = [at(line.from), at(line.to)];
      return {
        ...line,
        points: [
          { x: from.x, y: from.y + BOX_HEIGHT / 2 },
          { x: to.x, y: to.y - BOX_HEIGHT / 2 },
        ],
      };
    }),
  };
}

/** Puts each box below all that it reads; those that read nothing right above the first reader. */
function layersOf(boxes: readonly Placed[]): Placed[][] {
  const waiting = new Map(boxes.map((box) => [box, box.before.length]));
  const order = boxes.filter(({ before }) => before.length === 0);
  for (const box of order) {
    for (const reader of box.after) {
      reader.layer = Math.max(reader.layer, box.layer + 1);
      const left = (waiting.get(reader) as number) - 1;
      waiting.set(reader, left);
      if (left === 0) order.push(reader);
    }
  }
  const layers: Placed[][] = [];
  for (const box of order) {
    if (box.before.length === 0 && box.after.length > 0) {
      box.layer = box.after.reduce((lowest, { layer }) => Math.min(lowest, layer), Infinity) - 1;
    }
    while (layers.length <= box.layer) layers.push([]);
    (layers[box.layer] as Placed[]).push(box);
  }
  return layers;
}

function spread(layer: readonly Placed[]): void {
  for (const [position, box] of layer.entries()) box.x = (position - (layer.length - 1) / 2) * COLUMN;
}

/** Moves the boxes of a layer towards the middle of their neighbours above or below, without overlap. */
function align(layer: Placed[], isDown: boolean): void {
  for (const box of layer) {
    const all = isDown ? box.before : box.after;
    // What is far away, e.g. an input of all steps, would stretch the diagram.
    const next = all.filter(({ layer }) => Math.abs(layer - box.layer) === 1);
    const neighbours = next.length > 0 ? next : all;
    if (neighbours.length > 0) box.x = neighbours.reduce((sum, { x }) => sum + x, 0) / neighbours.length;
  }
  layer.sort((one, other) => one.x - other.x);
  const preferred = layer.map(({ x }) => x);
  for (let index = 1; index < layer.length; index++) {
    const [previous, box] = [layer[index - 1] as Placed, layer[index] as Placed];
    box.x = Math.max(box.x, previous.x + COLUMN);
  }
  // Overlaps are resolved to the right only: back by the mean.
  const shift = layer.reduce((sum, { x }, index) => sum + x - (preferred[index] as number), 0) / layer.length;
  for (const box of layer) box.x -= shift;
}
