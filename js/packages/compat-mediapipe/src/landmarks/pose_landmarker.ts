/** The 33 points of bodies. */

import type { ImagePlacement, ImageSource, Region } from '@tflite-webnn/media/images';
import { type DetectorHead, type Result, realValues, toLandmarks, toMask } from '@tflite-webnn/media/results';
import { sigmoid } from '@tflite-webnn/media/results/unchecked';
import { FLAG } from 'tflite-webnn/option_schema';
import { DetectingTask } from '../detecting_task.js';
import type { InputImage } from '../input_image.js';
import { MPMask } from '../mask.js';
import {
  CONFIDENCE,
  CONFIDENCE_DEFAULT,
  COUNT_OF_THINGS,
  handed,
  type ImageProcessingOptions,
  type OwnOptions,
  optionsAndCallback,
  type VisionTaskOptions,
} from '../options.js';
import type { Connection, Landmark, NormalizedLandmark } from '../results.js';
import { bundleOf, type TaskFile } from '../task_file.js';
import type { Steps, VisionModel } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';
import { paths } from './connections.js';
import { bodyRegion, type DetectionLimits, detectThings, headOfDetector, POSE_DETECTOR } from './detectors.js';
import {
  lookAt,
  normalized,
  numberOf,
  type PixelLandmark,
  WITHOUT_METADATA,
  worldLandmarks,
} from './landmark_models.js';
import { latestRegions, RegionTracker } from './regions.js';
import { PoseSmoother } from './smoothing.js';

/** Which bodies a {@link PoseLandmarker} finds, and what it says of them. */
export interface PoseLandmarkerOptions extends VisionTaskOptions {
  /** Maximum number of bodies. Default: 1, whose landmarks are smoothed in a video. */
  numPoses?: number | undefined;
  /** Minimum score of a body for the detector. Default: 0.5. */
  minPoseDetectionConfidence?: number | undefined;
  /** Minimum probability that landmarks are of a body. Default: 0.5. */
  minPosePresenceConfidence?: number | undefined;
  /** Overlap from which on a detected body is one that is tracked already. Default: 0.5. */
  minTrackingConfidence?: number | undefined;
  /** Whether there is a mask of each body. Default: false. */
  outputSegmentationMasks?: boolean | undefined;
}

/** What a {@link PoseLandmarker} has found. */
export class PoseLandmarkerResult {
  /** Of each body 33 points. */
  readonly landmarks: NormalizedLandmark[][];
  /** The same points in meters, from the middle of the hips. */
  readonly worldLandmarks: Landmark[][];
  /** Of each body the probability that a pixel of the image shows it, if requested. */
  readonly segmentationMasks?: MPMask[] | undefined;

  /** @internal */
  constructor(landmarks: NormalizedLandmark[][], worldLandmarks: Landmark[][], segmentationMasks?: MPMask[]) {
    this.landmarks = landmarks;
    this.worldLandmarks = worldLandmarks;
    this.segmentationMasks = segmentationMasks;
  }

  /** Without effect: the masks remain readable. */
  close(): void {}
}

/**
 * Receives a result.
 *
 * @param result - The bodies.
 */
export type PoseLandmarkerCallback = (result: PoseLandmarkerResult) => void;

interface Models {
  readonly detector: VisionModel;
  readonly head: DetectorHead;
  readonly landmarker: VisionModel;
}

/** Options with their defaults. */
interface Settings {
  readonly limits: DetectionLimits;
  readonly minPresence: number;
  readonly tracker: RegionTracker;
  readonly smoother: PoseSmoother | null;
  readonly wantsMasks: boolean;
}

type Rest = [processing?: ImageProcessingOptions | PoseLandmarkerCallback, callback?: PoseLandmarkerCallback];

/** A body. */
interface Body {
  readonly points: readonly PixelLandmark[];
  readonly world: readonly Landmark[];
  /** Where it may be in the next frame. */
  readonly next: Region;
  readonly mask: MPMask;
}

/** Points, presence, mask, heat maps of the points, points in meters. */
type PoseOutputs = readonly [Result, Result, Result, Result, Result];

const [DETECTOR, LANDMARKER] = ['pose_detector.tflite', 'pose_landmarks_detector.tflite'] as const;
/** Points of a body; two more define the next frame's region. */
const POINTS = 33;
const [POINT_NUMBERS, PRESENCE] = [5, 4] as const;

/** Finds the landmarks of bodies. It accepts a bundle, `pose_landmarker_lite.task`, `_full` or `_heavy`. */
export class PoseLandmarker extends DetectingTask<PoseLandmarkerOptions, PoseLandmarkerResult, Models> {
  /** Lines of a body. */
  static readonly POSE_CONNECTIONS: Connection[] = [
    ...paths([0, 1, 2, 3, 7], [0, 4, 5, 6, 8], [9, 10], [11, 12], [11, 13, 15, 17], [15, 19], [15, 21], [17, 19]),
    ...paths([12, 14, 16, 18], [16, 20], [16, 22], [18, 20], [11, 23], [12, 24], [23, 24], [23, 25], [24, 26]),
    ...paths([25, 27], [26, 28], [27, 29], [28, 30], [29, 31], [30, 32], [27, 31], [28, 32]),
  ];

  #settings: Settings | null = null;

  /**
   * Finds bodies in an image; the models compute on the CPU while the page waits.
   *
   * @param image - The image.
   * @param processing - How it is rotated; or the callback.
   * @param callback - Receives the result; without it, the result is returned.
   * @throws OptionError; ImageError and other errors of images; what running a model throws.
   */
  override detect(image: ImageSource, processing: ImageProcessingOptions, callback: PoseLandmarkerCallback): void;
  override detect(image: ImageSource, callback: PoseLandmarkerCallback): void;
  override detect(image: ImageSource, processing?: ImageProcessingOptions): PoseLandmarkerResult;
  override detect(image: ImageSource, ...rest: Rest): PoseLandmarkerResult | undefined {
    const [processing, callback] = optionsAndCallback(...rest);
    return handed(this.onImage(image, processing), callback);
  }

  /**
   * Finds bodies in a frame of a video, first where they were in the frame before.
   *
   * @param frame - The frame.
   * @param timestamp - Its time in milliseconds, after that of the frame before.
   * @param processing - How it is rotated; or the callback.
   * @param callback - Receives the result; without it, the result is returned.
   * @throws OptionError, and what detect() throws.
   */
  override detectForVideo(
    frame: ImageSource,
    timestamp: number,
    processing: ImageProcessingOptions,
    callback: PoseLandmarkerCallback,
  ): void;
  override detectForVideo(frame: ImageSource, timestamp: number, callback: PoseLandmarkerCallback): void;
  override detectForVideo(
    frame: ImageSource,
    timestamp: number,
    processing?: ImageProcessingOptions,
  ): PoseLandmarkerResult;
  override detectForVideo(frame: ImageSource, timestamp: number, ...rest: Rest): PoseLandmarkerResult | undefined {
    const [processing, callback] = optionsAndCallback(...rest);
    return handed(this.onFrame(frame, timestamp, processing), callback);
  }

  /** @internal */
  protected override async open(file: TaskFile, load: LoadModel): Promise<Models> {
    const bundle = bundleOf(file, 'PoseLandmarker');
    const [detector, landmarker] = await Promise.all([
      load(bundle.bytes(DETECTOR), WITHOUT_METADATA),
      load(bundle.bytes(LANDMARKER), WITHOUT_METADATA),
    ]);
    return { detector, head: headOfDetector(POSE_DETECTOR, detector), landmarker };
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<PoseLandmarkerOptions>> {
    return {
      numPoses: COUNT_OF_THINGS,
      minPoseDetectionConfidence: CONFIDENCE,
      minPosePresenceConfidence: CONFIDENCE,
      minTrackingConfidence: CONFIDENCE,
      outputSegmentationMasks: FLAG,
    };
  }

  /** @internal */
  protected override configure(options: PoseLandmarkerOptions): void {
    const maxResults = options.numPoses ?? 1;
    const minScore = options.minPoseDetectionConfidence ?? CONFIDENCE_DEFAULT;
    const overlap = options.minTrackingConfidence ?? CONFIDENCE_DEFAULT;
    this.#settings = {
      limits: { minScore, overlap: POSE_DETECTOR.overlap, maxResults },
      minPresence: options.minPosePresenceConfidence ?? CONFIDENCE_DEFAULT,
      tracker: new RegionTracker({ maxResults, overlap, associate: latestRegions }),
      smoother: maxResults === 1 ? new PoseSmoother() : null,
      wantsMasks: options.outputSegmentationMasks ?? false,
    };
  }

  /** @internal */
  protected override *steps(image: InputImage, models: Models): Steps<PoseLandmarkerResult> {
    const settings = this.#settings as Settings;
    const { tracker, wantsMasks } = settings;
    const bodies: Body[] = [];
    for (const region of yield* tracker.regions(image, () => detectRegions(image, models, settings))) {
      const body = yield* bodyIn(region, image, models, settings);
      if (body) bodies.push(body);
    }
    tracker.expect(
      image,
      bodies.map(({ next }) => next),
    );
    const smooth = smoothed(bodies, image, settings);
    return new PoseLandmarkerResult(
      smooth.map(({ points }) => normalized(points, image.size)),
      smooth.map(({ world }) => [...world]),
      wantsMasks ? bodies.map(({ mask }) => mask) : undefined,
    );
  }
}

function* detectRegions(image: InputImage, { detector, head }: Models, { limits }: Settings): Steps<Region[]> {
  const bodies = yield* detectThings(POSE_DETECTOR, head, detector, image, limits);
  return bodies.map((body) => POSE_DETECTOR.region(body));
}

/** The body in a region; null where there is none. */
function* bodyIn(
  region: Region,
  { source }: InputImage,
  { landmarker: model }: Models,
  { minPresence }: Settings,
): Steps<Body | null> {
  const { results, placement } = yield* lookAt<PoseOutputs>(model, source, region, 5);
  const [raw, presence, mask, heatmap, world] = results;
  if (numberOf(presence) <= minPresence) return null;
  const size = { inputSize: model.size, numbers: POINT_NUMBERS, count: POINTS + 2 };
  const all = toLandmarks(raw, { ...size, heatmap, placement });
  const values = realValues(raw);
  const points = all.slice(0, POINTS).map((point, index) => {
    return { ...point, presence: sigmoid(values[index * POINT_NUMBERS + PRESENCE] as number) };
  });
  const [hips, edge] = all.slice(POINTS) as [PixelLandmark, PixelLandmark];
  return {
    points,
    world: worldLandmarks(realValues(world), region.rotation, points),
    next: bodyRegion(hips, edge),
    mask: maskOf(mask, placement),
  };
}

/** Computed when it is read. */
function maskOf(result: Result, placement: ImagePlacement): MPMask {
  const options = { activation: 'sigmoid', resampling: 'opencv', placement } as const;
  return MPMask.of(() => toMask(result, options).values, placement.image.width, placement.image.height);
}

/** A single body of a video does not tremble. */
function smoothed(bodies: readonly Body[], { timestamp }: InputImage, { smoother }: Settings): readonly Body[] {
  if (timestamp === null || smoother === null) return bodies;
  if (bodies.length === 0) smoother.lose();
  return bodies.map((body) => ({ ...body, ...smoother.apply(body, body.next.width, timestamp) }));
}
