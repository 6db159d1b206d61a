/** MediaPipe's detectors of faces, palms and bodies, and the regions that their detections lead to. */

import type { InputRange, Point, Region } from '@tflite-webnn/media/images';
import {
  type Detection,
  type DetectorHead,
  decodeDetections,
  mediapipeHead,
  rotationBetween,
} from '@tflite-webnn/media/results';
import { boxRegion, grownRegion } from '@tflite-webnn/media/results/unchecked';
import { TaskModelError } from '@tflite-webnn/tasks';
import type { InputImage } from '../input_image.js';
import type { Steps, VisionModel } from '../vision_model.js';
import { rangeOf } from './landmark_models.js';
import { circleRegion } from './regions.js';

/** A kind of detectors, as far as their files do not describe them. */
export interface Detector {
  /** What it finds, for messages. */
  readonly what: string;
  /** The values of black and white, if the file does not have them. */
  readonly range: InputRange;
  /** Detections that overlap more than this are of one thing, unless an option says it. */
  readonly overlap: number;
  /** How outputs are read, by the side of the model's square input in pixels. */
  readonly heads: Readonly<Record<number, () => DetectorHead>>;
  /** The region that the landmark model sees of a detection. */
  region(detection: Detection): Region;
}

/** Which detections count. */
export interface DetectionLimits {
  /** Minimum score. */
  readonly minScore: number;
  /** Detections that overlap more than this are of one thing. */
  readonly overlap: number;
  /** Maximum number of detections; those with the best scores. */
  readonly maxResults: number;
}

// MediaPipe's tasks mean 90 degrees and use 90 radians: hands of a first frame are turned by 27 degrees.
const PALM_DEGREES = (90 * 180) / Math.PI;

/** Faces near the camera, and the model for those as far as five meters. */
export const FACE_DETECTOR: Detector = {
  what: 'faces',
  overlap: 0.5,
  range: [-1, 1],
  heads: {
    128: () => mediapipeHead('face_short_range'),
    192: () => mediapipeHead('face_full_range'),
  },
  region({ box, keyPoints: [rightEye, leftEye] }) {
    const rotation = rotationBetween(rightEye as Point, leftEye as Point, 0);
    return grownRegion(boxRegion(box, rotation), { scale: 1.5, isSquare: false });
  },
};

/** Palms, whose regions hold the entire hand. */
export const PALM_DETECTOR: Detector = {
  what: 'palms',
  overlap: 0.3,
  range: [0, 1],
  heads: { 192: () => mediapipeHead('palm') },
  region({ box, keyPoints: [wrist, , middleFinger] }) {
    const rotation = rotationBetween(wrist as Point, middleFinger as Point, PALM_DEGREES);
    return grownRegion(boxRegion(box, rotation), { scale: 2.6, shiftY: -0.5 });
  },
};

/** Bodies: the circle around the hips that holds all of one. */
export const POSE_DETECTOR: Detector = {
  what: 'bodies',
  overlap: 0.5,
  range: [-1, 1],
  heads: { 224: () => mediapipeHead('pose') },
  region: ({ keyPoints: [hips, edge] }) => bodyRegion(hips as Point, edge as Point),
};

/** The region of a body, by the middle of its hips and a point of the circle around it. */
export function bodyRegion(hips: Point, edge: Point): Region {
  return grownRegion(circleRegion(hips, edge), { scale: 1.25 });
}

/**
 * How a detector's outputs are read.
 *
 * @throws TaskModelError where the model is another one.
 */
export function headOfDetector({ heads, what }: Detector, model: VisionModel): DetectorHead {
  const [input] = model.inputs;
  const [, height = 0, width = 0] = input?.shape ?? [];
  const head = height === width ? heads[height] : undefined;
  if (head) return head();
  const sides = Object.keys(heads).join(' or ');
  throw new TaskModelError(
    `The detector of ${what} has the input [${input?.shape.join(', ')}]: it must be a square of ${sides} pixels.`,
  );
}

/** Finds things in an image: in its pixels, best first. */
export function* detectThings(
  detector: Detector,
  head: DetectorHead,
  model: VisionModel,
  { source, region }: InputImage,
  { minScore, overlap, maxResults }: DetectionLimits,
): Steps<Detection[]> {
  const input = model.tensorOf(source, region, { fit: 'letterbox', ...rangeOf(model, detector.range) });
  const results = yield { model, inputs: [input] };
  const { placement } = input;
  const limits = { threshold: minScore, overlap, maxResults, duplicates: 'merge' } as const;
  return decodeDetections(results, { head, placement, ...limits });
}
