/** conv2d and convTranspose2d. */

import type { OperandDescriptor } from '../engine.js';
import type { MLInputOperandLayout } from '../generated/webnn_types.js';
import { check, checkLength, checkPositive, checkSameType, checkShape, ofRank, type RuleRows, tensor } from './rule.js';

const LIMITS = { input: ofRank(4), filter: ofRank(4), bias: ofRank(1), output: ofRank(4) };

/** Sizes along the axes of an image or a filter, by the letters of its layout. */
export function sizesByLayout<Letter extends string>(shape: readonly number[], layout: string): Record<Letter, number> {
  return Object.fromEntries([...layout].map((letter, index) => [letter, shape[index]])) as Record<Letter, number>;
}

export function imageShape(sizes: Readonly<Record<'n' | 'c' | 'h' | 'w', number>>, layout: MLInputOperandLayout) {
  return [...layout].map((letter) => sizes[letter as 'n' | 'c' | 'h' | 'w']);
}

/** The movement of a window over an image. */
interface Moves {
  padding?: readonly number[];
  strides?: readonly number[];
  dilations?: readonly number[];
}

/** Resolves and checks padding, strides and dilations: `[beginningHeight, endingHeight, ...]`, `[height, width]`. */
export function resolveMoves(moves: Moves): asserts moves is Required<Moves> {
  moves.padding ??= [0, 0, 0, 0];
  moves.strides ??= [1, 1];
  moves.dilations ??= [1, 1];
  checkLength('padding', moves.padding, 4);
  for (const name of ['strides', 'dilations'] as const) {
    checkLength(name, moves[name] as readonly number[], 2);
    checkPositive(name, moves[name] as readonly number[]);
  }
}

/** One of the two axes of an image. */
interface Axis {
  readonly size: number;
  readonly window: number;
  readonly padding: number;
  readonly stride: number;
  readonly dilation: number;
}

/** Output height and width of a window; the callback computes one axis. */
export function alongAxes(
  { padding, strides, dilations }: Required<Moves>,
  sizes: readonly [number, number],
  windows: readonly [number, number],
  sizeOf: (axis: Axis, index: 0 | 1) => number,
): [number, number] {
  const axis = (index: 0 | 1): Axis => ({
    size: sizes[index],
    window: windows[index],
    padding: (padding[2 * index] as number) + (padding[2 * index + 1] as number),
    stride: strides[index] as number,
    dilation: dilations[index] as number,
  });
  return [sizeOf(axis(0), 0), sizeOf(axis(1), 1)];
}

/** Unrounded number of a window's positions. */
export function windowPositions({ size, window, padding, stride, dilation }: Axis): number {
  const positions = (size - effectiveSize(window, dilation) + padding) / stride + 1;
  check(positions > 0, `A window of ${window} does not fit into ${size} with ${padding} of padding.`);
  return positions;
}

function effectiveSize(window: number, dilation: number): number {
  return (window - 1) * dilation + 1;
}

function checkBias(input: OperandDescriptor, bias: OperandDescriptor | undefined, channels: number): void {
  checkSameType(input, { bias });
  checkShape('bias', bias, [channels]);
}

/** Size before outputPadding is added. */
function transposedSize({ size, window, padding, stride, dilation }: Axis): number {
  return (size - 1) * stride + effectiveSize(window, dilation) - padding;
}

interface TransposedOptions {
  outputPadding?: readonly number[];
  outputSizes?: readonly number[];
}

/** The requested size, if the strides can reach it; else the calculated one. */
function transposedOutputSize(axis: Axis, index: 0 | 1, { outputPadding, outputSizes }: TransposedOptions): number {
  const minSize = transposedSize(axis);
  if (outputSizes === undefined) return minSize + ((outputPadding as readonly number[])[index] as number);
  const expected = outputSizes[index] as number;
  check(
    expected >= minSize && expected < minSize + axis.stride,
    `The output size ${expected} should be at least ${minSize} and less than ${minSize + axis.stride}.`,
  );
  return expected;
}

function resolveTransposed(options: TransposedOptions, { strides }: Required<Moves>): void {
  const { outputSizes } = options;
  if (outputSizes) checkLength('outputSizes', outputSizes, 2);
  options.outputPadding ??= [0, 0];
  checkLength('outputPadding', options.outputPadding, 2);
  check(
    outputSizes !== undefined || options.outputPadding.every((value, index) => value < (strides[index] as number)),
    `The outputPadding [${options.outputPadding}] should be less than the strides [${strides}].`,
  );
}

/** The padded image that engines create. */
function padded(
  { dataType, shape }: OperandDescriptor,
  layout: MLInputOperandLayout,
  [top = 0, bottom = 0, left = 0, right = 0]: readonly number[],
): OperandDescriptor {
  const { n, c, h, w } = sizesByLayout<'n' | 'c' | 'h' | 'w'>(shape, layout);
  return { dataType, shape: imageShape({ n, c, h: top + h + bottom, w: left + w + right }, layout) };
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-conv2d and -convtranspose2d */
export const CONVOLUTION = {
  conv2d: {
    limits: { ...LIMITS, bias: tensor(LIMITS.bias.dataTypes, 1, 1) },
    infer: ({ input, filter, bias }, attributes) => {
      checkSameType(input, { filter });
      resolveMoves(attributes);
      const { n, c, h, w } = sizesByLayout<'n' | 'c' | 'h' | 'w'>(input.shape, attributes.inputLayout);
      const window = sizesByLayout<'o' | 'i' | 'h' | 'w'>(filter.shape, attributes.filterLayout);
      const { groups } = attributes;
      check(groups > 0, 'The groups should be greater than 0.');
      check(c === window.i * groups, `${c} channels are not ${groups} groups of the filter's ${window.i} channels.`);
      check(window.o % groups === 0, `The groups ${groups} should divide the ${window.o} output channels.`);
      checkBias(input, bias, window.o);
      const positions = alongAxes(attributes, [h, w], [window.h, window.w], (axis) =>
        Math.floor(windowPositions(axis)),
      );
      const sizes = { n, c: window.o, h: positions[0], w: positions[1] };
      return { dataType: input.dataType, shape: imageShape(sizes, attributes.inputLayout) };
    },
    intermediate: ({ input }, { inputLayout, padding }) => padded(input, inputLayout, padding as readonly number[]),
  },
  convTranspose2d: {
    limits: LIMITS,
    infer: ({ input, filter, bias }, attributes) => {
      checkSameType(input, { filter });
      resolveMoves(attributes);
      resolveTransposed(attributes, attributes);
      const { n, c, h, w } = sizesByLayout<'n' | 'c' | 'h' | 'w'>(input.shape, attributes.inputLayout);
      const window = sizesByLayout<'o' | 'i' | 'h' | 'w'>(filter.shape, attributes.filterLayout);
      const { groups } = attributes;
      check(groups > 0, 'The groups should be greater than 0.');
      // Neither browsers nor the W3C's tests require that the groups divide the channels; no engine can compute the
      // others.
      check(c === window.i, `The ${c} channels of the input are not the ${window.i} of the filter.`);
      const channels = window.o * groups;
      checkBias(input, bias, channels);
      const positions = alongAxes(attributes, [h, w], [window.h, window.w], (axis, index) =>
        transposedOutputSize(axis, index, attributes),
      );
      const sizes = { n, c: channels, h: positions[0], w: positions[1] };
      return { dataType: input.dataType, shape: imageShape(sizes, attributes.inputLayout) };
    },
  },
} satisfies RuleRows;
