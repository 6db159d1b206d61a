/** Where things are in an image. */

import type { Size } from '@tflite-webnn/media/images';
import {
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  type Detection as Found,
} from '@tflite-webnn/media/results';
import type { ClassNames } from '@tflite-webnn/media/results/unchecked';
import { headOf, scoresOf } from '@tflite-webnn/tasks';
import { categoryOf, checkClassifierOptions, maxResultsOf, namesOfOutput, requestedClasses } from './categories.js';
import { DetectingTask } from './detecting_task.js';
import type { InputImage } from './input_image.js';
import { CLASSIFIER_OPTIONS, type ClassifierOptions, type OwnOptions, type VisionTaskOptions } from './options.js';
import type { Detection, DetectionResult } from './results.js';
import { onlyModel, type TaskFile } from './task_file.js';
import type { Steps, VisionModel } from './vision_model.js';
import type { LoadModel } from './vision_task.js';

/** Options of {@link ObjectDetector}. */
export interface ObjectDetectorOptions extends VisionTaskOptions, ClassifierOptions {}

/** What a detector has found. */
export type ObjectDetectorResult = DetectionResult;

interface DetectorModel {
  readonly model: VisionModel;
  readonly head: DetectorHead;
  /** Position of the output with the classes. */
  readonly classes: number;
  /** The file's minimum score. */
  readonly threshold: number | undefined;
}

// MediaPipe's, for models that leave the same thing in several times; their classes do not matter.
const OVERLAP = 0.3;

/**
 * Finds things in an image.
 *
 * @example
 * const vision = await FilesetResolver.forVisionTasks();
 * const detector = await ObjectDetector.createFromOptions(vision, {
 *   baseOptions: { modelAssetPath: 'efficientdet.tflite' },
 *   scoreThreshold: 0.5,
 * });
 * for (const { categories, boundingBox } of detector.detect(image).detections) console.log(categories, boundingBox);
 */
export class ObjectDetector extends DetectingTask<ObjectDetectorOptions, DetectionResult, DetectorModel> {
  #limits: Omit<DetectionOptions, 'head' | 'placement'> = {};
  #names: ClassNames = { names: undefined, displayNames: undefined };

  /** @internal */
  protected override async open(file: TaskFile, load: LoadModel): Promise<DetectorModel> {
    const model = await load(onlyModel(file));
    const opened = { model, metadata: model.metadata };
    return { model, head: headOf(opened), ...scoresOf(opened) };
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<ObjectDetectorOptions>> {
    return { ...CLASSIFIER_OPTIONS };
  }

  /** @internal */
  protected override configure(options: ObjectDetectorOptions, { model, classes, threshold }: DetectorModel): void {
    const names = namesOfOutput(model.metadata, classes, options);
    checkClassifierOptions(options, names.names !== undefined);
    this.#names = names;
    const [maxResults, requested] = [maxResultsOf(options), requestedClasses(options)];
    this.#limits = {
      threshold: options.scoreThreshold ?? threshold ?? Number.NEGATIVE_INFINITY,
      overlap: OVERLAP,
      acrossClasses: true,
      ...(Number.isFinite(maxResults) && { maxResults }),
      // Labels that are not of the model's classes are an error only where they choose.
      ...(names.names && Object.keys(requested).length > 0 && { labels: names.names, ...requested }),
    };
  }

  /** @internal */
  protected override *steps(
    { source, size, region }: InputImage,
    { model, head }: DetectorModel,
  ): Steps<DetectionResult> {
    const input = model.tensorOf(source, region);
    const results = yield { model, inputs: [input] };
    const found = decodeDetections(results, { ...this.#limits, head, placement: input.placement });
    return { detections: found.map((one) => detectionOf(one, size, this.#names)) };
  }
}

/** In integers, cut off as MediaPipe's DetectionTransformationCalculator does. */
function detectionOf({ box, index, score }: Found, size: Size, names: ClassNames): Detection {
  const boundingBox = {
    originX: bounded(box.left, size.width),
    originY: bounded(box.top, size.height),
    width: bounded(box.width, size.width),
    height: bounded(box.height, size.height),
    angle: 0,
  };
  return { categories: [categoryOf(index, score, names)], boundingBox, keypoints: [] };
}

function bounded(pixels: number, max: number): number {
  return Math.max(0, Math.trunc(Math.min(pixels, max)));
}
