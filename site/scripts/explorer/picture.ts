/** A graph with places: what layout.ts makes in the worker, and graph_view.ts draws. */

import type { Box, Line } from './graph.js';

/** A place in the picture, in its own units. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box by its middle. */
export type PlacedBox = Box & Point;

/** A line by the points that it goes through. */
export type PlacedLine = Line & { readonly points: readonly Point[] };

/** The whole picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedLine[];
}

/** The size of a box. */
export const BOX_WIDTH = 208;
export const BOX_HEIGHT = 46;
