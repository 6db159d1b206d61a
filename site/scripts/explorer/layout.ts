/** Layered layout from top to bottom: by dagre, or quickly if there are many boxes or long lines. */

import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { BOX_HEIGHT, BOX_WIDTH, type Diagram, type PlacedLine, type Point } from './diagram.js';
import type { Graph } from './graph.js';
import { layOutQuickly, ROW } from './quick_layout.js';

const SPACING = { nodesep: 18, ranksep: 30, marginx: 12, marginy: 12 };

/** dagre's time grows with the square of the boxes: a few hundred take over a second. */
const MAX_BOXES_OF_DAGRE = 120;
/** Rows that all lines cross; dagre creates a box for each crossing. */
const MAX_ROWS_OF_DAGRE = 1000;

/** Lays out a graph. */
export function layOut(graph: Graph): Diagram {
  const quick = layOutQuickly(graph);
  const rows = quick.lines.reduce((sum, line) => sum + rowsOf(line), 0);
  return graph.boxes.length > MAX_BOXES_OF_DAGRE || rows > MAX_ROWS_OF_DAGRE ? quick : layOutWithDagre(graph);
}

function rowsOf({ points }: PlacedLine): number {
  return Math.abs((points.at(-1)?.y ?? 0) - (points[0]?.y ?? 0)) / ROW;
}

function layOutWithDagre({ boxes, lines }: Graph): Diagram {
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
