/** Draws landmarks of faces, hands and bodies on a picture. */

import type { Landmark } from 'tflite-webnn/results';
import { colourOf, cssColour } from './colours.js';
import type { Path } from './connections.js';
import type { Found } from './landmarks.js';

// Less visible points are guesses.
const MIN_VISIBILITY = 0.5;
// Line width as a fraction of the picture's longer side.
const LINE_WIDTH = 1 / 260;
const OUTLINE = 'rgb(0 0 0 / 0.6)';
const FIRST_COLOUR = 5;

/** Style of a kind of landmarks. */
export interface LandmarkStyle {
  readonly paths: readonly Path[];
  /** Radius of a point, in line widths. */
  readonly pointSize: number;
}

/** Draws each face, hand or body in its own colour. */
export function drawLandmarks(drawing: CanvasRenderingContext2D, found: readonly Found[], style: LandmarkStyle): void {
  const { width, height } = drawing.canvas;
  const line = Math.max(1, Math.max(width, height) * LINE_WIDTH);
  drawing.lineJoin = 'round';
  drawing.lineCap = 'round';
  for (const [index, { points }] of found.entries()) {
    const colour = cssColour(colourOf(index + FIRST_COLOUR));
    const lines = linesOf(points, style.paths);
    stroke(drawing, lines, line * 2, OUTLINE); // outline: visible on bright and dark pictures
    stroke(drawing, lines, line, colour);
    drawing.fillStyle = colour;
    for (const point of points.filter(isVisible)) dot(drawing, point, line * style.pointSize);
  }
}

/** All paths as one, without lines to hidden points. */
function linesOf(points: readonly Landmark[], paths: readonly Path[]): Path2D {
  const lines = new Path2D();
  for (const path of paths) {
    let isDrawing = false;
    for (const index of path) {
      const point = points[index];
      if (!point || !isVisible(point)) isDrawing = false;
      else if (isDrawing) lines.lineTo(point.x, point.y);
      else {
        lines.moveTo(point.x, point.y);
        isDrawing = true;
      }
    }
  }
  return lines;
}

function stroke(drawing: CanvasRenderingContext2D, lines: Path2D, width: number, colour: string): void {
  drawing.lineWidth = width;
  drawing.strokeStyle = colour;
  drawing.stroke(lines);
}

function dot(drawing: CanvasRenderingContext2D, { x, y }: Landmark, radius: number): void {
  drawing.beginPath();
  drawing.arc(x, y, radius, 0, 2 * Math.PI);
  drawing.fill();
}

function isVisible({ visibility }: Landmark): boolean {
  return visibility >= MIN_VISIBILITY;
}
