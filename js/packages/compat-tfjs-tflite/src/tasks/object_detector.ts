/** Where in an image things are: tfjs-tflite's ObjectDetector, for models that end in TFLite's detection post-processing. */

import { calibrated } from '@tflite-webnn/media/results/score_calibration';
import type { ScoreCalibration, TensorMetadata } from 'tflite-webnn/metadata/model_metadata';
import { allowedClasses, type ClassOptions, classMessage, type Label, labelsOf } from './labels.js';
import { Message } from './protobuf.js';
import { TaskError } from './task_error.js';
import type { InputImage, TaskModel } from './task_model.js';
import type { ResultOptions } from './task_options.js';

/** The message ObjectDetectorOptions. */
export type ObjectDetectorOptions = ClassOptions & ResultOptions;

/** Names of the outputs in metadata, in the order of the operator's. */
const OUTPUTS = ['location', 'category', 'score', 'number of detections'];
const RANKS = [3, 2, 2, 1];
const DEFAULT_ORDER = [0, 1, 2, 3];

/** Answers images with the message DetectionResult. */
export class ObjectDetector {
  readonly #model: TaskModel;
  readonly #options: ObjectDetectorOptions;
  /** Where each of OUTPUTS is. */
  readonly #order: readonly number[];
  /** Where left, top, right and bottom are in a box. */
  readonly #corners: readonly number[];
  readonly #labels: readonly Label[];
  readonly #threshold: number;
  readonly #calibration: ScoreCalibration | null;
  readonly #isAllowed: (label: Label) => boolean;

  /** @throws TaskError where the model does not do. */
  constructor(model: TaskModel, options: ObjectDetectorOptions) {
    this.#model = model;
    this.#options = options;
    const tensors = describedOutputs(model);
    this.#order = orderOf(tensors);
    const [locations, classes, scores] = this.#order.map((index) => tensors[index]) as Tensors;
    this.#corners = cornersOf(locations);
    this.#labels = labelsOf(classes, 'value', options.getDisplayNamesLocale());
    const threshold = scores.scoreThreshold ?? Number.NEGATIVE_INFINITY;
    this.#threshold = options.hasScoreThreshold() ? options.getScoreThreshold() : threshold;
    this.#calibration = scores.scoreCalibration;
    checkShapes(model, this.#order);
    this.#isAllowed = this.#allowedClasses();
  }

  answer(image: InputImage): Message {
    const outputs = this.#model.run(image);
    const [locations, classes, scores, count] = this.#order.map((index) => outputs[index]?.values) as Values;
    const found = Math.trunc(count[0] ?? 0);
    const maxResults = this.#options.getMaxResults();
    const most = maxResults > 0 ? Math.min(maxResults, found) : found;
    const result = new Message();
    for (let row = 0, results = 0; row < found && results < most; row++) {
      const index = Math.trunc(classes[row] as number);
      const score = this.#scoreOf(index, scores[row] as number);
      if (!this.#isAllowed(this.#labels[index] ?? { name: '', displayName: '' }) || score <= this.#threshold) continue;
      const box = this.#boxMessage(locations.subarray(4 * row, 4 * row + 4), image);
      result.message(1, new Message().message(2, box).message(3, classMessage(index, score, this.#labelOf(index))));
      results++;
    }
    return result;
  }

  #scoreOf(index: number, score: number): number {
    return this.#calibration === null ? score : calibrated(this.#calibration, index, score);
  }

  #labelOf(index: number): Label | undefined {
    const count = this.#labels.length;
    if (count === 0 || index < count) return this.#labels[index];
    throw new TaskError(
      'metadataInconsistent',
      `Label map does not contain enough elements: model returned class index ${index} but label map only contains ` +
        `${count} elements.`,
    );
  }

  /** Pixels, cut to integers. */
  #boxMessage(numbers: Float32Array, { width, height }: InputImage): Message {
    const [left, top, right, bottom] = this.#corners.map((corner) => numbers[corner] as number) as Corners;
    const pixels = (share: number, size: number) => Math.trunc(Math.fround(Math.fround(share) * size));
    return new Message()
      .int(1, pixels(left, width))
      .int(2, pixels(top, height))
      .int(3, pixels(right - left, width))
      .int(4, pixels(bottom - top, height));
  }

  #allowedClasses(): (label: Label) => boolean {
    const isUsed =
      [...this.#options.getClassNameWhitelistList(), ...this.#options.getClassNameBlacklistList()].length > 0;
    if (!isUsed || this.#labels.length > 0) return allowedClasses(this.#options, this.#labels);
    throw new TaskError(
      'noLabels',
      'Using `class_name_whitelist` or `class_name_blacklist` requires labels to be present in the TFLite Model Metadata ' +
        'but none was found.',
    );
  }
}

type Tensors = [locations: TensorMetadata, classes: TensorMetadata, scores: TensorMetadata];
type Values = [locations: Float32Array, classes: Float32Array, scores: Float32Array, count: Float32Array];
type Corners = [left: number, top: number, right: number, bottom: number];

function describedOutputs(model: TaskModel): readonly TensorMetadata[] {
  const count = model.outputs.length;
  if (count !== 4)
    throw new TaskError('outputCount', `Mobile SSD models are expected to have exactly 4 outputs, found ${count}`);
  if (model.metadata === null) {
    throw new TaskError('noMetadata', 'Object detection models require TFLite Model Metadata but none was found');
  }
  const { outputs } = model.metadata;
  if (outputs.length === 4) return outputs;
  throw new TaskError(
    'metadataInconsistent',
    `Mismatch between number of output tensors (4) and output tensors metadata (${outputs.length}).`,
  );
}

/** By their names; where one is missing, as the operator has them. */
function orderOf(tensors: readonly TensorMetadata[]): readonly number[] {
  const order = OUTPUTS.map((name) => tensors.findIndex((tensor) => tensor.name === name));
  return order.includes(-1) ? DEFAULT_ORDER : order;
}

function cornersOf({ name, content }: TensorMetadata): readonly number[] {
  const tensor = name ?? '#0';
  if (content?.kind !== 'BoundingBoxProperties') {
    const found = content === null ? 'none' : content.kind;
    throw new TaskError('content', `Expected BoundingBoxProperties for tensor ${tensor}, found ${found}.`);
  }
  const { type, coordinateType, index } = content;
  if (type !== 'BOUNDARIES')
    throw new TaskError('content', `Mobile SSD only supports BoundingBoxType BOUNDARIES, found ${type}`);
  if (coordinateType !== 'RATIO') {
    throw new TaskError('content', `Mobile SSD only supports CoordinateType RATIO, found ${coordinateType}`);
  }
  if (index.length === 0) return DEFAULT_ORDER;
  if (index.length === 4) return index;
  throw new TaskError('content', `Expected BoundingBoxProperties index to contain 4 values, found ${index.length}`);
}

function checkShapes({ outputs }: TaskModel, order: readonly number[]): void {
  order.forEach((output, place) => {
    const shape = outputs[output]?.shape ?? [];
    const rank = RANKS[place];
    if (shape.length !== rank) {
      const found = `is expected to have ${rank} dimensions, found ${shape.length}.`;
      throw new TaskError('outputDimensions', `Output tensor at index ${output} ${found}`);
    }
    if (shape[0] !== 1) throw new TaskError('outputDimensions', `Expected batch size of 1, found ${shape[0]}.`);
  });
}
