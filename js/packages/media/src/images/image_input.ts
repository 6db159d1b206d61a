/** The input of a model that accepts an image. */

import { checkArguments, type TypedArray } from 'tflite-webnn';
import { having, type Kind, listOf, NUMBER, optional, TEXT } from 'tflite-webnn/option_schema';
import { ImageError } from './image_source.js';

/** What must be known of an input; the rows of a model's `inputs` are such. */
export interface ImageInput {
  /** Its name, for messages and for `options.input`. */
  readonly name?: string;
  /** [1, height, width, channels] or [1, channels, height, width], also without the 1. */
  readonly shape: readonly number[];
  /** The same with -1 for sizes that the model leaves open. */
  readonly shapeSignature?: readonly number[];
  /** Element type: float32, float16 or an integer type. */
  readonly dtype: string;
  /** Scale and zero point of integers. */
  readonly quantization?: {
    /** One, or one for each channel. */
    readonly scales: readonly number[];
    /** As many as scales. */
    readonly zeroPoints: readonly number[];
  } | null;
}

/** A model, or anything else with inputs. */
export interface ImageModel {
  /** Its inputs. */
  readonly inputs: readonly ImageInput[];
}

/** Order of a tensor's dimensions: channels last or first. */
export type Layout = 'nhwc' | 'nchw';

/** Dimensions of an image in a tensor. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly layout: Layout;
}

interface ImageArrayConstructor {
  new (length: number): TypedArray;
  readonly name: string;
}

const { Float16Array: float16Array } = globalThis as { Float16Array?: ImageArrayConstructor };
// The arrays of the element types, and the minimum of the integers among them.
const ARRAYS: Readonly<Record<string, readonly [array: ImageArrayConstructor, min?: number]>> = {
  float32: [Float32Array],
  ...(float16Array && { float16: [float16Array] }),
  uint8: [Uint8Array, 0],
  int8: [Int8Array, -(2 ** 7)],
  uint16: [Uint16Array, 0],
  int16: [Int16Array, -(2 ** 15)],
  int32: [Int32Array, -(2 ** 31)],
};
const CHANNELS: readonly (number | undefined)[] = [1, 3, 4];
const MAX_DIMENSIONS = 4;

const QUANTIZATION = having({ scales: listOf(NUMBER), zeroPoints: listOf(NUMBER) });
const QUANTIZED: Kind = ['null or scales and zero points', (value) => value == null || QUANTIZATION[1](value)];
const SHAPE = listOf(NUMBER);
const INPUT = {
  name: optional(TEXT),
  shape: SHAPE,
  shapeSignature: optional(SHAPE),
  dtype: TEXT,
  quantization: QUANTIZED,
};
const INPUTS = { inputs: listOf(having(INPUT)) };

/**
 * The input of a model that accepts an image: the named one, else the only one with the dimensions of an image.
 *
 * @throws ImageError
 */
export function imageInputOf(model: ImageModel | ImageInput, key: string | number | undefined): ImageInput {
  const kind = (model as Partial<ImageModel> | null)?.inputs === undefined ? INPUT : INPUTS;
  checkArguments(
    'imageToTensor',
    { model },
    { model: kind },
    (...provided) => new ImageError('IMAGE_INPUT', ...provided),
  );
  if (!('inputs' in model)) return model;
  const { inputs } = model;
  if (key !== undefined) {
    const found = typeof key === 'number' ? inputs[key] : inputs.find(({ name }) => name === key);
    if (found) return found;
    throw new ImageError(
      'IMAGE_INPUT',
      `The model has no input ${key}. Its inputs: ${inputs.map(titleOf).join(', ')}.`,
    );
  }
  const images = inputs.length === 1 ? inputs : inputs.filter((input) => layoutOf(input) !== null);
  if (images.length === 1) return images[0] as ImageInput;
  throw new ImageError(
    'IMAGE_INPUT',
    `${images.length} of the model's ${inputs.length} inputs can be an image (${inputs.map(titleOf).join(', ')}): choose one with the option input.`,
  );
}

/**
 * Width, height and channels of an input.
 *
 * @throws ImageError where it cannot be an image.
 */
export function dimensionsOf(input: ImageInput, requested: Layout | undefined): Dimensions {
  const { shape } = input;
  const what = `The input ${titleOf(input)}`;
  const layout = requested ?? layoutOf(input);
  const sizes = sizesOf(shape);
  if (!sizes) throw new ImageError('IMAGE_INPUT', `${what} is not an image: it must be [1, height, width, channels].`);
  const channels = layout === 'nchw' ? sizes[0] : sizes[2];
  if (!layout || !CHANNELS.includes(channels)) {
    throw new ImageError(
      'IMAGE_INPUT',
      `${what} has no dimension of 1, 3 or 4 channels${requested ? ` where ${requested} has it` : ''}.`,
    );
  }
  const [height = 0, width = 0] = layout === 'nchw' ? sizes.slice(1) : sizes;
  if (Math.min(height, width) < 1)
    throw new ImageError('IMAGE_INPUT', `${what} has no pixels: resize the model's inputs first.`);
  if (Math.max(height, width) === 1 && input.shapeSignature?.slice(1 - MAX_DIMENSIONS).includes(-1)) {
    const size = layout === 'nchw' ? `${channels}, 224, 224` : `224, 224, ${channels}`;
    throw new ImageError(
      'IMAGE_INPUT',
      `${what} accepts images of any size, and has one pixel now: choose a size first, e.g. with the option ` +
        `inputShapes: [[1, ${size}]], or with await model.resizeInputs([[1, ${size}]]).`,
    );
  }
  return { width, height, channels: channels as number, layout };
}

/**
 * The array to fill.
 *
 * @throws ImageError where it has another type or length than the input, or the type is not one of numbers.
 */
export function arrayFor(input: ImageInput, length: number, provided: TypedArray | undefined): TypedArray {
  const { dtype } = input;
  const [ArrayOf] = Object.hasOwn(ARRAYS, dtype) ? (ARRAYS[dtype] as (typeof ARRAYS)[string]) : [];
  const what = `The input ${titleOf(input)} is ${dtype}`;
  if (!ArrayOf) throw new ImageError('IMAGE_INPUT', `${what}: images cannot be converted to it here.`);
  if (!provided) return new ArrayOf(length);
  const kind = provided[Symbol.toStringTag];
  if (kind !== ArrayOf.name && !(dtype === 'uint8' && kind === 'Uint8ClampedArray')) {
    throw new ImageError('IMAGE_INPUT', `${what}: the option data must be a ${ArrayOf.name}, not a ${kind}.`);
  }
  if (provided.length === length) return provided;
  throw new ImageError('IMAGE_INPUT', `${what} of ${length} elements, but the option data has ${provided.length}.`);
}

function sizesOf(shape: readonly number[]): readonly number[] | null {
  if (shape.length === MAX_DIMENSIONS) return shape[0] === 1 ? shape.slice(1) : null;
  return shape.length === MAX_DIMENSIONS - 1 ? shape : null;
}

/** By the dimension of the channels, which the model does not leave open. */
function layoutOf({ shape, shapeSignature = shape }: ImageInput): Layout | null {
  if (!sizesOf(shape)) return null;
  const [first, , last] = shapeSignature.slice(1 - MAX_DIMENSIONS);
  if (CHANNELS.includes(last)) return 'nhwc';
  return CHANNELS.includes(first) ? 'nchw' : null;
}

/**
 * Converts floats to the type of an input: integers are rounded, within their range.
 *
 * @param target - An array of {@link arrayFor}.
 */
export function convertInto(floats: Float32Array, target: TypedArray, { dtype }: ImageInput): void {
  const numbers = target as Int32Array; // or any other array of numbers
  const [, min] = ARRAYS[dtype] as (typeof ARRAYS)[string];
  if (min === undefined) {
    numbers.set(floats.subarray(0, target.length));
    return;
  }
  const max = min + 2 ** (8 * target.BYTES_PER_ELEMENT) - 1;
  for (let index = 0; index < numbers.length; index++) {
    numbers[index] = Math.min(max, Math.max(min, Math.floor((floats[index] as number) + 0.5)));
  }
}

/** Name and shape, for messages. */
export function titleOf({ name = '', shape }: ImageInput): string {
  return `${name} [${shape}]`.trim();
}
