/**
 * Face, hand and pose landmarks as in MediaPipe: a detector finds regions, a second model finds the points in each.
 *
 * The numbers are those of MediaPipe's graphs: face_landmark_front, hand_landmark_tracking and pose_landmark.
 */

import type { ImagePlacement, PixelData, Point, Region } from 'tflite-webnn/image';
import {
  type Detection,
  decodeDetections,
  type Landmark,
  type MediapipeHeadOptions,
  mediapipeHead,
  type Result,
  regionAround,
  rotationBetween,
  toLandmarks,
} from 'tflite-webnn/results';
import { type Net, portsOf, type Values } from './net.js';
import { tensorOf } from './picture_input.js';

/** A face, hand or body, in pixels. */
export interface Found {
  /** Probability from 0 to 1. */
  readonly score: number;
  /** The input region of the landmark model. */
  readonly region: Region;
  readonly points: readonly Landmark[];
}

/** Settings of a kind of landmarks. */
export interface LandmarkTask {
  readonly detector: MediapipeHeadOptions;
  readonly detectorRange: readonly [low: number, high: number];
  /** Maximum number of detections. */
  readonly most: number;
  /** Returns the landmark model's input region for a detection. */
  readonly region: (detection: Detection) => Region;
  /** Numbers of a point in the landmark model's first output, and how many points are wanted. */
  readonly numbers: number;
  readonly count: number;
  /** Whether the second output has log-odds of the presence, not its probability. */
  readonly hasLogits: boolean;
  /** Position of the output with heat maps. */
  readonly heatmap?: number;
}

// Below this, the region holds no such face, hand or body.
const MIN_PRESENCE = 0.5;
const LANDMARK_RANGE = [0, 1] as const;
const SUPPRESSION = { overlap: 0.3, duplicates: 'merge' } as const;

/** Faces: 468 points of a mesh. */
export const FACE_TASK: LandmarkTask = {
  detector: { inputSize: 128, strides: [8, 16, 16, 16], keyPoints: 6 },
  detectorRange: [-1, 1],
  most: 4,
  region: ({ box, keyPoints: [oneEye, otherEye] }) =>
    regionAround(box, { rotation: rotationBetween(oneEye as Point, otherEye as Point, 0), scale: 1.5 }),
  numbers: 3,
  count: 468,
  hasLogits: true,
};

/** Hands: 21 points, from the wrist to the fingertips. */
export const HAND_TASK: LandmarkTask = {
  detector: { inputSize: 192, strides: [8, 16, 16, 16], keyPoints: 7 },
  detectorRange: [0, 1],
  most: 2,
  region({ box, keyPoints: [wrist, , middleFinger] }) {
    const rotation = rotationBetween(wrist as Point, middleFinger as Point, 90);
    return regionAround(box, { rotation, scale: 2.6, shiftY: -0.5 });
  },
  numbers: 3,
  count: 21,
  hasLogits: false,
};

/** A body: 33 points. The last six of the model's 39 points only help tracking. */
export const POSE_TASK: LandmarkTask = {
  detector: { inputSize: 224, strides: [8, 16, 32, 32, 32], keyPoints: 4 },
  detectorRange: [-1, 1],
  most: 1,
  region({ keyPoints: [hips, top] }) {
    const [{ x, y }, end] = [hips as Point, top as Point];
    const radius = Math.hypot(end.x - x, end.y - y);
    const box = { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius };
    return regionAround(box, { rotation: rotationBetween({ x, y }, end, 90), scale: 1.25 });
  },
  numbers: 5,
  count: 33,
  hasLogits: false,
  heatmap: 3,
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
  picture: PixelData,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const detection of await detect(task, detector, picture)) {
    const region = task.region(detection);
    const { input } = portsOf(landmarker);
    const options = { region, range: LANDMARK_RANGE, antialias: true } as const;
    const { data, placement } = await tensorOf(landmarker, picture, options);
    const { score, points } = read(task, await resultsOf(landmarker, data as Values), placement, input.shape);
    if (score >= MIN_PRESENCE) found.push({ score, region, points });
  }
  return found;
}

/** Runs the detector on the letterboxed picture; detections are in pixels of the picture. */
async function detect({ detector, detectorRange, most }: LandmarkTask, net: Net, picture: PixelData) {
  const options = { fit: 'letterbox', range: detectorRange, antialias: true } as const;
  const { data, placement } = await tensorOf(net, picture, options);
  const results = await resultsOf(net, data as Values);
  return decodeDetections(results, { head: mediapipeHead(detector), placement, maxResults: most, ...SUPPRESSION });
}

function read(task: LandmarkTask, results: readonly Result[], placement: ImagePlacement, shape: readonly number[]) {
  const [points, presence] = results as [Result, Result];
  const value = Number(presence.data[0]);
  const [, height = 0, width = 0] = shape;
  const heatmap = task.heatmap === undefined ? undefined : results[task.heatmap];
  const { numbers, count } = task;
  const options = { inputSize: { width, height }, numbers, count, placement, ...(heatmap && { heatmap }) };
  return {
    score: task.hasLogits ? 1 / (1 + Math.exp(-value)) : value,
    points: toLandmarks(points, options),
  };
}

async function resultsOf(net: Net, input: Values): Promise<Result[]> {
  const values = await net.run(input);
  return values.map((data, index) => ({ shape: [data.length], ...net.outputs[index], data }));
}
