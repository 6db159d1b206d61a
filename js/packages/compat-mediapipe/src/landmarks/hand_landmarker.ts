/** The 21 points of hands, which are followed through frames; each hand once. */

import type { ImagePlacement, Point, Region } from '@tflite-webnn/media/images';
import { type DetectorHead, overlapOf, type Result, realValues, toLandmarks } from '@tflite-webnn/media/results';
import { grownRegion } from '@tflite-webnn/media/results/unchecked';
import type { TaskBundle } from 'tflite-webnn/metadata';
import { DetectingTask } from '../detecting_task.js';
import type { InputImage } from '../input_image.js';
import {
  CONFIDENCE,
  CONFIDENCE_DEFAULT,
  COUNT_OF_THINGS,
  type OwnOptions,
  type VisionTaskOptions,
} from '../options.js';
import type { Category, Connection, Landmark, NormalizedLandmark } from '../results.js';
import { bundleOf, type TaskFile } from '../task_file.js';
import type { Steps, VisionModel } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';
import { paths } from './connections.js';
import { type DetectionLimits, detectThings, headOfDetector, PALM_DETECTOR } from './detectors.js';
import {
  lookAt,
  normalized,
  numberOf,
  type PixelLandmark,
  WITHOUT_METADATA,
  worldLandmarks,
} from './landmark_models.js';
import { boundsOf, earliestRegions, handRegion, RegionTracker } from './regions.js';

const [WRIST, INDEX_BASE, LITTLE_BASE] = [0, 5, 17] as const;
// Points of two hands match if they are nearer than this share of the palm.
const NEAR = 0.2;
const MAX_MATCHES = 9;
const MAX_OVERLAP = 0.2;

/**
 * Leaves out hands that are the same as an earlier one.
 *
 * @param hands - Each with its 21 points in pixels.
 */
export function withoutDuplicates<H extends { readonly points: readonly Point[] }>(hands: readonly H[]): H[] {
  const kept: H[] = [];
  for (const hand of hands) {
    if (!kept.some((earlier) => isSameHand(hand.points, earlier.points))) kept.push(hand);
  }
  return kept;
}

function isSameHand(one: readonly Point[], other: readonly Point[]): boolean {
  const near = NEAR * Math.max(palmSize(one), palmSize(other));
  const matches = one.filter((point, index) => distance(point, other[index] as Point) < near).length;
  return matches > MAX_MATCHES && overlapOf(boundsOf(one), boundsOf(other)) > MAX_OVERLAP;
}

/** The longest side of the triangle of wrist, index finger and little finger. */
function palmSize(points: readonly Point[]): number {
  const [wrist, index, little] = [WRIST, INDEX_BASE, LITTLE_BASE].map((joint) => points[joint]) as [
    Point,
    Point,
    Point,
  ];
  return Math.max(distance(wrist, index), distance(index, little), distance(little, wrist));
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Which hands a task finds. */
export interface HandOptions extends VisionTaskOptions {
  /** Maximum number of hands. Default: 1. */
  numHands?: number | undefined;
  /** Minimum score of a palm for the detector. Default: 0.5. */
  minHandDetectionConfidence?: number | undefined;
  /** Minimum probability that landmarks are of a hand. Default: 0.5. */
  minHandPresenceConfidence?: number | undefined;
  /** Overlap from which on a detected hand is one that is tracked already. Default: 0.5. */
  minTrackingConfidence?: number | undefined;
}

/** @internal */
export const HAND_OPTIONS: OwnOptions<Required<HandOptions>> = {
  numHands: COUNT_OF_THINGS,
  minHandDetectionConfidence: CONFIDENCE,
  minHandPresenceConfidence: CONFIDENCE,
  minTrackingConfidence: CONFIDENCE,
};

/** The models of hands. */
export interface HandModels {
  readonly detector: VisionModel;
  readonly head: DetectorHead;
  readonly landmarker: VisionModel;
}

/** A hand. */
export interface Hand {
  /** Its 21 points in pixels. */
  readonly points: readonly PixelLandmark[];
  /** The same in meters, from the middle of the hand. */
  readonly world: Landmark[];
  /** Left or right. */
  readonly handedness: Category;
}

/** Lines of a hand: the fingers, and the palm. */
export const HAND_CONNECTIONS: Connection[] = [
  ...paths([0, 1, 2, 3, 4], [0, 5, 6, 7, 8], [5, 9, 10, 11, 12], [9, 13, 14, 15, 16]),
  ...paths([13, 17], [0, 17], [17, 18, 19, 20]),
];

const [DETECTOR, LANDMARKER] = ['hand_detector.tflite', 'hand_landmarks_detector.tflite'] as const;
const NEXT_FRAME = { scale: 2, shiftY: -0.1 };
// Depths of the model are this much less than its x and y.
const DEPTH_SCALE = 0.4;
/** Points, presence, side, points in meters. */
type HandOutputs = readonly [Result, Result, Result, Result];

const SIDES = ['Right', 'Left'];

/** Loads the models of hands from a bundle. */
export async function openHandModels(bundle: TaskBundle, load: LoadModel): Promise<HandModels> {
  const [detector, landmarker] = await Promise.all([
    load(bundle.bytes(DETECTOR), WITHOUT_METADATA),
    load(bundle.bytes(LANDMARKER), WITHOUT_METADATA),
  ]);
  return { detector, head: headOfDetector(PALM_DETECTOR, detector), landmarker };
}

/** Finds hands. */
export class HandFinder {
  readonly #limits: DetectionLimits;
  readonly #minPresence: number;
  readonly #tracker: RegionTracker;

  /** @throws OptionError */
  constructor(options: HandOptions) {
    const maxResults = options.numHands ?? 1;
    const minScore = options.minHandDetectionConfidence ?? CONFIDENCE_DEFAULT;
    const overlap = options.minTrackingConfidence ?? CONFIDENCE_DEFAULT;
    this.#limits = { minScore, overlap: PALM_DETECTOR.overlap, maxResults };
    this.#minPresence = options.minHandPresenceConfidence ?? CONFIDENCE_DEFAULT;
    this.#tracker = new RegionTracker({ maxResults, overlap, associate: earliestRegions });
  }

  /** The hands of an image or frame. */
  *find(image: InputImage, models: HandModels): Steps<Hand[]> {
    const found: Hand[] = [];
    for (const region of yield* this.#tracker.regions(image, () => this.#detect(image, models))) {
      const hand = yield* this.#handIn(region, image, models);
      if (hand) found.push(hand);
    }
    const hands = withoutDuplicates(found);
    const expected = hands.map(({ points }) => grownRegion(handRegion(points), NEXT_FRAME));
    this.#tracker.expect(image, expected);
    return hands;
  }

  *#detect(image: InputImage, { detector, head }: HandModels): Steps<Region[]> {
    const palms = yield* detectThings(PALM_DETECTOR, head, detector, image, this.#limits);
    return palms.map((palm) => PALM_DETECTOR.region(palm));
  }

  /** The hand in a region; null where there is none. */
  *#handIn(region: Region, { source }: InputImage, { landmarker: model }: HandModels): Steps<Hand | null> {
    const { results, placement } = yield* lookAt<HandOutputs>(model, source, region, 4);
    const [points, presence, side, world] = results;
    if (numberOf(presence) <= this.#minPresence) return null;
    const landmarks = pointsOf(points, placement, model);
    return {
      points: landmarks,
      world: worldLandmarks(realValues(world), region.rotation, landmarks),
      handedness: handednessOf(numberOf(side)),
    };
  }
}

function pointsOf(result: Result, placement: ImagePlacement, model: VisionModel): PixelLandmark[] {
  const landmarks = toLandmarks(result, { inputSize: model.size, placement });
  return landmarks.map(({ x, y, z }) => ({ x, y, z: z / DEPTH_SCALE, visibility: 0 }));
}

function handednessOf(right: number): Category {
  const index = right >= 0.5 ? 0 : 1;
  const name = SIDES[index] as string;
  return { score: index === 0 ? right : 1 - right, index, categoryName: name, displayName: name };
}

/** Which hands a {@link HandLandmarker} finds. */
export interface HandLandmarkerOptions extends HandOptions {}

/** What a {@link HandLandmarker} has found. */
export interface HandLandmarkerResult {
  /** Of each hand 21 points, from the wrist to the fingertips. */
  landmarks: NormalizedLandmark[][];
  /** The same points in meters. */
  worldLandmarks: Landmark[][];
  /** Of each hand `Left` or `Right`, as if the image were mirrored, like a camera's of oneself. */
  handednesses: Category[][];
  /** The same as `handednesses`. */
  handedness: Category[][];
}

/** Finds the landmarks of hands. It accepts a bundle, `hand_landmarker.task`. */
export class HandLandmarker extends DetectingTask<HandLandmarkerOptions, HandLandmarkerResult, HandModels> {
  /** Lines of a hand. */
  static readonly HAND_CONNECTIONS: Connection[] = HAND_CONNECTIONS;

  #finder: HandFinder | null = null;

  /** @internal */
  protected override open(file: TaskFile, load: LoadModel): Promise<HandModels> {
    return openHandModels(bundleOf(file, 'HandLandmarker'), load);
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<HandLandmarkerOptions>> {
    return { ...HAND_OPTIONS };
  }

  /** @internal */
  protected override configure(options: HandLandmarkerOptions): void {
    this.#finder = new HandFinder(options);
  }

  /** @internal */
  protected override *steps(image: InputImage, models: HandModels): Steps<HandLandmarkerResult> {
    return handResults(yield* (this.#finder as HandFinder).find(image, models), image);
  }
}

/** Hands as they are returned. */
export function handResults(hands: readonly Hand[], { size }: InputImage): HandLandmarkerResult {
  const handednesses = hands.map(({ handedness }) => [handedness]);
  return {
    landmarks: hands.map(({ points }) => normalized(points, size)),
    worldLandmarks: hands.map(({ world }) => world),
    handednesses,
    handedness: handednesses,
  };
}
