/** Layered layout from top to bottom: by dagre, or quickly if there are many boxes. */

import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import type { Graph } from './graph.js';
import { BOX_HEIGHT, BOX_WIDTH, type Picture, type Point } from './picture.js';
import { layOutQuickly } from './quick_layout.js';

const SPACING = { nodesep: 18, ranksep: 30, marginx: 12, marginy: 12 };

/** dagre's time grows with the square of the boxes: a few hundred take over a second. */
const MOST_BOXES_OF_DAGRE = 120;

/** Lays out a graph. */
export function layOut(graph: Graph): Picture {
  return graph.boxes.length > MOST_BOXES_OF_DAGRE ? layOutQuickly(graph) : layOutWithDagre(graph);
}

function layOutWithDagre({ boxes, lines }: Graph): Picture {
  const graph = new LayoutGraph<
    typeof SPACING & { width?: number; height?: number },
    Partial<Point>,
    { points?: Point[] }
  >();
  graph.setGraph({ ...SPACING });
  for (const { id } of boxes) graph.setNode(id, { width: BOX_WIDTH, height: BOX_HEIGHT } as Partial<Point>);
  for (const { from, to } of lines) graph.setEdge(from, to, {});
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: boxes.map((box) => ({ ...box, x: graph.node(box.id).x ?? 0, y: graph.node(box.id).y ?? 0 })),
    lines: lines.map((line) => ({ ...line, points: graph.edge(line.from, line.to).points ?? [] })),
  };
}
