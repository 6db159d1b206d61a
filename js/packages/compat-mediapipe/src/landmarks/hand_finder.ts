/** Finds hands in images, and follows them through frames: what hand landmarker and gesture recognizer share. */

import type { ImagePlacement, Region } from '@tflite-webnn/media/images';
import { type DetectorHead, type Result, realValues, toLandmarks } from '@tflite-webnn/media/results';
import type { TaskBundle } from 'tflite-webnn/metadata';
import type { InputImage } from '../input_image.js';
import {
  CONFIDENCE,
  CONFIDENCE_DEFAULT,
  COUNT_OF_THINGS,
  type OwnOptions,
  type VisionTaskOptions,
} from '../options.js';
import type { Category, Connection, Landmark } from '../results.js';
import type { Steps, VisionModel } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';
import { paths } from './connections.js';
import { type DetectionLimits, detectThings, headOfDetector, PALM_DETECTOR } from './detectors.js';
import { withoutDuplicates } from './hand_duplicates.js';
import { lookAt, numberOf, sizeOfInput, WITHOUT_METADATA } from './model_input.js';
import { type PixelLandmark, worldLandmarks } from './points.js';
import { RegionTracker } from './region_tracker.js';
import { earliestRegions, grown, handRegion } from './regions.js';

/** Which hands a task finds. */
export interface HandOptions extends VisionTaskOptions {
  /** The most hands. Default: 1. */
  numHands?: number | undefined;
  /** The least score of a palm for the detector. Default: 0.5. */
  minHandDetectionConfidence?: number | undefined;
  /** The least probability that landmarks are of a hand. Default: 0.5. */
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
    const most = options.numHands ?? 1;
    const least = options.minHandDetectionConfidence ?? CONFIDENCE_DEFAULT;
    const overlap = options.minTrackingConfidence ?? CONFIDENCE_DEFAULT;
    this.#limits = { least, overlap: PALM_DETECTOR.overlap, most };
    this.#minPresence = options.minHandPresenceConfidence ?? CONFIDENCE_DEFAULT;
    this.#tracker = new RegionTracker({ most, overlap, associate: earliestRegions });
  }

  /** The hands of an image or frame. */
  *find(image: InputImage, models: HandModels): Steps<Hand[]> {
    const found: Hand[] = [];
    for (const region of yield* this.#tracker.regions(image, () => this.#detect(image, models))) {
      const hand = yield* this.#handIn(region, image, models);
      if (hand) found.push(hand);
    }
    const hands = withoutDuplicates(found);
    const expected = hands.map(({ points }) => grown(handRegion(points), NEXT_FRAME));
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
  const landmarks = toLandmarks(result, { inputSize: sizeOfInput(model), placement });
  return landmarks.map(({ x, y, z }) => ({ x, y, z: z / DEPTH_SCALE, visibility: 0 }));
}

function handednessOf(right: number): Category {
  const index = right >= 0.5 ? 0 : 1;
  const name = SIDES[index] as string;
  return { score: index === 0 ? right : 1 - right, index, categoryName: name, displayName: name };
}
