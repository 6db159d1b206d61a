/** Pooling. */

import { range } from '../../operators/rule.js';
import { both, explicitPadding, imageSize, inNhwc } from '../layouts.js';
import { type Call, entry, type Step } from '../op_entry.js';
import * as tf from '../tf.js';

type Pool = 'averagePool2d' | 'l2Pool2d' | 'maxPool2d';
type Image = tf.Tensor4D;
type Pair = [number, number];

/** The window's movement; the padding reaches to the end of the last window. */
interface Moves {
  readonly window: Pair;
  readonly strides: Pair;
  readonly dilations: Pair;
  /** `[top, bottom, left, right]` */
  readonly padding: readonly number[];
  readonly outputSizes: Pair;
}

function movesOf(call: Call<Pool>): Moves {
  const { attributes } = call;
  const [window, strides, dilations] = [attributes.windowDimensions, attributes.strides, attributes.dilations].map(
    both,
  );
  const moves = { window, strides, dilations } as Pick<Moves, 'window' | 'strides' | 'dilations'>;
  const sizes = imageSize(call.shape('input'), attributes.layout);
  const outputSizes = both(attributes.outputSizes);
  const padding = [0, 1].flatMap((axis) => {
    const [before, after] = attributes.padding.slice(2 * axis) as [number, number];
    const at = axis as 0 | 1;
    // If sizes are rounded up, the last window extends beyond the padding.
    const reach = (outputSizes[at] - 1) * moves.strides[at] + (moves.window[at] - 1) * moves.dilations[at] + 1;
    return [before, Math.max(after, reach - before - sizes[at])];
  });
  return { ...moves, padding, outputSizes };
}

function padded(image: Image, padding: readonly number[], value: number): Image {
  return padding.some((size) => size > 0) ? tf.pad(image, explicitPadding(padding), value) : image;
}

/** For each position in the window, the elements of all windows. */
function elementsOfWindows(image: Image, { window, strides, dilations, outputSizes }: Moves): Image[] {
  const [batch, , , channels] = image.shape;
  return range(0, window[0]).flatMap((down) =>
    range(0, window[1]).map((across) => {
      const begin = [0, down * dilations[0], across * dilations[1], 0];
      const end = [
        batch,
        (begin[1] as number) + (outputSizes[0] - 1) * strides[0] + 1,
        (begin[2] as number) + (outputSizes[1] - 1) * strides[1] + 1,
        channels,
      ];
      return tf.stridedSlice(image, begin, end, [1, ...strides, 1]) as Image;
    }),
  );
}

function isFull(image: Image, { window, dilations, padding }: Moves): boolean {
  const [, height, width] = image.shape;
  return window[0] === height && window[1] === width && both(dilations).every((d) => d === 1) && !padding.some(Boolean);
}

function maxPool(image: Image, moves: Moves): tf.Tensor {
  const { window, strides, dilations, padding } = moves;
  if (isFull(image, moves)) return tf.max(image, [1, 2], true);
  if (Math.max(...dilations) === 1) return tf.maxPool(image, window, strides, explicitPadding(padding));
  const elements = elementsOfWindows(padded(image, padding, Number.NEGATIVE_INFINITY), moves);
  return elements.reduce((largest, element) => tf.maximum(largest, element));
}

/** Padding is excluded. */
function averagePool(image: Image, moves: Moves): tf.Tensor {
  const { window, strides, dilations, padding } = moves;
  if (isFull(image, moves)) return tf.mean(image, [1, 2], true);
  if (Math.max(...dilations) === 1) return tf.avgPool(image, window, strides, explicitPadding(padding));
  const sum = (x: Image) =>
    elementsOfWindows(padded(x, padding, 0), moves).reduce((total, element) => tf.add(total, element));
  const [, height, width] = image.shape;
  return tf.div(sum(image), sum(tf.ones([1, height, width, 1])));
}

/** The root of the sum of squares. Zeros around the image do not change it. */
function l2Pool(image: Image, moves: Moves): tf.Tensor {
  const { window, strides, dilations } = moves;
  const squares = padded(tf.square(image), moves.padding, 0);
  if (Math.max(...dilations) > 1) {
    return tf.sqrt(elementsOfWindows(squares, moves).reduce((total, element) => tf.add(total, element)));
  }
  return tf.sqrt(tf.mul(tf.avgPool(squares, window, strides, 'valid'), window[0] * window[1]));
}

function pool(op: Pool, compute: (image: Image, moves: Moves) => tf.Tensor) {
  return entry(op, (call): Step => {
    const input = call.operand('input');
    const moves = movesOf(call as unknown as Call<Pool>);
    const { layout } = call.attributes;
    return (frame) => inNhwc(input(frame), layout, (image) => compute(image, moves));
  });
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-pool2d */
export const POOLING = [pool('averagePool2d', averagePool), pool('l2Pool2d', l2Pool), pool('maxPool2d', maxPool)];
