/** What is in an image: tfjs-tflite's ImageClassifier. */

import { bestClasses, type ClassOptions as ClassChoice, calibratedScore } from '@tflite-webnn/media/results/unchecked';
import type { ScoreCalibration } from 'tflite-webnn/metadata';
import { Message } from './protobuf.js';
import type { InputImage, OutputValues, TaskModel } from './task_model.js';
import {
  allowedClasses,
  type ClassOptions,
  checkClassOptions,
  checkResultOptions,
  classMessage,
  type Label,
  labelsOf,
  noLabels,
  type ResultOptions,
  TaskError,
} from './task_options.js';

/** The message ImageClassifierOptions. */
export type ImageClassifierOptions = ClassOptions & ResultOptions;

/** An output with scores. */
interface Head {
  readonly labels: readonly Label[];
  readonly threshold: number;
  readonly calibration: ScoreCalibration | null;
}

/** @throws TaskError where options of results or classes cannot be followed. */
export function checkClassifierOptions(options: ImageClassifierOptions): void {
  checkResultOptions(options);
  checkClassOptions(options);
}

/** Returns the message ClassificationResult for an image. */
export class ImageClassifier {
  readonly #model: TaskModel;
  readonly #options: ImageClassifierOptions;
  readonly #heads: readonly Head[];
  readonly #allowed: Omit<ClassChoice, 'labels'>;

  /** @throws TaskError where the model does not do. */
  constructor(model: TaskModel, options: ImageClassifierOptions) {
    this.#model = model;
    this.#options = options;
    this.#heads = model.outputs.map((_, index) => headOf(model, index, options));
    this.#allowed = allowedClasses(
      options,
      this.#heads.flatMap(({ labels }) => labels),
    );
  }

  run(image: InputImage): Message {
    const result = new Message();
    this.#model.run(image).forEach((output, index) => {
      result.message(1, this.#classifications(output, this.#heads[index] as Head, index));
    });
    return result;
  }

  #classifications({ values }: OutputValues, { labels, threshold, calibration }: Head, index: number): Message {
    const maxResults = this.#options.getMaxResults();
    const scores =
      calibration === null
        ? values
        : values.map((score, classIndex) => calibratedScore(calibration, classIndex, score));
    const best = bestClasses(scores, {
      ...this.#allowed,
      labels: labels.map(({ name }) => name),
      k: maxResults < 0 ? values.length : maxResults,
      threshold,
    });
    const message = new Message();
    for (const row of best) message.message(1, classMessage(row.index, row.score, labels[row.index]));
    return message.int(2, index);
  }
}

function headOf(model: TaskModel, index: number, options: ImageClassifierOptions): Head {
  const metadata = model.outputMetadata(index);
  const { shape, dtype, name } = model.outputs[index] as TaskModel['outputs'][number];
  checkShape(shape, index);
  const count = shape.at(-1) as number;
  const named = labelsOf(metadata, 'axis', options.getDisplayNamesLocale());
  const labels = named.length === 0 ? noLabels(count) : named;
  if (labels.length !== count) {
    const counts = `Got ${count} class(es) for output index ${index}, expected ${labels.length}`;
    throw new TaskError('metadataInconsistent', `${counts} according to the label map.`);
  }
  if (dtype !== 'uint8' && dtype !== 'float32') {
    const types = `Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got ${dtype.toUpperCase()}.`;
    throw new TaskError('outputType', `Type mismatch for output tensor ${name}. ${types}`);
  }
  const threshold = options.hasScoreThreshold() ? options.getScoreThreshold() : (metadata?.scoreThreshold ?? 0);
  return { labels, threshold, calibration: metadata?.scoreCalibration ?? null };
}

function checkShape(shape: readonly number[], index: number): void {
  if (shape.length === 4 && (shape[1] !== 1 || shape[2] !== 1)) {
    throw new TaskError(
      'outputDimensions',
      `Unexpected WxH sizes for output index ${index}: got ${shape[2]}x${shape[1]}, expected 1x1.`,
    );
  }
  if (shape.length !== 2 && shape.length !== 4) {
    throw new TaskError(
      'outputDimensions',
      `Unexpected number of dimensions for output index ${index}: got ${shape.length}D, expected either 2D (BxN with ` +
        'B=1) or 4D (BxHxWxN with B=1, W=1, H=1).',
    );
  }
  if (shape[0] !== 1) {
    const found = `Got ${shape[0]} for output index ${index}.`;
    throw new TaskError('outputDimensions', `The output array is expected to have a batch size of 1. ${found}`);
  }
}
