/** Points made more exact by the heat maps that a landmark model gives beside them, as MediaPipe does it. */

import { probability } from './detections.js';
import type { Point } from './picture.js';

/** For each cell of a square grid, and each point, the logarithm of the odds that it is there. */
export interface HeatMaps {
  readonly values: Float32Array;
  /** Cells of a side. */
  readonly cells: number;
  /** Points, of which each cell has a number. */
  readonly points: number;
}

// Cells to each side of the one that a point is in.
const REACH = 3;
// Where no cell is more certain than that, the point stays.
const MIN_CERTAINTY = 0.5;

/** Moves a point, in parts of the model's input, to the middle of what is warm around it. */
export function refinePoint(point: Point, index: number, { values, cells, points }: HeatMaps): Point {
  const column = Math.trunc(point.x * cells);
  const row = Math.trunc(point.y * cells);
  if (Math.min(column, row) < 0 || Math.max(column, row) >= cells) return point;
  let [sum, sumX, sumY, most] = [0, 0, 0, 0];
  for (let y = Math.max(0, row - REACH); y <= Math.min(cells - 1, row + REACH); y++) {
    for (let x = Math.max(0, column - REACH); x <= Math.min(cells - 1, column + REACH); x++) {
      const certainty = probability(values[(y * cells + x) * points + index] as number);
      sum += certainty;
      sumX += certainty * x;
      sumY += certainty * y;
      most = Math.max(most, certainty);
    }
  }
  return most < MIN_CERTAINTY ? point : { x: sumX / sum / cells, y: sumY / sum / cells };
}
