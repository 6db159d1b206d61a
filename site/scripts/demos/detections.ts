/** Decodes MediaPipe's detectors: boxes and key points relative to fixed anchors, several per object. */

import type { Point } from './picture.js';

/** Settings of a detector. */
export interface DetectorSpec {
  /** Side of the model's square input, in pixels. */
  readonly inputSize: number;
  /** Strides of the anchor layers, finest first. */
  readonly strides: readonly number[];
  /** Key points per detection. */
  readonly keyPoints: number;
  /** Minimum probability of a detection. */
  readonly minScore: number;
}

/** A detection, in coordinates relative to the model's input: 0 is the left or upper edge, 1 the opposite edge. */
export interface Detection {
  readonly score: number;
  readonly centre: Point;
  readonly width: number;
  readonly height: number;
  readonly keyPoints: readonly Point[];
}

// Detections with a larger intersection over union are merged.
const MAX_OVERLAP = 0.3;
const ANCHORS_PER_LAYER = 2;
const BOX_NUMBERS = 4;

/** Anchor centres in the model's order: layers of equal stride share a grid. */
export function anchorsOf({ inputSize, strides }: DetectorSpec): Point[] {
  const layersByStride = new Map<number, number>();
  for (const stride of strides) layersByStride.set(stride, (layersByStride.get(stride) ?? 0) + 1);
  return [...layersByStride].flatMap(([stride, layers]) => gridOf(inputSize / stride, layers * ANCHORS_PER_LAYER));
}

function gridOf(cells: number, anchorsPerCell: number): Point[] {
  return Array.from({ length: cells * cells * anchorsPerCell }, (_, index) => {
    const cell = Math.floor(index / anchorsPerCell);
    return { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells };
  });
}

/**
 * Decodes a detector's outputs.
 *
 * @param boxes - For each anchor: x, y, width and height of the box, then x and y of each key point, in pixels.
 * @param scores - Log-odds of each anchor.
 * @param spec - The detector.
 * @returns Detections, highest score first.
 */
export function readDetections(boxes: Float32Array, scores: Float32Array, spec: DetectorSpec): Detection[] {
  const numbers = BOX_NUMBERS + 2 * spec.keyPoints;
  const found: Detection[] = [];
  for (const [index, anchor] of anchorsOf(spec).entries()) {
    const score = probability(scores[index] as number);
    if (score < spec.minScore) continue;
    const box = boxes.subarray(index * numbers, (index + 1) * numbers);
    found.push(decode(box, anchor, score, spec.inputSize));
  }
  return mergeOverlapping(found);
}

/** Converts log-odds to a probability. */
export function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function decode(box: Float32Array, anchor: Point, score: number, inputSize: number): Detection {
  const at = (index: number) => (box[index] as number) / inputSize;
  const pointAt = (index: number): Point => ({ x: anchor.x + at(index), y: anchor.y + at(index + 1) });
  const keyPoints = Array.from({ length: (box.length - BOX_NUMBERS) / 2 }, (_, point) =>
    pointAt(BOX_NUMBERS + 2 * point),
  );
  return { score, centre: pointAt(0), width: at(2), height: at(3), keyPoints };
}

/** Weighted non-maximum suppression: merges overlapping detections into their mean, weighted by score. */
function mergeOverlapping(detections: readonly Detection[]): Detection[] {
  const merged: Detection[] = [];
  let rest = [...detections].sort((one, other) => other.score - one.score);
  while (rest[0]) {
    const best = rest[0];
    const same = rest.filter((other) => other === best || overlap(best, other) > MAX_OVERLAP);
    merged.push(meanOf(best, same));
    rest = rest.filter((other) => !same.includes(other));
  }
  return merged;
}

function meanOf(best: Detection, same: readonly Detection[]): Detection {
  const total = same.reduce((sum, { score }) => sum + score, 0);
  const mean = (value: (detection: Detection) => number) =>
    same.reduce((sum, detection) => sum + detection.score * value(detection), 0) / total;
  return {
    score: best.score,
    centre: { x: mean(({ centre }) => centre.x), y: mean(({ centre }) => centre.y) },
    width: mean(({ width }) => width),
    height: mean(({ height }) => height),
    keyPoints: best.keyPoints.map((_, index) => ({
      x: mean(({ keyPoints }) => (keyPoints[index] as Point).x),
      y: mean(({ keyPoints }) => (keyPoints[index] as Point).y),
    })),
  };
}

/** Intersection over union of two boxes. */
function overlap(one: Detection, other: Detection): number {
  const width = sharedLength(one.centre.x, one.width, other.centre.x, other.width);
  const height = sharedLength(one.centre.y, one.height, other.centre.y, other.height);
  const shared = width * height;
  return shared / (one.width * one.height + other.width * other.height - shared);
}

function sharedLength(middle: number, length: number, otherMiddle: number, otherLength: number): number {
  const start = Math.max(middle - length / 2, otherMiddle - otherLength / 2);
  const end = Math.min(middle + length / 2, otherMiddle + otherLength / 2);
  return Math.max(0, end - start);
}
