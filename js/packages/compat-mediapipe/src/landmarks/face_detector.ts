/** Where faces are. */

import type { Size } from '@tflite-webnn/media/images';
import type { Detection, DetectorHead } from '@tflite-webnn/media/results';
import { DetectingTask } from '../detecting_task.js';
import type { InputImage } from '../input_image.js';
import { CONFIDENCE, CONFIDENCE_DEFAULT, type OwnOptions, type VisionTaskOptions } from '../options.js';
import type { DetectionResult, Detection as FoundFace } from '../results.js';
import { onlyModel, type TaskFile } from '../task_file.js';
import type { Steps, VisionModel } from '../vision_model.js';
import type { LoadModel } from '../vision_task.js';
import { type DetectionLimits, detectThings, FACE_DETECTOR, headOfDetector } from './detectors.js';
import { WITHOUT_METADATA } from './landmark_models.js';

/** Which faces a {@link FaceDetector} returns. */
export interface FaceDetectorOptions extends VisionTaskOptions {
  /** Minimum score of a face. Default: 0.5. */
  minDetectionConfidence?: number | undefined;
  /** Boxes that overlap more are of one face. Default: 0.3. */
  minSuppressionThreshold?: number | undefined;
}

/** What a {@link FaceDetector} has found. */
export type FaceDetectorResult = DetectionResult;

interface Models {
  readonly detector: VisionModel;
  readonly head: DetectorHead;
}

const OVERLAP = 0.3;

/** Finds faces, with six points of each: eyes, tip of the nose, mouth and ears. */
export class FaceDetector extends DetectingTask<FaceDetectorOptions, DetectionResult, Models> {
  #limits: DetectionLimits = { minScore: 1, overlap: 0, maxResults: 0 };

  /** @internal */
  protected override async open(file: TaskFile, load: LoadModel): Promise<Models> {
    const detector = await load(onlyModel(file), WITHOUT_METADATA);
    return { detector, head: headOfDetector(FACE_DETECTOR, detector) };
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<FaceDetectorOptions>> {
    return { minDetectionConfidence: CONFIDENCE, minSuppressionThreshold: CONFIDENCE };
  }

  /** @internal */
  protected override configure({ minDetectionConfidence, minSuppressionThreshold }: FaceDetectorOptions): void {
    this.#limits = {
      minScore: minDetectionConfidence ?? CONFIDENCE_DEFAULT,
      overlap: minSuppressionThreshold ?? OVERLAP,
      maxResults: Number.POSITIVE_INFINITY,
    };
  }

  /** @internal */
  protected override *steps(image: InputImage, { detector, head }: Models): Steps<DetectionResult> {
    const faces = yield* detectThings(FACE_DETECTOR, head, detector, image, this.#limits);
    return { detections: faces.map((face) => asFound(face, image.size)) };
  }
}

function asFound({ box, score, index, keyPoints }: Detection, { width, height }: Size): FoundFace {
  const [left, top] = [Math.trunc(box.left), Math.trunc(box.top)];
  const size = { width: Math.trunc(box.width), height: Math.trunc(box.height) };
  return {
    categories: [{ score, index, categoryName: '', displayName: '' }],
    boundingBox: { originX: left, originY: top, ...size, angle: 0 },
    keypoints: keyPoints.map(({ x, y }) => ({ x: x / width, y: y / height, score: 0, label: '' })),
  };
}
