/** Layered layout from top to bottom, by dagre. */

import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import type { Graph } from './graph.js';
import { BOX_HEIGHT, BOX_WIDTH, type Picture, type Point } from './picture.js';

const SPACING = { nodesep: 18, ranksep: 30, marginx: 12, marginy: 12 };

/** Lays out a graph; a few hundred boxes take over a second. */
export function layOut({ boxes, lines }: Graph): Picture {
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
