/** Shared by convolutions and pools: layouts and paddings. */

import { padded, transposed } from '../calls.js';
import type { Net } from '../net.js';
import type { Call } from '../op_entry.js';
import { dimension, type Tensor } from '../tensor.js';

export type Layout = 'nchw' | 'nhwc';
/** Rows and columns. */
export type Pair = readonly [number, number];
/** Added elements: before and after the rows, before and after the columns. */
export type Padding = readonly [top: number, bottom: number, left: number, right: number];

const TO_NHWC = [0, 2, 3, 1];
const TO_NCHW = [0, 3, 1, 2];

/** The input with channels last, as the kernels need it. */
export function channelsLast(net: Net, input: Tensor, layout: Layout): Tensor {
  return layout === 'nchw' ? transposed(net, input, TO_NHWC) : input;
}

/** A result with channels last, in the requested layout. */
export function inLayout(net: Net, result: Tensor, layout: Layout): Tensor {
  return layout === 'nchw' ? transposed(net, result, TO_NCHW) : result;
}

export function shapeChannelsLast(shape: readonly number[], layout: Layout): number[] {
  return layout === 'nchw' ? TO_NHWC.map((axis) => dimension(shape, axis)) : [...shape];
}

/** Rows and columns covered by a dilated window. */
export function extentOf(window: Pair, dilations: Pair): Pair {
  return [(window[0] - 1) * dilations[0] + 1, (window[1] - 1) * dilations[1] + 1];
}

/** How the windows of a call move over its input. */
export interface Windows {
  /** The requested padding. */
  readonly padding: Padding;
  readonly strides: Pair;
  readonly dilations: Pair;
  /** The padding that fits the windows. */
  readonly exact: Padding;
  /** Whether TensorFlow Lite's padding SAME is exactly the requested one. */
  readonly isSame: boolean;
}

/** The windows of a call; shapes have channels last. */
export function windowsOf(call: Call, input: readonly number[], shape: readonly number[], window: Pair): Windows {
  const padding = call.attribute<Padding>('padding');
  const strides = call.attribute<Pair>('strides');
  const dilations = call.attribute<Pair>('dilations');
  const extent = extentOf(window, dilations);
  const [from, to] = [spatialOf(input), spatialOf(shape)];
  const exact = exactPadding(padding, from, to, extent, strides);
  return { padding, strides, dilations, exact, isSame: isSame(padding, from, to, extent, strides) };
}

/** The sizes of rows and columns in [n, h, w, c]. */
export function spatialOf(shape: readonly number[]): Pair {
  return [dimension(shape, 1), dimension(shape, 2)];
}

/**
 * The padding that exactly fits `output` windows of that extent: WebNN may round sizes up, so that windows extend
 * beyond the requested padding, or down, so that the last rows or columns are in no window.
 */
function exactPadding(padding: Padding, input: Pair, output: Pair, extent: Pair, strides: Pair): Padding {
  const after = (axis: 0 | 1) =>
    (output[axis] - 1) * strides[axis] + extent[axis] - input[axis] - startOf(padding, axis);
  return [padding[0], Math.max(after(0), 0), padding[2], Math.max(after(1), 0)];
}

/** The padding before the rows or columns. */
export function startOf(padding: Padding, axis: 0 | 1): number {
  return axis === 0 ? padding[0] : padding[2];
}

/** Whether TensorFlow Lite's padding SAME is exactly this one. */
export function isSame(padding: Padding, input: Pair, output: Pair, extent: Pair, strides: Pair): boolean {
  return ([0, 1] as const).every((axis) => {
    if (output[axis] !== Math.ceil(input[axis] / strides[axis])) return false;
    const total = Math.max((output[axis] - 1) * strides[axis] + extent[axis] - input[axis], 0);
    return startOf(padding, axis) === Math.floor(total / 2);
  });
}

export function isZero(padding: Padding): boolean {
  return padding.every((count) => count === 0);
}

/** [n, h, w, c] with rows and columns padded with a value. */
export function spatiallyPadded(net: Net, input: Tensor, [top, bottom, left, right]: Padding, value = 0): Tensor {
  return padded(net, input, [0, top, left, 0], [0, bottom, right, 0], value);
}
