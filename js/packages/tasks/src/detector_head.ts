/** How a detector writes its outputs, as far as its file says. */

import {
  anchorHead,
  calibrated,
  type DetectorHead,
  type PostProcessOutput,
  postProcessHead,
  yoloHead,
} from '@tflite-webnn/media/results';
import type { ScoreCalibration } from 'tflite-webnn';
import { checkArguments } from './arguments.js';
import { TaskModelError } from './errors.js';
import { described, METADATA, type TaskMetadata, type TaskModel, TENSORS } from './task_model.js';

/** What is known of a detector. */
export interface DetectorFile {
  /** Its outputs. */
  readonly model: Pick<TaskModel, 'outputs'>;
  /** Its file's metadata. */
  readonly metadata: TaskMetadata | null;
}

const SIDES = 4;
// Names of the four outputs in TFLite Metadata, as its writer for object detectors gives them.
const OUTPUTS: Readonly<Record<string, PostProcessOutput>> = {
  location: 'boxes',
  category: 'classes',
  score: 'scores',
  'number of detections': 'count',
};

/**
 * The order of the four outputs of TFLite_Detection_PostProcess, where metadata names them.
 *
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @returns What each output has, in the model's order; undefined if the names are others.
 * @throws OptionError
 */
export function outputOrder(metadata: TaskMetadata | null): PostProcessOutput[] | undefined {
  checkArguments('outputOrder', { metadata }, { metadata: METADATA });
  const order = metadata?.outputs.map(({ name }) => OUTPUTS[name ?? '']) ?? [];
  return order.length === SIDES && order.every((name) => name !== undefined) ? order : undefined;
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
  if (ultralytics) return ultralyticsHead(ultralytics.names.length, outputs[0]?.shape ?? []);
  if (outputs.length === SIDES && outputs.some(({ shape }) => shape.at(-1) === SIDES)) {
    const order = outputOrder(metadata);
    const calibration = metadata?.outputs[order?.indexOf('scores') ?? -1]?.scoreCalibration;
    return calibration ? calibratedHead(postProcessHead(order), calibration) : postProcessHead(order);
  }
  throw new TaskModelError(
    `Nothing says how to read the outputs ${described(outputs)}: give the option head, e.g. yoloHead() or anchorHead({ anchors }).`,
  );
}

function mediapipeMetadataHead({ anchors, decoding }: NonNullable<TaskMetadata['detector']>): DetectorHead {
  if (decoding === null) throw new TaskModelError("The metadata's detector has anchors, and not how boxes are read.");
  if (decoding.numBoxes !== anchors.length || decoding.numValuesPerKeypoint * decoding.numKeypoints > 0) {
    throw new TaskModelError(
      `The metadata's detector has ${decoding.numBoxes} boxes for ${anchors.length} anchors, and ${decoding.numKeypoints} ` +
        'points of each; expected as many boxes as anchors, and no points: give the option head.',
    );
  }
  return anchorHead({
    anchors,
    scales: [decoding.yScale, decoding.xScale, decoding.hScale, decoding.wScale],
    exponentialSize: decoding.applyExponentialOnBoxSize,
    activation: decoding.sigmoidScore ? 'sigmoid' : 'none',
  });
}

/** YOLO v5 has a number more than a box and its classes: whether there is anything. */
function ultralyticsHead(classes: number, shape: readonly number[]): DetectorHead {
  const numbers = Math.min(...shape.slice(1));
  return yoloHead({ classes, objectness: numbers === SIDES + 1 + classes });
}

function calibratedHead(head: DetectorHead, calibration: ScoreCalibration): DetectorHead {
  return {
    ...head,
    read(results, threshold) {
      const { detections, classes } = head.read(results, Number.NEGATIVE_INFINITY);
      const scored = detections.map((row) => ({ ...row, score: calibrated(calibration, row.index, row.score) }));
      return { detections: scored.filter(({ score }) => score >= threshold), classes };
    },
  };
}
