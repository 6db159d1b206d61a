/** conv2d and convTranspose2d. */

import { reshaped } from '../broadcast.js';
import { concatenated, padded, sliced, slicedAxis, transposed } from '../calls.js';
import { constantDilate } from '../folding.js';
import type { NodeOptions } from '../model.js';
import type { Net } from '../net.js';
import { type Call, exactly, FLOATS, limits, type OpEntry } from '../op_entry.js';
import { type ConstantTensor, dimension, isConstant, type Tensor } from '../tensor.js';
import { zeroBias } from './matrix.js';
import {
  channelsLast,
  inLayout,
  isSame,
  isZero,
  type Layout,
  type Padding,
  type Pair,
  shapeChannelsLast,
  spatiallyPadded,
  spatialOf,
  startOf,
  windowsOf,
} from './window.js';

/** Axes of output channels, rows, columns and input channels in each layout of filters. */
const TO_OHWI = { oihw: [0, 2, 3, 1], hwio: [3, 0, 1, 2], ohwi: [0, 1, 2, 3], ihwo: [3, 1, 2, 0] } as const;

interface Convolution {
  readonly input: Tensor;
  /** [o, h, w, i] */
  readonly filter: Tensor;
  readonly bias: Tensor;
  /** The result's, channels last. */
  readonly shape: readonly number[];
  readonly options: NodeOptions;
  readonly groups: number;
}

function lowerConv2d(call: Call): Tensor {
  const { net } = call;
  const layout = call.attribute<Layout>('inputLayout');
  const filter = transposed(net, call.input('filter'), TO_OHWI[call.attribute<keyof typeof TO_OHWI>('filterLayout')]);
  const input = channelsLast(net, call.input(), layout);
  const shape = shapeChannelsLast(call.outputShape(), layout);
  const bias = call.optional('bias') ?? zeroBias(net, input, filter);
  const { prepared, options } = windowed(call, input, filter, shape);
  const groups = call.attribute<number>('groups');
  return inLayout(net, convolved(net, { input: prepared, filter, bias, shape, options, groups }), layout);
}

/** The input with the padding that no option expresses, and the options. */
function windowed(call: Call, input: Tensor, filter: Tensor, shape: readonly number[]) {
  const windows = windowsOf(call, input.shape, shape, spatialOf(filter.shape));
  const { strides, dilations } = windows;
  const same = !isZero(windows.padding) && windows.isSame;
  const prepared = same ? input : spatiallyPadded(call.net, input, windows.exact);
  const options = {
    padding: same ? 'SAME' : 'VALID',
    stride_w: strides[1],
    stride_h: strides[0],
    dilation_w_factor: dilations[1],
    dilation_h_factor: dilations[0],
    fused_activation_function: 'NONE',
  };
  return { prepared, options };
}

function convolved(net: Net, { input, filter, bias, shape, options, groups }: Convolution): Tensor {
  const output = { type: input.type, shape };
  const isDepthwise = groups > 1 && groups === dimension(input.shape, 3) && dimension(filter.shape, 3) === 1;
  if (!isDepthwise) return net.node('CONV_2D', [input, withSparsityHint(net, filter), bias], output, options);
  // [o, h, w, 1] to [1, h, w, o]
  const depthwise = transposed(net, filter, [3, 1, 2, 0]);
  const depth = { ...options, depth_multiplier: dimension(filter.shape, 0) / groups };
  return net.node('DEPTHWISE_CONV_2D', [input, depthwise, bias], output, depth);
}

/** XNNPACK's own threshold: the fraction of zeros above which that is faster. */
const MIN_ZEROS = 2 / 3;

/**
 * The filter [o, h, w, i], declared sparse if it is the model's first sparse one. XNNPACK skips products with zero if most
 * weights of consecutive 1x1 convolutions are zero, but searches only models with a sparse tensor: one is enough, and it
 * need not be stored sparsely.
 */
function withSparsityHint(net: Net, filter: Tensor): Tensor {
  const [, height, width] = filter.shape;
  const isCandidate = filter.type === 'FLOAT32' && height === 1 && width === 1 && isConstant(filter);
  if (!isCandidate || net.has('DENSIFY') || zeros(filter) <= MIN_ZEROS) return filter;
  const { type, shape, data } = filter;
  return net.node('DENSIFY', [{ type, shape, data, isSparse: true }], { type, shape });
}

/** The fraction of zeros. */
function zeros({ data }: ConstantTensor): number {
  const bytes = data.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? data : data.slice();
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
  let count = 0;
  for (const value of values) if (value === 0) count++;
  return count / values.length;
}

/** The same axes in each layout of the filters of transposed convolutions. */
const TRANSPOSED_TO_OHWI = { iohw: [1, 2, 3, 0], hwoi: [2, 0, 1, 3], ohwi: [0, 1, 2, 3] } as const;

/** TRANSPOSE_CONV lacks groups and dilations, and has only the paddings SAME and VALID. */
function lowerConvTranspose2d(call: Call): Tensor {
  const { net } = call;
  const layout = call.attribute<Layout>('inputLayout');
  const laidOut = transposed(
    net,
    call.input('filter'),
    TRANSPOSED_TO_OHWI[call.attribute<keyof typeof TRANSPOSED_TO_OHWI>('filterLayout')],
  );
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

const IMAGE = exactly(FLOATS, 4);
const LIMITS = { input: IMAGE, filter: IMAGE, bias: limits(FLOATS, [1, 1]), output: IMAGE };

export const CONVOLUTION: readonly OpEntry[] = [
  {
    op: 'conv2d',
    limits: LIMITS,
    builtins:
      'CONV_2D, DEPTHWISE_CONV_2D; PAD where the padding is neither SAME nor VALID; DENSIFY of filters that are mostly zero',
    lower: lowerConv2d,
  },
  {
    op: 'convTranspose2d',
    limits: LIMITS,
    builtins: 'TRANSPOSE_CONV; SLICE for other paddings than SAME and VALID; one for each group, CONCATENATION',
    lower: lowerConvTranspose2d,
  },
];
