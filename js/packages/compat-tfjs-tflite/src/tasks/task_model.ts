/** The model of a task: runs on images, and has its file's metadata. */

import type { TensorInfo } from 'tflite-webnn';
import { typedArrayConstructor } from 'tflite-webnn/dtypes';
import type { ModelMetadata, TensorMetadata } from 'tflite-webnn/metadata';
import { readArchive } from 'tflite-webnn/metadata/archive';
import { inflate } from 'tflite-webnn/metadata/inflate';
import { findMetadata } from 'tflite-webnn/metadata/metadata_parts';
import { readMetadata } from 'tflite-webnn/metadata/read_metadata';
import type { RetryingModel } from '../retrying_model.js';
import { scaleImage } from './scale_image.js';
import { TaskError } from './task_options.js';

/** The pixels of an image, four bytes each, and its size. */
export interface InputImage {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** An output after a run. */
export interface OutputValues {
  readonly info: TensorInfo;
  readonly shape: readonly number[];
  /** Real numbers: what integers stand for. */
  readonly values: Float32Array;
}

/** A model that sees images. */
export class TaskModel {
  readonly #model: RetryingModel;
  readonly #input: TensorInfo;
  readonly #normalization: TensorMetadata['normalization'];
  readonly metadata: ModelMetadata | null;

  /**
   * @param file - The model's bytes.
   * @throws TaskError where the model does not accept one RGB image.
   */
  constructor(model: RetryingModel, file: Uint8Array) {
    this.#model = model;
    this.metadata = metadataOf(file);
    const { inputs } = model.runner.description;
    const metadata = this.metadata?.inputs[0] ?? null;
    this.#input = checkInput(inputs, metadata);
    this.#normalization = metadata?.normalization ?? null;
  }

  /** The model's outputs, as it declares them. */
  get outputs(): readonly TensorInfo[] {
    return this.#model.runner.description.outputs;
  }

  /** What the file says of an output. */
  outputMetadata(index: number): TensorMetadata | null {
    return this.metadata?.outputs[index] ?? null;
  }

  /** Runs the model on an image, stretched to the size of its input. */
  run({ rgba, width, height }: InputImage): OutputValues[] {
    const { runner } = this.#model;
    const [, toHeight, toWidth] = this.#input.shape as [number, number, number];
    const pixels = scaleImage(rgba, width, height, toWidth, toHeight);
    runner.write(this.#input.index, this.#input.dtype === 'uint8' ? pixels : this.#normalized(pixels));
    this.#model.invoke();
    return this.outputs.map((info) => {
      const { runner } = this.#model; // another one where WebNN was lost
      return { info, shape: runner.tensorShape(info.index), values: realValues(info, runner.tensorBytes(info.index)) };
    });
  }

  /** Frees the model. */
  delete(): void {
    this.#model.delete();
  }

  #normalized(pixels: Uint8Array): Uint8Array {
    const { mean, std } = this.#normalization as { mean: readonly number[]; std: readonly number[] };
    const factors = std.map((deviation) => Math.fround(1 / Math.fround(deviation)));
    const values = Float32Array.from(pixels, (pixel, index) => {
      const channel = mean.length === 1 ? 0 : index % mean.length;
      return (factors[channel] as number) * Math.fround(pixel - (mean[channel] as number));
    });
    return new Uint8Array(values.buffer);
  }
}

/** The file's metadata; null without TFLite Metadata. */
export function metadataOf(file: Uint8Array): ModelMetadata | null {
  const parts = findMetadata(file);
  if (parts.metadata === null) return null;
  return readMetadata(parts, parts.archive === null ? [] : readArchive(parts.archive, inflate));
}

function checkInput(inputs: readonly TensorInfo[], metadata: TensorMetadata | null): TensorInfo {
  checkContent(metadata);
  const [input] = inputs;
  if (input === undefined || inputs.length > 1)
    throw new TaskError('inputCount', 'Models are assumed to have a single input.');
  const { shape, dtype } = input;
  if (shape.length !== 4) throw new TaskError('inputDimensions', 'Only 4D tensors in BHWD layout are supported.');
  if (dtype !== 'uint8' && dtype !== 'float32') {
    throw new TaskError(
      'inputType',
      `Type mismatch for input tensor ${input.name}. Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got ` +
        `${dtype.toUpperCase()}.`,
    );
  }
  if (shape[0] !== 1 || shape[3] !== 3) {
    const sizes = shape.join(' x ');
    throw new TaskError(
      'inputDimensions',
      `The input tensor should have dimensions 1 x height x width x 3. Got ${sizes}.`,
    );
  }
  if (dtype === 'uint8' || metadata?.normalization) return input;
  throw new TaskError(
    'noNormalization',
    'Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata to preprocess input ' +
      'images.',
  );
}

function checkContent(metadata: TensorMetadata | null): void {
  const content = metadata?.content ?? null;
  if (content === null) return;
  if (content.kind !== 'ImageProperties') {
    throw new TaskError(
      'content',
      `Expected ImageProperties for tensor ${metadata?.name ?? '#0'}, got ${content.kind}.`,
    );
  }
  if (content.colorSpace !== 'RGB') throw new TaskError('argument', 'Only RGB color space is supported for now.');
}

/** The values of a tensor as real numbers: floats, or integers with or without quantization. */
export function realValues({ dtype, quantization }: TensorInfo, bytes: Uint8Array): Float32Array {
  const array = typedArrayConstructor(dtype) ?? Uint8Array;
  const values = new array(bytes.slice().buffer);
  if (values instanceof Float32Array) return values;
  const [scale, zeroPoint] = quantizationOf(dtype, quantization);
  return Float32Array.from(values as Uint8Array, (value) => scale * (value - zeroPoint));
}

/** Integers without quantization count as 0, as in the task library; floats and booleans are what they are. */
function quantizationOf(dtype: string, quantization: TensorInfo['quantization']): [scale: number, zeroPoint: number] {
  if (dtype === 'float64' || dtype === 'bool') return [1, 0];
  return [quantization?.scales[0] ?? 0, quantization?.zeroPoints[0] ?? 0];
}
