/** What a model says about an input: rows of a table, and a drawing over the image. */

import type { TensorResult } from 'tflite-webnn';
import { type Category, type ClassMask, classShares, type Detection, type Landmark } from 'tflite-webnn/results';
import { create } from '../common/dom.js';
import { formatPercent } from '../common/format.js';
import { type Column, table, tableUnlessEmpty } from '../common/table.js';
import { drawBoxes, scoreText } from '../vision/boxes.js';
import { colourOf, cssColour } from '../vision/colours.js';
import { maskLayer } from '../vision/mask_layer.js';

/** Result of a run. */
export interface Outcome {
  /** In a sentence, also for people who cannot see the drawing. */
  readonly summary: string;
  readonly details: Node;
  /** Draws over the image; null where there is nothing to draw. */
  readonly draw: ((drawing: CanvasRenderingContext2D) => void) | null;
}

const MIN_SHARE = 0.001;
const SHOWN_VALUES = 6;
const SHOWN_BOXES = 3; // in a sentence
const MAX_SHOWN_POINTS = 2000;

/** Classes, best first. */
export function classesOutcome(categories: readonly Category[]): Outcome {
  const [best] = categories;
  return {
    summary: best ? `${best.label}, ${scoreText(best.score)}` : 'no class',
    details: table(
      'Classes',
      [
        { title: 'Class', cell: ({ label }) => label, heading: true },
        { title: 'Score', cell: ({ score }) => scoreText(score), numeric: true },
      ],
      categories,
    ),
    draw: null,
  };
}

/** Boxes in pixels of the image. */
export function boxesOutcome(detections: readonly Detection[]): Outcome {
  const boxText = ({ box }: Detection) =>
    [box.left, box.top, box.width, box.height].map((value) => Math.round(value)).join(', ');
  const named = detections.slice(0, SHOWN_BOXES).map(({ label, score }) => `${label} ${scoreText(score)}`);
  return {
    summary: detections.length === 0 ? 'nothing found' : `${detections.length} found: ${named.join(', ')}`,
    details: tableUnlessEmpty(
      'Boxes',
      [
        { title: 'Class', cell: ({ label }) => label, heading: true },
        { title: 'Score', cell: ({ score }) => scoreText(score), numeric: true },
        { title: 'Left, top, width, height', cell: boxText, numeric: true },
      ],
      detections,
    ),
    draw: (drawing) => drawBoxes(drawing, detections),
  };
}

/** The class of each pixel of the image. */
export function maskOutcome(mask: ClassMask, labels: readonly string[] | undefined): Outcome {
  const parts = classShares(mask).filter(({ share }) => share >= MIN_SHARE);
  const name = (index: number) => labels?.[index] ?? (index === 0 ? 'background (class 0)' : `class ${index}`);
  return {
    summary: parts.map(({ index, share }) => `${name(index)} ${formatPercent(share)}`).join(', '),
    details: table(
      'Parts of the image',
      [
        { title: 'Class', cell: ({ index }) => legend(index, name(index)), heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      parts,
    ),
    draw: (drawing) => drawing.drawImage(layerOf(mask), 0, 0, drawing.canvas.width, drawing.canvas.height),
  };
}

/** Points in pixels of the image. */
export function pointsOutcome(points: readonly Landmark[]): Outcome {
  const shown = points.slice(0, MAX_SHOWN_POINTS);
  const rows = shown.map(({ x, y }, index) => ({ index, position: `${x.toFixed(1)}, ${y.toFixed(1)}` }));
  return {
    summary: `${points.length} points`,
    details: table(
      'Points',
      [
        { title: 'Point', cell: ({ index }) => index, heading: true },
        { title: 'x, y in pixels', cell: ({ position }) => position, numeric: true },
      ],
      rows,
    ),
    draw: (drawing) => {
      const radius = Math.max(1.5, drawing.canvas.width / 250);
      drawing.fillStyle = cssColour(colourOf(1));
      for (const { x, y } of shown) {
        drawing.beginPath();
        drawing.arc(x, y, radius, 0, 2 * Math.PI);
        drawing.fill();
      }
    },
  };
}

/** The outputs themselves. */
export function tensorsOutcome(results: readonly TensorResult[]): Outcome {
  const columns: Column<TensorResult>[] = [
    { title: 'Output', cell: ({ name }) => name, heading: true },
    { title: 'Type', cell: ({ dtype, shape }) => `${dtype} [${shape.join(', ')}]` },
    { title: 'From', cell: (result) => limitsText(result)[0], numeric: true },
    { title: 'to', cell: (result) => limitsText(result)[1], numeric: true },
    { title: 'First values', cell: firstText },
  ];
  return {
    summary: `${results.length} ${results.length === 1 ? 'output' : 'outputs'}`,
    details: table('Outputs', columns, results),
    draw: null,
  };
}

function limitsText({ data, dtype }: TensorResult): [string, string] {
  if (dtype === 'string' || data.length === 0) return ['', ''];
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of data) {
    lowest = Math.min(lowest, Number(value));
    highest = Math.max(highest, Number(value));
  }
  return [numberText(lowest), numberText(highest)];
}

function firstText({ data, dtype }: TensorResult): string {
  if (dtype === 'string') return 'strings';
  const first = Array.from(data.subarray(0, SHOWN_VALUES) as ArrayLike<number | bigint>, (value) =>
    numberText(Number(value)),
  );
  return `${first.join(', ')}${data.length > SHOWN_VALUES ? ', …' : ''}`;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}

function legend(index: number, label: string): Node {
  const swatch = create('span', { class: 'swatch' });
  if (index !== 0) swatch.style.background = cssColour(colourOf(index));
  return create('span', { class: 'legend' }, swatch, label);
}

function layerOf(mask: ClassMask): HTMLCanvasElement {
  const layer = create('canvas', { width: mask.width, height: mask.height });
  layer.getContext('2d')?.putImageData(maskLayer(mask), 0, 0);
  return layer;
}
