/** Where in an image things are: tfjs-tflite's ObjectDetector, for models that end in TFLite's detection post-processing. */

import type { Box } from '@tflite-webnn/media/results';
import {
  calibratedScore,
  classFilter,
  OPERATOR_ORDER,
  type PostProcessOutput,
  postProcessOrder,
  readRows,
} from '@tflite-webnn/media/results/unchecked';
import type { ScoreCalibration, TensorMetadata } from 'tflite-webnn/metadata';
import { Message } from './protobuf.js';
import type { InputImage, TaskModel } from './task_model.js';
import {
  allowedClasses,
  type ClassOptions,
  classMessage,
  type Label,
  labelsOf,
  type ResultOptions,
  TaskError,
} from './task_options.js';

/** The message ObjectDetectorOptions. */
export type ObjectDetectorOptions = ClassOptions & ResultOptions;

/** Of the outputs in the operator's order. */
const RANKS = [3, 2, 2, 1];
/** Left, top, right and bottom, as the schema has them. */
const DEFAULT_CORNERS = [0, 1, 2, 3];

/** Returns the message DetectionResult for an image. */
export class ObjectDetector {
  readonly #model: TaskModel;
  readonly #options: ObjectDetectorOptions;
  readonly #order: readonly PostProcessOutput[];
  /** Where left, top, right and bottom are in a box. */
  readonly #corners: readonly number[];
  readonly #labels: readonly Label[];
  readonly #threshold: number;
  readonly #calibration: ScoreCalibration | null;
  readonly #counts: (index: number) => boolean;

  /** @throws TaskError where the model does not do. */
  constructor(model: TaskModel, options: ObjectDetectorOptions) {
    this.#model = model;
    this.#options = options;
    const tensors = describedOutputs(model);
    this.#order = postProcessOrder(tensors.map(({ name }) => name)) ?? OPERATOR_ORDER;
    const tensorOf = (output: PostProcessOutput) => tensors[this.#order.indexOf(output)] as TensorMetadata;
    this.#corners = cornersOf(tensorOf('boxes'));
    this.#labels = labelsOf(tensorOf('classes'), 'value', options.getDisplayNamesLocale());
    const { scoreThreshold, scoreCalibration } = tensorOf('scores');
    const threshold = scoreThreshold ?? Number.NEGATIVE_INFINITY;
    this.#threshold = options.hasScoreThreshold() ? options.getScoreThreshold() : threshold;
    this.#calibration = scoreCalibration;
    checkShapes(model, this.#order);
    this.#counts = this.#classFilter();
  }

  /** In the model's order, as many as the options want of those that the model counts. */
  run(image: InputImage): Message {
    const results = this.#model.run(image);
    const rows = readRows((output) => results[this.#order.indexOf(output)]?.values ?? [], this.#corners);
    const calibration = this.#calibration;
    const scored = calibration
      ? rows.map((row) => ({ ...row, score: calibratedScore(calibration, row.index, row.score) }))
      : rows;
    const counted = scored.filter(({ index, score }) => this.#counts(index) && score > this.#threshold);
    const maxResults = this.#options.getMaxResults();
    const message = new Message();
    for (const { index, score, box } of maxResults > 0 ? counted.slice(0, maxResults) : counted) {
      const named = classMessage(index, score, this.#labelOf(index));
      message.message(1, new Message().message(2, boxMessage(box, image)).message(3, named));
    }
    return message;
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

  #classFilter(): (index: number) => boolean {
    const isUsed =
      [...this.#options.getClassNameWhitelistList(), ...this.#options.getClassNameBlacklistList()].length > 0;
    const labels = this.#labels.map(({ name }) => name);
    if (!isUsed || labels.length > 0) return classFilter({ ...allowedClasses(this.#options, this.#labels), labels });
    throw new TaskError(
      'noLabels',
      'Using `class_name_whitelist` or `class_name_blacklist` requires labels to be present in the TFLite Model Metadata ' +
        'but none was found.',
    );
  }
}

/** Pixels, cut to integers. */
function boxMessage({ left, top, width, height }: Box, image: InputImage): Message {
  const pixels = (share: number, size: number) => Math.trunc(Math.fround(Math.fround(share) * size));
  return new Message()
    .int(1, pixels(left, image.width))
    .int(2, pixels(top, image.height))
    .int(3, pixels(width, image.width))
    .int(4, pixels(height, image.height));
}

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
  if (index.length === 0) return DEFAULT_CORNERS;
  if (index.length === 4) return index;
  throw new TaskError('content', `Expected BoundingBoxProperties index to contain 4 values, found ${index.length}`);
}

function checkShapes({ outputs }: TaskModel, order: readonly PostProcessOutput[]): void {
  OPERATOR_ORDER.forEach((name, index) => {
    const output = order.indexOf(name);
    const shape = outputs[output]?.shape ?? [];
    const rank = RANKS[index];
    if (shape.length !== rank) {
      const found = `is expected to have ${rank} dimensions, found ${shape.length}.`;
      throw new TaskError('outputDimensions', `Output tensor at index ${output} ${found}`);
    }
    if (shape[0] !== 1) throw new TaskError('outputDimensions', `Expected batch size of 1, found ${shape[0]}.`);
  });
}
