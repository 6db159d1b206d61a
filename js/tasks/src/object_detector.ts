/** Where things are in a picture. */

import type { ModelSource } from 'tflite-webnn';
import type { ImageSource } from 'tflite-webnn/image';
import {
  type Detection,
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  type PostProcessOutput,
  postProcessHead,
} from 'tflite-webnn/results';
import { TaskModelError } from './errors.js';
import { ImageTask, type ImageTaskOptions, openFor, type PictureOptions } from './image_task.js';
import { labelsOf, type OpenModel, type TaskModel } from './task_model.js';

/** Which things a detector returns, and how it reads its outputs and prepares pictures. */
export interface ObjectDetectorOptions
  extends ImageTaskOptions,
    Omit<DetectionOptions, 'head' | 'placement' | 'labels'> {
  /** How the model writes its outputs. Default: as TFLite_Detection_PostProcess, if it has its four outputs. */
  readonly head?: DetectorHead;
}

const SIDES = 4;
// Names of the four outputs in TFLite Metadata, as its writer for object detectors gives them.
const OUTPUTS: Readonly<Record<string, PostProcessOutput>> = {
  location: 'boxes',
  category: 'classes',
  score: 'scores',
  'number of detections': 'count',
};

/** Finds things in a picture. */
export class ObjectDetector extends ImageTask<ObjectDetectorOptions> {
  readonly #head: DetectorHead;
  readonly #labels: readonly string[] | undefined;

  /** @internal */
  protected constructor(opened: OpenModel, options: ObjectDetectorOptions) {
    super(opened, options);
    const order = orderOf(opened);
    this.#head = options.head ?? headOf(opened, order);
    this.#labels =
      options.labels ?? labelsOf(opened.metadata, Math.max(0, order?.indexOf('classes') ?? 0), options.locale);
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
    const opened = await openFor(model, options);
    try {
      return new ObjectDetector(opened, options);
    } catch (error) {
      if (opened.isOwn) await opened.model.dispose();
      throw error;
    }
  }

  /**
   * Finds things.
   *
   * @param image - The picture.
   * @param options - Which part of it.
   * @returns What was found, in pixels of the picture, highest score first.
   * @throws What imageToTensor(), run() and decodeDetections() throw.
   */
  async detect(image: ImageSource, options: PictureOptions = {}): Promise<Detection[]> {
    const { results, placement } = await this.see(image, options);
    const labels = this.#labels && { labels: this.#labels };
    return decodeDetections(results, { ...this.options, ...labels, head: this.#head, placement });
  }
}

/** The order of the four outputs, where metadata names them. */
function orderOf({ metadata }: OpenModel): PostProcessOutput[] | undefined {
  const order = metadata?.outputs.map(({ name }) => OUTPUTS[name ?? '']) ?? [];
  return order.length === SIDES && order.every((name) => name !== undefined) ? order : undefined;
}

function headOf({ model: { outputs } }: OpenModel, order: PostProcessOutput[] | undefined): DetectorHead {
  if (outputs.length === SIDES && outputs.some(({ shape }) => shape.at(-1) === SIDES)) return postProcessHead(order);
  const shapes = outputs.map(({ name, shape }) => `${name} [${shape.join(', ')}]`).join(', ');
  throw new TaskModelError(
    `Nothing says how to read the outputs ${shapes}: give the option head, e.g. yoloHead() or anchorHead({ anchors }).`,
  );
}
