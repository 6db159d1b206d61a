/** Layouts of images and filters for the kernels: everything is computed in nhwc, with filters in hwio. */

import type { MLInputOperandLayout } from '../generated/webnn_types.js';
import * as tf from './tf.js';

/** Brings the axes of a layout, named by letters, into another order. */
export function reordered(tensor: tf.Tensor, from: string, to: string): tf.Tensor4D {
  if (from === to) return tensor as tf.Tensor4D;
  return tf.transpose(
    tensor,
    [...to].map((letter) => from.indexOf(letter)),
  ) as tf.Tensor4D;
}

/** Computes in nhwc with input and output in another layout. */
export function inNhwc(
  image: tf.Tensor,
  layout: MLInputOperandLayout,
  compute: (image: tf.Tensor4D) => tf.Tensor,
): tf.Tensor {
  return reordered(compute(reordered(image, layout, 'nhwc')), 'nhwc', layout);
}

/** Height and width of an image. */
export function imageSize(shape: readonly number[], layout: MLInputOperandLayout): [number, number] {
  return [shape[layout.indexOf('h')] as number, shape[layout.indexOf('w')] as number];
}

/** WebNN's `[top, bottom, left, right]` for kernels in nhwc. */
export function explicitPadding([top = 0, bottom = 0, left = 0, right = 0]: readonly number[]): ExplicitPadding {
  return [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ];
}

type ExplicitPadding = [[number, number], [number, number], [number, number], [number, number]];

/** A pair of numbers for the kernels. */
export function both(values: readonly number[]): [number, number] {
  return [values[0] as number, values[1] as number];
}
