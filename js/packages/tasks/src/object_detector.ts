/** Where things are in an image, and how a detector writes its outputs, as far as its file says. */

import type { ImageSource } from '@tflite-webnn/media/images';
import {
  anchorHead,
  CLASS_KINDS,
  calibratedHead,
  type Detection,
  type DetectionOptions,
  type DetectorHead,
  decodeDetections,
  HEAD,
  type PostProcessOutput,
  postProcessHead,
  postProcessOrder,
  SUPPRESSION,
  ultralyticsHead,
} from '@tflite-webnn/media/results';
import type { ModelSource } from 'tflite-webnn';
import { pick, REAL } from 'tflite-webnn/option_schema';
import { labelsOf } from './categories.js';
import { type ImageCallOptions, ImageTask, type ImageTaskOptions, imageTaskOptions } from './image_task.js';
import {
  checkArguments,
  described,
  METADATA,
  type OpenModel,
  type OwnSchema,
  openTask,
  type TaskMetadata,
  type TaskModel,
  TaskModelError,
  type TaskTensorMetadata,
  TENSORS,
} from './task.js';

/** What is known of a detector. */
export interface DetectorFile {
  /** Its outputs. */
  readonly model: Pick<TaskModel, 'outputs'>;
  /** Its file's metadata. */
  readonly metadata: TaskMetadata | null;
}

const SIDES = 4;
const OPERATOR_ORDER: readonly PostProcessOutput[] = ['boxes', 'classes', 'scores', 'count'];

/**
 * The order of the four outputs of TFLite_Detection_PostProcess, where metadata names them.
 *
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @returns What each output has, in the model's order; undefined if the names are others.
 * @throws OptionError
 */
export function outputOrder(metadata: TaskMetadata | null): PostProcessOutput[] | undefined {
  checkArguments('outputOrder', { metadata }, { metadata: METADATA });
  return postProcessOrder(metadata?.outputs.map(({ name }) => name) ?? []);
}

/**
 * @internal Positions of the outputs whose metadata have the classes and the scores, and the minimum score that they
 *   name.
 */
export function scoresOf({ model: { outputs }, metadata }: DetectorFile) {
  const order = outputOrder(metadata) ?? OPERATOR_ORDER;
  const isSuppressed = outputs.length === order.length;
  // Without the four outputs, one has the scores of all classes.
  const named = metadata?.outputs.findIndex(({ name }) => name === 'score') ?? -1;
  const scores = isSuppressed ? order.indexOf('scores') : Math.max(named, 0);
  const threshold = metadata?.outputs[scores]?.scoreThreshold ?? undefined;
  return { scores, classes: isSuppressed ? order.indexOf('classes') : scores, threshold };
}

/**
 * How a detector writes its outputs, as far as its file says.
 *
 * @param opened - The model's outputs, and its file's metadata.
 * @throws TaskModelError where nothing says how the outputs are read.
 */
export function headOf(opened: DetectorFile): DetectorHead {
  checkArguments('headOf', { opened }, { opened: { model: { outputs: TENSORS }, metadata: METADATA } });
  const {
    model: { outputs },
    metadata,
  } = opened;
  const { detector, ultralytics } = metadata ?? {};
  if (detector) return mediapipeMetadataHead(detector);
  if (ultralytics) return ultralyticsHead(ultralytics, outputs[0]?.shape ?? []);
  if (outputs.length === SIDES && outputs.some(({ shape }) => shape.at(-1) === SIDES)) {
    const order = outputOrder(metadata);
    const ofOutput = (name: PostProcessOutput) => metadata?.outputs[order?.indexOf(name) ?? -1];
    const { scoreCalibration } = ofOutput('scores') ?? {};
    const head = postProcessHead(order, cornersOf(ofOutput('boxes')));
    return scoreCalibration ? calibratedHead(head, scoreCalibration) : head;
  }
  throw new TaskModelError(
    `Nothing says how to read the outputs ${described(outputs)}: set the option head, e.g. yoloHead() or anchorHead({ anchors }).`,
  );
}

/** Where the sides of a box are, if the file says it. */
function cornersOf({ content }: TaskTensorMetadata = {}): readonly number[] | undefined {
  return content?.type === 'BOUNDARIES' && content.index?.length === SIDES ? content.index : undefined;
}

function mediapipeMetadataHead({ anchors, decoding }: NonNullable<TaskMetadata['detector']>): DetectorHead {
  if (decoding === null) throw new TaskModelError("The metadata's detector has anchors, and not how boxes are read.");
  if (decoding.numBoxes !== anchors.length || decoding.numValuesPerKeypoint * decoding.numKeypoints > 0) {
    throw new TaskModelError(
      `The metadata's detector has ${decoding.numBoxes} boxes for ${anchors.length} anchors, and ${decoding.numKeypoints} ` +
        'points of each; expected as many boxes as anchors, and no points: set the option head.',
    );
  }
  return anchorHead({
    anchors,
    scales: [decoding.yScale, decoding.xScale, decoding.hScale, decoding.wScale],
    exponentialSize: decoding.applyExponentialOnBoxSize,
    activation: decoding.sigmoidScore ? 'sigmoid' : 'none',
  });
}

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

const LIMITS = { ...SUPPRESSION, ...CLASS_KINDS, threshold: REAL };

const known = (): OwnSchema<ObjectDetectorOptions> => ({
  ...imageTaskOptions(),
  ...LIMITS,
  head: HEAD,
});

/** Finds things in an image. */
export class ObjectDetector extends ImageTask<ObjectDetectorOptions> {
  readonly #head: DetectorHead;
  readonly #labels: readonly string[] | undefined;
  readonly #threshold: number | undefined;

  private constructor(opened: OpenModel, options: ObjectDetectorOptions) {
    super(opened, options);
    this.#head = options.head ?? headOf(opened);
    this.#labels = options.labels ?? detectorLabels(opened, options.locale);
    this.#threshold = options.threshold ?? scoresOf(opened).threshold;
  }

  /**
   * Creates a detector.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Labels and normalization, if the file has no metadata; how outputs are read; limits of the
   *   results.
   * @throws TaskModelError where nothing says how the outputs are read; what loadTFLiteModel() throws.
   *
   * @example
   * const detector = await ObjectDetector.create('yolo11n.tflite', { head: yoloHead(), range: [0, 1], fit: 'letterbox'
   * }); for (const { label, box } of await detector.detect(video)) console.log(label, box);
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
    const limits = { ...pick(this.options, LIMITS), head: this.#head, placement };
    const labels = this.#labels && { labels: this.#labels };
    const threshold = this.#threshold !== undefined && { threshold: this.#threshold };
    return decodeDetections(results, { ...limits, ...labels, ...threshold });
  }
}

/** Of the output that has the classes; else of any that has labels. */
function detectorLabels({ metadata }: OpenModel, locale: string | undefined): readonly string[] | undefined {
  const classes = outputOrder(metadata)?.indexOf('classes') ?? 0;
  const positions = [classes, ...(metadata?.outputs.keys() ?? [])];
  const found = positions
    .map((position) => labelsOf(metadata, position, locale))
    .find((labels) => labels !== undefined);
  return found ?? metadata?.ultralytics?.names;
}
