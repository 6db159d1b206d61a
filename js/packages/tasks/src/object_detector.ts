/** Where things are in an image. */

import type { ImageSource } from '@tflite-webnn/media/images';
import {
  type Detection,
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  HEAD,
  SUPPRESSION,
} from '@tflite-webnn/media/results';
import type { ModelSource } from 'tflite-webnn';
import { pick, REAL } from './arguments.js';
import { headOf, outputOrder } from './detector_head.js';
import { type ImageCallOptions, ImageTask, type ImageTaskOptions, imageTaskOptions } from './image_task.js';
import { type OwnKinds, openTask } from './task.js';
import { labelsOf, type OpenModel, type TaskModel } from './task_model.js';

/** Which things a detector returns, and how it reads its outputs and prepares images. */
export interface ObjectDetectorOptions
  extends ImageTaskOptions,
    Omit<DetectionOptions, 'head' | 'placement' | 'labels'> {
  /**
   * How the model writes its outputs. Default: as the metadata of MediaPipe or Ultralytics says, or as
   * TFLite_Detection_PostProcess, if it has its four outputs.
   */
  readonly head?: DetectorHead;
}

const LIMITS = { ...SUPPRESSION, threshold: REAL };

const known = (): OwnKinds<ObjectDetectorOptions> => ({
  ...imageTaskOptions(),
  ...LIMITS,
  head: HEAD,
});

/** Finds things in an image. */
export class ObjectDetector extends ImageTask<ObjectDetectorOptions> {
  readonly #head: DetectorHead;
  readonly #labels: readonly string[] | undefined;

  private constructor(opened: OpenModel, options: ObjectDetectorOptions) {
    super(opened, options);
    this.#head = options.head ?? headOf(opened);
    this.#labels = options.labels ?? detectorLabels(opened, options.locale);
  }

  /**
   * Makes a detector.
   *
   * @param model - The model file, as `loadTFLiteModel()` takes it, or a loaded model of a page or worker.
   * @param options - Labels and normalization, if the file has no metadata; how outputs are read; limits of the results.
   * @throws TaskModelError where nothing says how the outputs are read; what loadTFLiteModel() throws.
   *
   * @example
   * const detector = await ObjectDetector.create('yolo11n.tflite', { head: yoloHead(), range: [0, 1], fit: 'letterbox' });
   * for (const { label, box } of await detector.detect(video)) console.log(label, box);
   */
  static async create(model: ModelSource | TaskModel, options: ObjectDetectorOptions = {}): Promise<ObjectDetector> {
    return openTask(model, options, known(), (opened) => new ObjectDetector(opened, options));
  }

  /**
   * Finds things.
   *
   * @param image - The image.
   * @param options - Which part of it, and a signal.
   * @returns What was found, in pixels of the image, highest score first.
   * @throws What imageToTensor(), run() and decodeDetections() throw.
   */
  async detect(image: ImageSource, options: ImageCallOptions = {}): Promise<Detection[]> {
    const { results, placement } = await this.see(image, options);
    const labels = this.#labels && { labels: this.#labels };
    return decodeDetections(results, { ...pick(this.options, LIMITS), ...labels, head: this.#head, placement });
  }
}

/** Of the output that has the classes; else of any that has labels. */
function detectorLabels({ metadata }: OpenModel, locale: string | undefined): readonly string[] | undefined {
  const classes = outputOrder(metadata)?.indexOf('classes') ?? 0;
  const places = [classes, ...(metadata?.outputs.keys() ?? [])];
  const found = places.map((place) => labelsOf(metadata, place, locale)).find((labels) => labels !== undefined);
  return found ?? metadata?.ultralytics?.names;
}
