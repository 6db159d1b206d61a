/** Segmentation, as the vision worker runs it. */

import { classShares } from 'tflite-webnn/results';
import { DrawingUtils, ImageSegmenter, type MPMask } from 'tflite-webnn/vision';
import { blurred } from './blur.js';
import { BACKGROUND, colourOf } from './colours.js';
import { FILESET, type WorkerTask } from './worker_task.js';

const OVERLAY_ALPHA = 150;
// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.001;
const HALF = 0.5;

/** A part of the image. */
export interface Part {
  /** Index of its class. */
  readonly index: number;
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** DeepLab's classes: the largest part first. */
export const CLASSES: WorkerTask<readonly Part[], ImageSegmenter> = {
  create: (options) =>
    ImageSegmenter.createFromOptions(FILESET, { ...options, outputCategoryMask: true, outputConfidenceMasks: false }),

  async look(task, image, timestamp) {
    const mask = (await segmented(task, image, timestamp)).categoryMask as MPMask;
    const parts = partsOf(mask, task.getLabels());
    const things = parts.filter(({ index }) => index !== BACKGROUND);
    const colours = new Map(things.map(({ index }) => [index, [...colourOf(index), OVERLAY_ALPHA]]));
    const clear = new ImageData(mask.width, mask.height);
    return { result: parts, draw: (drawing) => new DrawingUtils(drawing).drawCategoryMask(mask, colours, clear) };
  },
};

/** A person, before a blurred background: the share of the image, from 0 to 1. */
export const PERSON: WorkerTask<number, ImageSegmenter> = {
  create: (options) => ImageSegmenter.createFromOptions(FILESET, options),

  async look(task, image, timestamp) {
    const mask = (await segmented(task, image, timestamp)).confidenceMasks?.[0] as MPMask;
    return {
      result: shareOver(mask, HALF),
      draw: (drawing) => new DrawingUtils(drawing).drawConfidenceMask(mask, blurred(image), image),
    };
  },
};

function segmented(task: ImageSegmenter, image: ImageData, timestamp: number | null) {
  return timestamp === null ? task.segmentAsync(image) : task.segmentForVideoAsync(image, timestamp);
}

function partsOf(mask: MPMask, labels: readonly string[]): Part[] {
  const { width, height } = mask;
  return classShares({ width, height, classes: mask.getAsUint8Array() })
    .filter(({ share }) => share >= MIN_SHARE)
    .map(({ index, share }) => ({ index, label: labels[index] ?? `class ${index}`, share }));
}

/** The share of pixels whose confidence is over a limit. */
function shareOver(mask: MPMask, limit: number): number {
  const values = mask.getAsFloat32Array();
  return values.reduce((count, value) => count + (value > limit ? 1 : 0), 0) / values.length;
}
