/** A graph with positions: layout.ts computes them in the worker, graph_view.ts draws them. */

import type { Box, Line } from './graph.js';

/** A point in the diagram's units. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box; the point is its centre. */
export type PlacedBox = Box & Point;

/** A line through points. */
export type PlacedLine = Line & { readonly points: readonly Point[] };

/** The entire diagram. */
export interface Diagram {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedLine[];
}

/** The size of a box. */
export const BOX_WIDTH = 208;
export const BOX_HEIGHT = 46;
