/**
 * Regions of the image that landmark models see: around a detection, or around the last frame's landmarks; and from
 * frame to frame.
 */

import type { Point, Region, Size } from '@tflite-webnn/media/images';
import { type Box, overlapOf, rotationBetween } from '@tflite-webnn/media/results';
import { boxRegion } from '@tflite-webnn/media/results/unchecked';
import type { InputImage } from '../input_image.js';
import type { Steps } from '../vision_model.js';

/** Joints of a hand that hardly move when the fingers do. */
const STEADY_JOINTS = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18];
const [WRIST, INDEX_BASE, MIDDLE_BASE, RING_BASE] = [0, 5, 9, 13] as const;
const [RIGHT_EYE_CORNER, LEFT_EYE_CORNER] = [33, 263] as const;
const UPWARDS = 90;

/** The square around a circle, turned so that the point on the circle is above the center. */
export function circleRegion(center: Point, edge: Point): Region {
  const side = 2 * Math.hypot(edge.x - center.x, edge.y - center.y);
  return {
    center: { x: center.x, y: center.y },
    width: side,
    height: side,
    rotation: rotationBetween(center, edge, UPWARDS),
  };
}

/** The upright box around points. */
export function boundsOf(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** The region of a face, from its mesh: the line between the outer corners of the eyes is horizontal. */
export function faceRegion(points: readonly Point[]): Region {
  const [right, left] = [points[RIGHT_EYE_CORNER] as Point, points[LEFT_EYE_CORNER] as Point];
  return boxRegion(boundsOf(points), rotationBetween(right, left, 0));
}

/** The region of a hand, from its 21 points: the wrist is below the fingers. */
export function handRegion(points: readonly Point[]): Region {
  const rotation = rotationBetween(points[WRIST] as Point, fingersOf(points), UPWARDS);
  const joints = STEADY_JOINTS.map((joint) => points[joint] as Point);
  const { left, top, width, height } = boundsOf(joints.map((joint) => turned(joint, -rotation)));
  const center = turned({ x: left + width / 2, y: top + height / 2 }, rotation);
  return { center, width, height, rotation };
}

/**
 * How much two regions overlap: intersection over union of the boxes that they are before their rotations, as in
 * MediaPipe.
 */
export function regionOverlap(one: Region, other: Region): number {
  return overlapOf(uprightBox(one), uprightBox(other));
}

/**
 * Regions of the last frame and of a detector, each thing once: of two that overlap more than `maxOverlap`, the later
 * is kept. Faces and bodies are associated so.
 */
export function latestRegions(last: readonly Region[], found: readonly Region[], maxOverlap: number): Region[] {
  let kept: Region[] = [];
  for (const region of [...last, ...found]) {
    kept = kept.filter((earlier) => regionOverlap(region, earlier) <= maxOverlap);
    kept.push(region);
  }
  return kept;
}

/**
 * All regions of the last frame, and those of a detector that overlap none of the others more than `maxOverlap`.
 * Hands are associated so.
 */
export function earliestRegions(last: readonly Region[], found: readonly Region[], maxOverlap: number): Region[] {
  const kept = [...last];
  for (const region of found) {
    if (kept.every((earlier) => regionOverlap(region, earlier) <= maxOverlap)) kept.push(region);
  }
  return kept;
}

/** The middle of the bases of index, middle and ring finger, of which the middle one counts twice. */
function fingersOf(points: readonly Point[]): Point {
  const [index, middle, ring] = [INDEX_BASE, MIDDLE_BASE, RING_BASE].map((joint) => points[joint]) as [
    Point,
    Point,
    Point,
  ];
  return { x: ((index.x + ring.x) / 2 + middle.x) / 2, y: ((index.y + ring.y) / 2 + middle.y) / 2 };
}

function turned({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

function uprightBox({ center, width, height }: Region): Box {
  return { left: center.x - width / 2, top: center.y - height / 2, width, height };
}

/**
 * Merges the regions of the last frame and those of a detector; two that overlap more than `maxOverlap` are one thing.
 */
export type Association = (last: readonly Region[], found: readonly Region[], maxOverlap: number) => Region[];

/** How things are followed. */
export interface TrackerOptions {
  /** Maximum number of things. */
  readonly maxResults: number;
  /** Overlap at which a found region is that of a tracked thing. */
  readonly overlap: number;
  readonly associate: Association;
}

/** Follows things through the frames of a video. Images leave no trace. */
export class RegionTracker {
  readonly #options: TrackerOptions;
  #last: readonly Region[] = [];
  #size: Size = { width: 1, height: 1 };

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /**
   * The regions to look at in an image or frame.
   *
   * @param detect - Looks for things; it is not called for a frame if the last one had as many things as are requested.
   */
  *regions({ timestamp, size }: InputImage, detect: () => Steps<Region[]>): Steps<readonly Region[]> {
    const { maxResults, overlap, associate } = this.#options;
    if (timestamp === null) return (yield* detect()).slice(0, maxResults);
    const last = this.#last.map((region) =>
      resized(region, size.width / this.#size.width, size.height / this.#size.height),
    );
    if (last.length >= maxResults) return last.slice(0, maxResults);
    const found = yield* detect();
    return associate(last, found, overlap).slice(0, maxResults);
  }

  /** Where the things of this frame may be in the next one. */
  expect({ timestamp, size }: InputImage, regions: readonly Region[]): void {
    if (timestamp === null) return;
    this.#last = regions;
    this.#size = size;
  }
}

/** The same part of a frame of another size: cameras and calls change their size while they run. */
function resized({ center, width, height, rotation }: Region, across: number, down: number): Region {
  return {
    center: { x: center.x * across, y: center.y * down },
    width: width * across,
    height: height * down,
    rotation,
  };
}
