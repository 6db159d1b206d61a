/** From bytes of an image to the numbers that a model accepts: one multiplication and one addition for each channel. */

import { OptionError } from 'tflite-webnn';
import { having, type Kind, NUMBERS } from 'tflite-webnn/option_schema';
import { type ImageInput, titleOf } from './image_input.js';

/** A number for all channels, also as a list of one, or one for each. */
export type PerChannel = number | readonly number[];

/** `(pixel - mean) / std`, with pixels from 0 to 255. TFLite Metadata states normalization in these terms. */
export interface MeanAndStd {
  /** What is subtracted from a pixel. */
  readonly mean: PerChannel;
  /** What the difference is divided by. */
  readonly std: PerChannel;
}

/** The values of black and of white, e.g. `[-1, 1]`. */
export type InputRange = readonly [low: PerChannel, high: PerChannel];

/** Factor and summand of each channel. */
export interface Steps {
  readonly scale: readonly number[];
  readonly offset: readonly number[];
}

const PER_CHANNEL: Kind = [
  'a number, or one for each channel',
  (value) => typeof value === 'number' || NUMBERS[1](value),
];
export const NORMALIZATION = having({ mean: PER_CHANNEL, std: PER_CHANNEL });
export const RANGE: Kind = [
  'a pair of black and white, e.g. [-1, 1]',
  (value) => Array.isArray(value) && value.length === 2 && value.every(PER_CHANNEL[1]),
];

const WHITE = 255;
// Without normalization an integer input accepts the pixels themselves: its minimum is black.
const BLACK: Readonly<Record<string, number>> = { int8: -128 };

/**
 * The steps from a pixel to an element of the tensor.
 *
 * @throws OptionError where a number is not finite, a deviation is 0, or a float input has no normalization.
 */
export function stepsOf(
  input: ImageInput,
  channels: number,
  normalization: MeanAndStd | undefined,
  range: InputRange | undefined,
): Steps {
  if (normalization && range) throw new OptionError('Pass normalization or range, not both.');
  const isFloat = input.dtype.startsWith('float');
  if (!normalization && !range) {
    if (isFloat) throw missing(input);
    return steps(channels, () => [1, BLACK[input.dtype] ?? 0]);
  }
  const real = range ? ofRange(range, channels) : ofMean(normalization as MeanAndStd, channels);
  return isFloat ? real : quantized(real, input);
}

function missing(input: ImageInput): OptionError {
  return new OptionError(
    `The input ${titleOf(input)} is ${input.dtype}: pass the values of black and white that the model was trained with, ` +
      'as range, e.g. [-1, 1], or as normalization, e.g. { mean: 127.5, std: 127.5 }.',
  );
}

function ofMean({ mean, std }: MeanAndStd, channels: number): Steps {
  const [means, deviations] = [each(mean, channels, 'mean'), each(std, channels, 'std')];
  if (deviations.includes(0)) throw new OptionError('normalization.std is 0: pixels cannot be divided by it.');
  return steps(channels, (channel) => {
    const deviation = deviations[channel] as number;
    return [1 / deviation, -(means[channel] as number) / deviation];
  });
}

function ofRange([low, high]: InputRange, channels: number): Steps {
  const [blacks, whites] = [each(low, channels, 'range[0]'), each(high, channels, 'range[1]')];
  return steps(channels, (channel) => {
    const black = blacks[channel] as number;
    return [((whites[channel] as number) - black) / WHITE, black];
  });
}

/** Continues to the integers of a quantized input; without quantization they are the real values, rounded. */
function quantized(real: Steps, { quantization }: ImageInput): Steps {
  const scale = quantization?.scales[0] ?? 1;
  const zeroPoint = quantization?.zeroPoints[0] ?? 0;
  return {
    scale: real.scale.map((factor) => factor / scale),
    offset: real.offset.map((summand) => summand / scale + zeroPoint),
  };
}

function steps(channels: number, of: (channel: number) => readonly [scale: number, offset: number]): Steps {
  const pairs = Array.from({ length: channels }, (_, channel) => of(channel));
  return { scale: pairs.map(([scale]) => scale), offset: pairs.map(([, offset]) => offset) };
}

function each(provided: PerChannel, channels: number, what: string): readonly number[] {
  const only = typeof provided === 'number' ? provided : provided.length === 1 && provided[0];
  const numbers = typeof only === 'number' ? new Array<number>(channels).fill(only) : provided;
  if (!Array.isArray(numbers) || numbers.length !== channels) {
    throw new OptionError(`${what} must be a number, or ${channels} numbers: one for each channel.`);
  }
  if (!numbers.every((value) => Number.isFinite(value))) {
    throw new OptionError(`${what} is [${numbers.join(', ')}], which must be finite numbers.`);
  }
  return numbers;
}
