/** Things that a detector has found. */

import { type ImagePlacement, type Point, toImage } from '../images/placement.js';
import { checkArguments, NUMBER } from './arguments.js';

/** A rectangle with upright sides. */
export interface Box {
  /** Distance of its left side from the left edge. */
  readonly left: number;
  /** Distance of its upper side from the upper edge. */
  readonly top: number;
  /** Its width. */
  readonly width: number;
  /** Its height. */
  readonly height: number;
}

/** A thing in an image: in pixels of the image, or relative to the tensor (0 to 1) where no placement was given. */
export interface Detection {
  /** Where it is. */
  readonly box: Box;
  /** Probability from 0 to 1. */
  readonly score: number;
  /** Index of its class. */
  readonly index: number;
  /** Name of its class, or `class 17` without labels. */
  readonly label: string;
  /** Points of the thing, e.g. eyes, for detectors that give them. */
  readonly keyPoints: readonly Point[];
}

/** A detection before it has a name. */
export type RawDetection = Omit<Detection, 'label'>;

/** @internal */
export const BOX = { left: NUMBER, top: NUMBER, width: NUMBER, height: NUMBER };

/** A box by its center. */
export function boxAround(centerX: number, centerY: number, width: number, height: number): Box {
  return { left: centerX - width / 2, top: centerY - height / 2, width, height };
}

/**
 * Intersection over union: 0 for boxes that do not touch, 1 for equal ones.
 *
 * @param one - A box, in any unit.
 * @param other - Another one, in the same unit.
 * @throws OptionError
 */
export function overlapOf(one: Box, other: Box): number {
  checkArguments('overlapOf', { one, other }, { one: BOX, other: BOX });
  return intersectionOverUnion(one, other);
}

/** The same of boxes that are known to be boxes: suppression compares all with all. */
export function intersectionOverUnion(one: Box, other: Box): number {
  const width = shared(one.left, one.width, other.left, other.width);
  const height = shared(one.top, one.height, other.top, other.height);
  const both = width * height;
  const union = one.width * one.height + other.width * other.height - both;
  return union > 0 ? both / union : 0;
}

/** A detection in pixels of the image; the box of a rotated tensor becomes the upright one around it. */
export function inImage<D extends RawDetection>(detection: D, placement: ImagePlacement): D {
  const { left, top, width, height } = detection.box;
  const corners = [
    [left, top],
    [left + width, top],
    [left, top + height],
    [left + width, top + height],
  ].map(([x = 0, y = 0]) => toImage(placement, { x, y }));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [newLeft, newTop] = [Math.min(...xs), Math.min(...ys)];
  return {
    ...detection,
    box: { left: newLeft, top: newTop, width: Math.max(...xs) - newLeft, height: Math.max(...ys) - newTop },
    keyPoints: detection.keyPoints.map((point) => toImage(placement, point)),
  };
}

function shared(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart));
}
