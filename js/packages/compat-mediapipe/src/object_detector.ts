/** Where things are in an image. */

import type { Size } from '@tflite-webnn/media/images';
import { type DetectorHead, decodeDetections, type Detection as Found } from '@tflite-webnn/media/results';
import { headOf, outputOrder } from '@tflite-webnn/tasks';
import { type ClassNames, categoryOf, checkClassifierOptions, classNames, isWanted, mostOf } from './categories.js';
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
  /** Positions of the outputs with classes and scores. */
  readonly classes: number;
  readonly scores: number;
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
  #options: ObjectDetectorOptions = {};
  #names: ClassNames = { names: undefined, displayNames: undefined };

  /** @internal */
  protected override async open(file: TaskFile, load: LoadModel): Promise<DetectorModel> {
    const model = await load(onlyModel(file));
    const head = headOf({ model, metadata: model.metadata });
    const order = outputOrder(model.metadata) ?? ['boxes', 'classes', 'scores', 'count'];
    const isSuppressed = model.outputs.length === order.length;
    // Without the four outputs, one has the scores of all classes.
    const named = model.metadata?.outputs.findIndex(({ name }) => name === 'score') ?? -1;
    const scores = isSuppressed ? order.indexOf('scores') : Math.max(named, 0);
    return { model, head, scores, classes: isSuppressed ? order.indexOf('classes') : scores };
  }

  /** @internal */
  protected override get ownOptions(): OwnOptions<Required<ObjectDetectorOptions>> {
    return { ...CLASSIFIER_OPTIONS };
  }

  /** @internal */
  protected override configure(options: ObjectDetectorOptions, { model, classes }: DetectorModel): void {
    const names = classNames(model.metadata, classes, options);
    checkClassifierOptions(options, names.names !== undefined);
    this.#names = names;
    this.#options = options;
  }

  /** @internal */
  protected override *steps(
    { source, size, region }: InputImage,
    { model, head, scores }: DetectorModel,
  ): Steps<DetectionResult> {
    const input = model.tensorOf(source, region);
    const results = yield { model, inputs: [input] };
    const threshold = this.#options.scoreThreshold ?? model.metadata?.outputs[scores]?.scoreThreshold;
    const found = decodeDetections(results, {
      head,
      placement: input.placement,
      threshold: threshold ?? Number.NEGATIVE_INFINITY,
      overlap: OVERLAP,
      acrossClasses: true,
    });
    const wanted = found.filter(({ index }) => isWanted(this.#names.names?.[index] ?? '', this.#options));
    const detections = wanted.slice(0, mostOf(this.#options)).map((one) => detectionOf(one, size, this.#names));
    return { detections };
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

function bounded(pixels: number, most: number): number {
  return Math.max(0, Math.trunc(Math.min(pixels, most)));
}
