/** conv2d and convTranspose2d. */

import type { Call, OpEntry } from '../call.js';
import { transposed } from '../calls.js';
import type { NodeOptions } from '../model.js';
import type { Net } from '../net.js';
import { exactly, FLOATS, limits } from '../row.js';
import { withSparsityHint } from '../sparsity_hint.js';
import { dimension, type Tensor } from '../tensor.js';
import { zeroBias } from '../zero_bias.js';
import { lowerConvTranspose2d } from './transposed_convolution.js';
import {
  channelsLast,
  inLayout,
  isZero,
  type Layout,
  shapeChannelsLast,
  spatiallyPadded,
  spatialOf,
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
