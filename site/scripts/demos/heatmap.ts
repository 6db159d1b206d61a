/** Refines landmarks with the model's heat maps, as MediaPipe does. */

import { probability } from './detections.js';
import type { Point } from './picture.js';

/** Log-odds of each point in each cell of a square grid. */
export interface HeatMaps {
  readonly values: Float32Array;
  /** Cells per side. */
  readonly cells: number;
  /** Points per cell. */
  readonly points: number;
}

// Cells on each side of the point's own cell.
const REACH = 3;
// The point stays if every cell's probability is lower.
const MIN_CERTAINTY = 0.5;

/** Moves a point, in coordinates relative to the model's input, to the weighted centre of the cells around it. */
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
