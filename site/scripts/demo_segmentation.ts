/** Segmentation: the class of each pixel of a picture. */

import { DrawingUtils, ImageSegmenter, type MPMask } from 'tflite-webnn/vision';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { table } from './common/table.js';
import { blurred } from './demos/blur.js';
import { colourOf, cssColour } from './demos/colours.js';
import { runPictureDemo } from './demos/picture_demo.js';
import { FILESET, type PictureTask } from './demos/picture_task.js';

const BACKGROUND = 0;
const OVERLAY_ALPHA = 150;
// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.001;

/** A part of the picture. */
interface Part {
  readonly index: number;
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

interface Classes {
  readonly mask: MPMask;
  /** The largest first. */
  readonly parts: readonly Part[];
}

const CLASSES: PictureTask<Classes, ImageSegmenter> = {
  key: 'classes',
  title: 'Objects and people',
  note: 'DeepLab v3, 20 classes.',
  file: 'deeplabv3_257',
  facing: 'environment',

  create: (options) =>
    ImageSegmenter.createFromOptions(FILESET, { ...options, outputCategoryMask: true, outputConfidenceMasks: false }),

  async look(task, picture, timestamp) {
    const mask = (await segmented(task, picture, timestamp)).categoryMask as MPMask;
    return { mask, parts: partsOf(mask, task.getLabels()) };
  },

  draw(drawing, picture, { mask, parts }) {
    const things = parts.filter(({ index }) => index !== BACKGROUND);
    const colours = new Map(things.map(({ index }) => [index, [...colourOf(index), OVERLAY_ALPHA]]));
    new DrawingUtils(drawing).drawCategoryMask(mask, colours, picture);
  },

  summary({ parts }) {
    const things = parts.filter(({ index }) => index !== BACKGROUND);
    if (things.length === 0) return 'no known class found';
    return things.map(({ label, share }) => `${label} covers ${formatPercent(share)}`).join(', ');
  },

  details: ({ parts }) =>
    table(
      'Parts of the picture',
      [
        { title: 'Class', cell: legend, heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      parts,
    ),
};

interface Person {
  readonly mask: MPMask;
  /** Of the picture, from 0 to 1. */
  readonly share: number;
}

const PERSON: PictureTask<Person, ImageSegmenter> = {
  key: 'person',
  title: 'Blurred background',
  note: 'MediaPipe’s selfie segmentation, as in video calls.',
  file: 'selfie_segmenter',
  facing: 'user',
  create: (options) => ImageSegmenter.createFromOptions(FILESET, options),

  async look(task, picture, timestamp) {
    const mask = (await segmented(task, picture, timestamp)).confidenceMasks?.[0] as MPMask;
    return { mask, share: shareOver(mask, 0.5) };
  },

  draw: (drawing, picture, { mask }) => new DrawingUtils(drawing).drawConfidenceMask(mask, blurred(picture), picture),
  summary: ({ share }) => `the person covers ${formatPercent(share)} of the picture`,

  details: ({ share }) =>
    table(
      'Parts of the picture',
      [
        { title: 'Part', cell: ({ part }) => part, heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      [
        { part: 'person', share },
        { part: 'background, blurred', share: 1 - share },
      ],
    ),
};

function segmented(task: ImageSegmenter, picture: ImageData, timestamp: number | null) {
  return timestamp === null ? task.segmentAsync(picture) : task.segmentForVideoAsync(picture, timestamp);
}

function partsOf(mask: MPMask, labels: readonly string[]): Part[] {
  const classes = mask.getAsUint8Array();
  const counts = labels.map(() => 0);
  for (const index of classes) counts[index] = (counts[index] ?? 0) + 1;
  return counts
    .map((count, index) => ({ index, label: labels[index] ?? `class ${index}`, share: count / classes.length }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((one, other) => other.share - one.share);
}

/** The share of pixels whose confidence is over a limit. */
function shareOver(mask: MPMask, limit: number): number {
  const values = mask.getAsFloat32Array();
  return values.reduce((count, value) => count + (value > limit ? 1 : 0), 0) / values.length;
}

function legend({ index, label }: Part): Node {
  const swatch = create('span', { class: 'swatch' });
  if (index !== BACKGROUND) swatch.style.background = cssColour(colourOf(index));
  return create('span', { class: 'legend' }, swatch, label);
}

void runPictureDemo([CLASSES, PERSON] as PictureTask<unknown>[], [
  { kind: 'samples', name: 'chelsea', title: 'Cat' },
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
]);
