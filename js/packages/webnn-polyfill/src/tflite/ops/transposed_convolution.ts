/** convTranspose2d: TRANSPOSE_CONV lacks groups and dilations, and has only the paddings SAME and VALID. */

import { reshaped } from '../broadcast.js';
import type { Call } from '../call.js';
import { concatenated, padded, sliced, slicedAxis, transposed } from '../calls.js';
import { constantDilate } from '../folding.js';
import type { Net } from '../net.js';
import { dimension, isConstant, type Tensor } from '../tensor.js';
import {
  channelsLast,
  inLayout,
  isSame,
  type Layout,
  type Padding,
  type Pair,
  shapeChannelsLast,
  spatialOf,
  startOf,
} from './window.js';

/** Axes of output channels, rows, columns and input channels in each layout of filters. */
const TO_OHWI = { iohw: [1, 2, 3, 0], hwoi: [2, 0, 1, 3], ohwi: [0, 1, 2, 3] } as const;

export function lowerConvTranspose2d(call: Call): Tensor {
  const { net } = call;
  const layout = call.attribute<Layout>('inputLayout');
  const laidOut = transposed(net, call.input('filter'), TO_OHWI[call.attribute<keyof typeof TO_OHWI>('filterLayout')]);
  const filter = dilated(net, laidOut, call.attribute<Pair>('dilations'));
  const input = channelsLast(net, call.input(), layout);
  const shape = shapeChannelsLast(call.outputShape(), layout);
  const groups = call.attribute<number>('groups');
  const strides = call.attribute<Pair>('strides');
  const padding = call.attribute<Padding>('padding');
  const bias = call.optional('bias');
  const results = groupsOf(net, input, filter, groups).map(([part, own], group) => {
    const channels = dimension(own.shape, 0);
    const ownBias = bias && slicedAxis(net, bias, 0, group * channels, channels);
    return spread(net, part, own, ownBias, { shape: shape.with(3, channels), strides, padding });
  });
  return inLayout(net, concatenated(net, results, 3), layout);
}

/** Input and filter of each group: input channels and filters are split. */
function groupsOf(net: Net, input: Tensor, filter: Tensor, groups: number): [Tensor, Tensor][] {
  const channels = dimension(input.shape, 3) / groups;
  if (!Number.isInteger(channels)) {
    throw new RangeError(
      `convTranspose2d: the ${groups} groups do not divide the ${dimension(input.shape, 3)} channels`,
    );
  }
  return Array.from({ length: groups }, (_, group) => [
    slicedAxis(net, input, 3, group * channels, channels),
    slicedAxis(net, filter, 3, group * channels, channels),
  ]);
}

interface Spread {
  /** The result's, [n, h, w, o]. */
  readonly shape: readonly number[];
  readonly strides: Pair;
  readonly padding: Padding;
}

function spread(
  net: Net,
  input: Tensor,
  filter: Tensor,
  bias: Tensor | undefined,
  { shape, strides, padding }: Spread,
): Tensor {
  const options = { stride_w: strides[1], stride_h: strides[0], fused_activation_function: 'NONE' };
  const node = (size: readonly number[], scheme: string) => {
    const inputs = [net.list(size), filter, input, ...(bias ? [bias] : [])];
    return net.node('TRANSPOSE_CONV', inputs, { type: input.type, shape: size }, { padding: scheme, ...options });
  };
  const [from, to, extent] = [spatialOf(input.shape), spatialOf(shape), spatialOf(filter.shape)];
  if (isSame(padding, to, from, extent, strides)) return node(shape, 'SAME');
  // Padding crops; nothing is spread to what the output has beyond.
  const size = (axis: 0 | 1) => {
    return Math.max((from[axis] - 1) * strides[axis] + extent[axis], to[axis] + startOf(padding, axis));
  };
  const full = node([dimension(shape, 0), size(0), size(1), dimension(shape, 3)], 'VALID');
  return sliced(net, full, [0, padding[0], padding[2], 0], shape);
}

/** A filter [o, h, w, i] with zeros between its rows and columns. */
function dilated(net: Net, filter: Tensor, dilations: Pair): Tensor {
  const [outputs, height, width, inputs] = filter.shape as [number, number, number, number];
  if (dilations[0] === 1 && dilations[1] === 1) return filter;
  if (isConstant(filter)) return constantDilate(net, filter, dilations);
  const rows = widenedAxis(net, reshaped(net, filter, [outputs, height, 1, width * inputs]), dilations[0]);
  const columns = reshaped(net, rows, [outputs * height * dilations[0], width, 1, inputs]);
  const spaced = reshaped(net, widenedAxis(net, columns, dilations[1]), [
    outputs,
    height * dilations[0],
    width * dilations[1],
    inputs,
  ]);
  const sizes = [outputs, (height - 1) * dilations[0] + 1, (width - 1) * dilations[1] + 1, inputs];
  return sliced(net, spaced, [0, 0, 0, 0], sizes);
}

/** [a, b, 1, c] with zeros up to that size of the third axis. */
function widenedAxis(net: Net, input: Tensor, size: number): Tensor {
  return padded(net, input, [0, 0, 0, 0], [0, 0, size - 1, 0]);
}
