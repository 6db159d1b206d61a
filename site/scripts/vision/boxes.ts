/** Draws boxes with their labels. */

import type { Detection } from 'tflite-webnn/results';
import { formatPercent } from '../common/format.js';
import { colourOf, cssColour } from './colours.js';

/** What both kinds of canvas can. */
export type Drawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const TEXT_HEIGHT_SHARE = 1 / 28;
const MIN_TEXT_HEIGHT = 12;

/** Probabilities in percent, other scores as they are. */
export function scoreText(score: number): string {
  return score >= 0 && score <= 1 ? formatPercent(score) : score.toPrecision(4);
}

/** Draws each box in the colour of its class. */
export function drawBoxes(drawing: Drawing, detections: readonly Detection[]): void {
  const { width, height } = drawing.canvas;
  const textHeight = Math.max(MIN_TEXT_HEIGHT, height * TEXT_HEIGHT_SHARE);
  const lineHeight = textHeight * 1.3;
  drawing.font = `600 ${textHeight}px sans-serif`;
  drawing.textBaseline = 'bottom';
  drawing.lineWidth = Math.max(2, Math.max(width, height) / 260);
  for (const { box, index, label, score } of detections) {
    const colour = cssColour(colourOf(index + 1));
    drawing.strokeStyle = colour;
    drawing.strokeRect(box.left, box.top, box.width, box.height);
    const text = `${label} ${scoreText(score)}`;
    const top = Math.max(lineHeight, box.top);
    drawing.fillStyle = colour;
    drawing.fillRect(box.left, top - lineHeight, drawing.measureText(text).width + textHeight / 2, lineHeight);
    drawing.fillStyle = '#000';
    drawing.fillText(text, box.left + textHeight / 4, top - textHeight * 0.1);
  }
}
