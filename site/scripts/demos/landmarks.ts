/**
 * Face, hand and pose landmarks as in MediaPipe: a detector finds regions, a second model finds the points in each.
 *
 * The numbers are those of MediaPipe's graphs: face_landmark_front, hand_landmark_tracking and pose_landmark.
 */

import { type Detection, type DetectorSpec, probability, readDetections } from './detections.js';
import { refinePoint } from './heatmap.js';
import type { Net, PortInfo } from './net.js';
import { floatTensor, inSquare, type Picture, type Point, type ValueRange } from './picture.js';
import { cutOut, placeIn, type Region, type RegionRule, regionOf, turnOf } from './region.js';
import { resizePicture } from './resize.js';

/** A face, hand or body, in pixels. */
export interface Found {
  /** Probability from 0 to 1. */
  readonly score: number;
  /** The input region of the landmark model. */
  readonly region: Region;
  readonly points: readonly Landmark[];
}

export interface Landmark extends Point {
  /** Probability that the point is visible; 1 if the model gives none. */
  readonly visibility: number;
}

/** Settings of a kind of landmarks. */
export interface LandmarkTask {
  readonly detector: DetectorSpec;
  readonly detectorRange: ValueRange;
  /** Maximum number of detections. */
  readonly most: number;
  /** Returns the landmark model's input region for a detection. */
  readonly region: (detection: Detection) => Region;
  /** Decodes the landmark model's outputs, in coordinates relative to its input. */
  readonly read: (outputs: readonly Float32Array[], inputSize: number) => { score: number; points: Landmark[] };
}

/** A model's output of `count` points with `numbers` values each: x and y come first, in pixels of the input. */
interface PointLayout {
  readonly count: number;
  readonly numbers: number;
}

// Below this, the region holds no such face, hand or body.
const MIN_PRESENCE = 0.5;
const LANDMARK_RANGE: ValueRange = { low: 0, high: 1 };
const FACE: RegionRule = { scale: 1.5, shiftY: 0 };
const HAND: RegionRule = { scale: 2.6, shiftY: -0.5 };
const POSE: RegionRule = { scale: 1.25, shiftY: 0 };
const VISIBILITY_NUMBER = 3;

/** Faces: 468 points of a mesh. */
export const FACE_TASK: LandmarkTask = {
  detector: { inputSize: 128, strides: [8, 16, 16, 16], keyPoints: 6, minScore: 0.5 },
  detectorRange: { low: -1, high: 1 },
  most: 4,
  region: ({ centre, width, height, keyPoints: [oneEye, otherEye] }) =>
    regionOf(centre, width, height, turnOf(oneEye as Point, otherEye as Point, 0), FACE),
  read: ([points, flag], size) => ({
    score: probability(flag?.[0] as number),
    points: readPoints(points as Float32Array, { count: 468, numbers: 3 }, size),
  }),
};

/** Hands: 21 points, from the wrist to the fingertips. */
export const HAND_TASK: LandmarkTask = {
  detector: { inputSize: 192, strides: [8, 16, 16, 16], keyPoints: 7, minScore: 0.5 },
  detectorRange: { low: 0, high: 1 },
  most: 2,
  region: ({ centre, width, height, keyPoints: [wrist, , middleFinger] }) =>
    regionOf(centre, width, height, turnOf(wrist as Point, middleFinger as Point, 90), HAND),
  read: ([points, presence], size) => ({
    score: presence?.[0] as number,
    points: readPoints(points as Float32Array, { count: 21, numbers: 3 }, size),
  }),
};

/** A body: 33 points. The last six of the model's 39 points only help tracking. */
export const POSE_TASK: LandmarkTask = {
  detector: { inputSize: 224, strides: [8, 16, 32, 32, 32], keyPoints: 4, minScore: 0.5 },
  detectorRange: { low: -1, high: 1 },
  most: 1,
  region: ({ keyPoints: [hips, top] }) => {
    const [middle, end] = [hips as Point, top as Point];
    const size = 2 * Math.hypot(end.x - middle.x, end.y - middle.y);
    return regionOf(middle, size, size, turnOf(middle, end, 90), POSE);
  },
  read: ([points, presence, , heat], size) => {
    const maps = { values: heat as Float32Array, cells: 64, points: 39 };
    const rough = readPoints(points as Float32Array, { count: 33, numbers: 5 }, size);
    return {
      score: presence?.[0] as number,
      points: rough.map((point, index) => ({ ...point, ...refinePoint(point, index, maps) })),
    };
  },
};

/**
 * Finds faces, hands or a body.
 *
 * @param task - Kind of landmarks.
 * @param detector - The detector.
 * @param landmarker - The landmark model.
 * @param picture - The picture.
 * @returns Faces, hands or bodies, highest detection score first.
 */
export async function findLandmarks(
  task: LandmarkTask,
  detector: Net,
  landmarker: Net,
  picture: Picture,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const detection of (await detect(task, detector, picture)).slice(0, task.most)) {
    const region = task.region(detection);
    const size = sideOf(landmarker);
    const outputs = await landmarker.run(floatTensor(cutOut(picture, region, size), LANDMARK_RANGE));
    const { score, points } = task.read(outputs as Float32Array[], size);
    if (score < MIN_PRESENCE) continue;
    found.push({ score, region, points: points.map((point) => ({ ...point, ...placeIn(region, point) })) });
  }
  return found;
}

/** Runs the detector on the letterboxed picture; detections are in pixels of the picture. */
async function detect(task: LandmarkTask, detector: Net, picture: Picture): Promise<Detection[]> {
  const { inputSize } = task.detector;
  const scale = inputSize / Math.max(picture.width, picture.height);
  const resized = resizePicture(picture, Math.round(picture.width * scale), Math.round(picture.height * scale));
  const { pixels, left, top } = inSquare(resized, inputSize);
  const [boxes, scores] = await detector.run(floatTensor(pixels, task.detectorRange));
  const toPicture = ({ x, y }: Point): Point => ({
    x: (x * inputSize - left) / scale,
    y: (y * inputSize - top) / scale,
  });
  return readDetections(boxes as Float32Array, scores as Float32Array, task.detector).map((detection) => ({
    score: detection.score,
    centre: toPicture(detection.centre),
    width: (detection.width * inputSize) / scale,
    height: (detection.height * inputSize) / scale,
    keyPoints: detection.keyPoints.map(toPicture),
  }));
}

function readPoints(values: Float32Array, { count, numbers }: PointLayout, inputSize: number): Landmark[] {
  return Array.from({ length: count }, (_, index) => {
    const at = (offset: number) => values[index * numbers + offset] as number;
    const visibility = numbers > VISIBILITY_NUMBER ? probability(at(VISIBILITY_NUMBER)) : 1;
    return { x: at(0) / inputSize, y: at(1) / inputSize, visibility };
  });
}

function sideOf(net: Net): number {
  return (net.inputs[0] as PortInfo).shape[1] as number;
}
