/** Which pixel belongs to what: tfjs-tflite's ImageSegmenter. */

import { classesOf } from '@tflite-webnn/media/results/unchecked';
import { Message } from './protobuf.js';
import type { InputImage, OutputValues, TaskModel } from './task_model.js';
import { checkThreads, type Label, labelsOf, noLabels, type ResultOptions, TaskError } from './task_options.js';

/** The message ImageSegmenterOptions. */
export interface ImageSegmenterOptions extends Pick<ResultOptions, 'getNumThreads' | 'getDisplayNamesLocale'> {
  /** The client's default is the category mask. */
  getOutputType(): number;
}

const UNSPECIFIED = 0;
const CATEGORY_MASK = 1;
/** A mask has a byte for each pixel. */
const MAX_CLASSES = 256;

/** @throws TaskError where the options cannot be followed. */
export function checkSegmenterOptions(options: ImageSegmenterOptions): void {
  if (options.getOutputType() === UNSPECIFIED) {
    throw new TaskError('argument', 'ImageSegmenterOptions: output_type must not be UNSPECIFIED');
  }
  checkThreads(options);
}

/** Returns the message SegmentationResult for an image. */
export class ImageSegmenter {
  readonly #model: TaskModel;
  readonly #isCategoryMask: boolean;
  readonly #labels: readonly Label[];

  /** @throws TaskError where the model does not do. */
  constructor(model: TaskModel, options: ImageSegmenterOptions) {
    this.#model = model;
    this.#isCategoryMask = options.getOutputType() === CATEGORY_MASK;
    const depth = checkOutput(model);
    const named = labelsOf(model.outputMetadata(0), 'axis', options.getDisplayNamesLocale());
    this.#labels = named.length === 0 ? noLabels(depth) : named;
  }

  run(image: InputImage): Message {
    const [output] = this.#model.run(image) as [OutputValues];
    const [, height, width, depth] = output.shape as [number, number, number, number];
    const segmentation = new Message();
    // The task library begins at 0: without a positive value it is the first class.
    if (this.#isCategoryMask) segmentation.bytes(1, classesOf(output.values, depth, depth, 1, 0));
    this.#labels.forEach((label, index) => {
      segmentation.message(5, coloredLabel(label, index));
    });
    if (!this.#isCategoryMask) segmentation.message(4, confidenceMasks(output.values, depth));
    return new Message().message(1, segmentation.int(2, width).int(3, height));
  }
}

function checkOutput({ outputs }: TaskModel): number {
  const [output] = outputs;
  if (output === undefined || outputs.length !== 1) {
    throw new TaskError(
      'outputCount',
      `Image segmentation models are expected to have only 1 output, found ${outputs.length}`,
    );
  }
  const { shape, dtype } = output;
  if (shape.length !== 4)
    throw new TaskError('outputDimensions', `Output tensor is expected to have 4 dimensions, found ${shape.length}.`);
  if (shape[0] !== 1) throw new TaskError('outputDimensions', `Expected batch size of 1, found ${shape[0]}.`);
  const depth = shape[3] as number;
  if (depth > MAX_CLASSES)
    throw new TaskError('outputDimensions', `Expected at most ${MAX_CLASSES} output classes, found ${depth}`);
  if (dtype !== 'float32' && dtype !== 'uint8') {
    const types = `Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got ${dtype.toUpperCase()}.`;
    throw new TaskError('outputType', `Type mismatch for output tensor. ${types}`);
  }
  return depth;
}

function confidenceMasks(values: Float32Array, depth: number): Message {
  const masks = new Message();
  for (let index = 0; index < depth; index++) {
    const mask = new Float32Array(values.length / depth).map((_, pixel) => values[pixel * depth + index] as number);
    masks.message(1, new Message().bytes(1, new Uint8Array(mask.buffer)));
  }
  return masks;
}

/** The colors of PASCAL VOC: the bits of the index, three by three, from the highest bit of each channel down. */
function coloredLabel({ name, displayName }: Label, index: number): Message {
  const channel = (first: number) => {
    let value = 0;
    for (let bit = first, shift = 7; bit < 8; bit += 3, shift--) value |= ((index >> bit) & 1) << shift;
    return value;
  };
  return new Message().int(1, channel(0)).int(2, channel(1)).int(3, channel(2)).string(4, name).string(5, displayName);
}
