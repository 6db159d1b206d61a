/** The mesh of a face, its expression and its pose. */

import type { ImagePlacement, Region } from '@tflite-webnn/media/images';
import { type DetectorHead, type Result, realValues, toLandmarks } from '@tflite-webnn/media/results';
import { grownRegion, sigmoid } from '@tflite-webnn/media/results/unchecked';
import { TaskModelError } from '@tflite-webnn/tasks';
import { FLAG } from 'tflite-webnn/option_schema';
import { DetectingTask } from '../detecting_task.js';
import type { InputImage } from '../input_image.js';
import {
  CONFIDENCE,
  CONFIDENCE_DEFAULT,
  COUNT_OF_THINGS,
  type OwnOptions,
  type VisionTaskOptions,
} from '../options.js';
import type { Classifications, Connection, Matrix, NormalizedLandmark } from '../results.js';
import { bundleOf, type TaskFile } from '../task_file.js';
import type { Steps, VisionModel } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';
import { blendshapeInput, blendshapesOf } from './blendshapes.js';
import * as connections from './connections.js';
import { type DetectionLimits, detectThings, FACE_DETECTOR, headOfDetector } from './detectors.js';
import { type FaceModel, facialTransformation, readFaceModel } from './face_geometry.js';
import { lookAt, normalized, numberOf, type PixelLandmark, WITHOUT_METADATA } from './landmark_models.js';
import { faceRegion, latestRegions, RegionTracker } from './regions.js';
import { PointSmoother } from './smoothing.js';

/** Which faces a {@link FaceLandmarker} finds, and what it says of them. */
export interface FaceLandmarkerOptions extends VisionTaskOptions {
  /** Maximum number of faces. Default: 1, whose landmarks are smoothed in a video. */
  numFaces?: number | undefined;
  /** Minimum score of a face for the detector. Default: 0.5. */
  minFaceDetectionConfidence?: number | undefined;
  /** Minimum probability that landmarks are of a face. Default: 0.5. */
  minFacePresenceConfidence?: number | undefined;
  /** Overlap from which on a detected face is one that is tracked already. Default: 0.5. */
  minTrackingConfidence?: number | undefined;
  /** Whether the result has expressions. Default: false. */
  outputFaceBlendshapes?: boolean | undefined;
  /** Whether the result has poses. Default: false. */
  outputFacialTransformationMatrixes?: boolean | undefined;
}

/** What a {@link FaceLandmarker} has found. */
export interface FaceLandmarkerResult {
  /** Of each face 478 points: 468 of the mesh, and five of each iris. */
  faceLandmarks: NormalizedLandmark[][];
  /** Of each face 52 expressions, if requested. */
  faceBlendshapes: Classifications[];
  /**
   * Of each face the matrix that moves MediaPipe's canonical face there, in centimeters before a camera, if requested.
   */
  facialTransformationMatrixes: Matrix[];
}

interface Models {
  readonly detector: VisionModel;
  readonly head: DetectorHead;
  readonly landmarker: VisionModel;
  readonly blendshapes: VisionModel | null;
  readonly face: FaceModel | null;
}

/** Options with their defaults. */
interface Settings {
  readonly limits: DetectionLimits;
  readonly minPresence: number;
  readonly tracker: RegionTracker;
  readonly smoother: PointSmoother | null;
  readonly wantsBlendshapes: boolean;
  readonly wantsMatrixes: boolean;
}

const [DETECTOR, LANDMARKER, BLENDSHAPES, GEOMETRY] = [
  'face_detector.tflite',
  'face_landmarks_detector.tflite',
  'face_blendshapes.tflite',
  'geometry_pipeline_metadata_landmarks.binarypb',
] as const;
const NEXT_FRAME = { scale: 1.5 };
const SMOOTHING = { minCutoff: 0.05, beta: 80 };

/** Finds the landmarks of faces. It accepts a bundle, `face_landmarker.task`. */
export class FaceLandmarker extends DetectingTask<FaceLandmarkerOptions, FaceLandmarkerResult, Models> {
  /** Lines of the lips. */
  static readonly FACE_LANDMARKS_LIPS: Connection[] = connections.LIPS;
  /** Lines of the left eye: the person's. */
  static readonly FACE_LANDMARKS_LEFT_EYE: Connection[] = connections.LEFT_EYE;
  /** Lines of the left eyebrow. */
  static readonly FACE_LANDMARKS_LEFT_EYEBROW: Connection[] = connections.LEFT_EYEBROW;
  /** Lines of the left iris. */
  static readonly FACE_LANDMARKS_LEFT_IRIS: Connection[] = connections.LEFT_IRIS;
  /** Lines of the right eye. */
  static readonly FACE_LANDMARKS_RIGHT_EYE: Connection[] = connections.RIGHT_EYE;
  /** Lines of the right eyebrow. */
  static readonly FACE_LANDMARKS_RIGHT_EYEBROW: Connection[] = connections.RIGHT_EYEBROW;
  /** Lines of the right iris. */
  static readonly FACE_LANDMARKS_RIGHT_IRIS: Connection[] = connections.RIGHT_IRIS;
  /** The outline of the face. */
  static readonly FACE_LANDMARKS_FACE_OVAL: Connection[] = connections.FACE_OVAL;
  /** Lips, eyes, eyebrows and outline. */
  static readonly FACE_LANDMARKS_CONTOURS: Connection[] = connections.CONTOURS;
  /** Lines of the mesh: of each of its triangles all three. */
  static readonly FACE_LANDMARKS_TESSELATION: Connection[] = connections.TESSELATION;

  #settings: Settings | null = null;

  /** @internal */
  protected override async open(
    file: TaskFile,
    load: LoadModel,
    { outputFaceBlendshapes }: FaceLandmarkerOptions,
  ): Promise<Models> {
    const bundle = bundleOf(file, 'FaceLandmarker');
    const [detector, landmarker, blendshapes] = await Promise.all([
      load(bundle.bytes(DETECTOR), WITHOUT_METADATA),
      load(bundle.bytes(LANDMARKER), WITHOUT_METADATA),
      outputFaceBlendshapes && bundle.models.includes(BLENDSHAPES)
        ? load(bundle.bytes(BLENDSHAPES), WITHOUT_METADATA)
        : null,
    ]);
    const hasFace = bundle.files.some(({ name }) => name === GEOMETRY);
    return {
      detector,
      head: headOfDetector(FACE_DETECTOR, detector),
      landmarker,
      blendshapes,
      face: hasFace ? readFaceModel(bundle.bytes(GEOMETRY)) : null,
    };
  }

  /** @internal */
  protected override hasModelsFor({ outputFaceBlendshapes }: FaceLandmarkerOptions, { blendshapes }: Models): boolean {
    return !outputFaceBlendshapes || blendshapes !== null;
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<FaceLandmarkerOptions>> {
    return {
      numFaces: COUNT_OF_THINGS,
      minFaceDetectionConfidence: CONFIDENCE,
      minFacePresenceConfidence: CONFIDENCE,
      minTrackingConfidence: CONFIDENCE,
      outputFaceBlendshapes: FLAG,
      outputFacialTransformationMatrixes: FLAG,
    };
  }

  /** @internal */
  protected override configure(options: FaceLandmarkerOptions, { blendshapes, face }: Models): void {
    const maxResults = options.numFaces ?? 1;
    const [wantsBlendshapes, wantsMatrixes] = [
      options.outputFaceBlendshapes ?? false,
      options.outputFacialTransformationMatrixes ?? false,
    ];
    if (wantsBlendshapes && !blendshapes) throw missing('outputFaceBlendshapes', BLENDSHAPES);
    if (wantsMatrixes && !face) throw missing('outputFacialTransformationMatrixes', GEOMETRY);
    const overlap = options.minTrackingConfidence ?? CONFIDENCE_DEFAULT;
    this.#settings = {
      limits: {
        minScore: options.minFaceDetectionConfidence ?? CONFIDENCE_DEFAULT,
        overlap: FACE_DETECTOR.overlap,
        maxResults,
      },
      minPresence: options.minFacePresenceConfidence ?? CONFIDENCE_DEFAULT,
      tracker: new RegionTracker({ maxResults, overlap, associate: latestRegions }),
      smoother: maxResults === 1 ? new PointSmoother(SMOOTHING) : null,
      wantsBlendshapes,
      wantsMatrixes,
    };
  }

  /** @internal */
  protected override *steps(image: InputImage, models: Models): Steps<FaceLandmarkerResult> {
    const settings = this.#settings as Settings;
    const { tracker, wantsBlendshapes, wantsMatrixes } = settings;
    const faces: PixelLandmark[][] = [];
    for (const region of yield* tracker.regions(image, () => detectRegions(image, models, settings))) {
      const points = yield* landmarksIn(region, image, models, settings);
      if (points) faces.push(points);
    }
    tracker.expect(
      image,
      faces.map((points) => grownRegion(faceRegion(points), NEXT_FRAME)),
    );
    const smooth = smoothed(faces, image, settings);
    const result: FaceLandmarkerResult = { faceLandmarks: [], faceBlendshapes: [], facialTransformationMatrixes: [] };
    for (const points of smooth) {
      result.faceLandmarks.push(normalized(points, image.size));
      if (wantsBlendshapes) result.faceBlendshapes.push(yield* expressionOf(points, models));
      const matrix = wantsMatrixes && facialTransformation(models.face as FaceModel, points, image.size);
      if (matrix) result.facialTransformationMatrixes.push(matrix);
    }
    return result;
  }
}

function* detectRegions(image: InputImage, { detector, head }: Models, { limits }: Settings): Steps<Region[]> {
  const faces = yield* detectThings(FACE_DETECTOR, head, detector, image, limits);
  return faces.map((face) => FACE_DETECTOR.region(face));
}

/** The landmarks in a region; null where there is no face in it. */
function* landmarksIn(
  region: Region,
  { source }: InputImage,
  { landmarker: model }: Models,
  { minPresence }: Settings,
): Steps<PixelLandmark[] | null> {
  const { results, placement } = yield* lookAt<readonly [Result, Result]>(model, source, region, 2);
  const [points, presence] = results;
  if (sigmoid(numberOf(presence)) <= minPresence) return null;
  return meshOf(points, placement, model);
}

function meshOf(points: Result, placement: ImagePlacement, model: VisionModel): PixelLandmark[] {
  const landmarks = toLandmarks(points, { inputSize: model.size, placement });
  return landmarks.map((landmark) => ({ ...landmark, visibility: 0 }));
}

/** A single face of a video does not tremble. */
function smoothed(
  faces: readonly PixelLandmark[][],
  { timestamp }: InputImage,
  { smoother }: Settings,
): readonly PixelLandmark[][] {
  if (timestamp === null || smoother === null) return faces;
  if (faces.length === 0) smoother.reset();
  return faces.map((points) => smoother.apply(points, timestamp));
}

function* expressionOf(points: readonly PixelLandmark[], { blendshapes }: Models): Steps<Classifications> {
  const model = blendshapes as VisionModel;
  const { shape = [] } = model.inputs[0] ?? {};
  const [scores] = yield { model, inputs: [{ data: blendshapeInput(points), shape }] };
  return blendshapesOf(realValues(scores as Result));
}

function missing(option: string, file: string): TaskModelError {
  return new TaskModelError(
    `${option} needs ${file}, which the bundle does not have: use another bundle, or omit the option.`,
  );
}
