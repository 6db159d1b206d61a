/** conv2d and convTranspose2d, in all layouts. */

import type { MLConv2dOptions, MLConvTranspose2dOptions, MLOperand } from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { at, filled, noise, reordered, type Values } from '../values.js';

type Numbers = readonly number[];

/** Options with all defaults. */
interface Moves {
  readonly padding: Numbers;
  readonly strides: Numbers;
  readonly dilations: Numbers;
  readonly groups: number;
}

const DEFAULTS: Moves = { padding: [0, 0, 0, 0], strides: [1, 1], dilations: [1, 1], groups: 1 };

/** An element, or zero outside. */
function orZero(values: Values, place: Numbers): number {
  return place.every((coordinate, axis) => coordinate >= 0 && coordinate < (values.shape[axis] as number))
    ? at(values, place)
    : 0;
}

/** conv2d of `nchw` by `oihw`. */
function convolved(input: Values, filter: Values, bias: Values | null, moves: Moves): Values {
  const { padding, strides, dilations, groups } = moves;
  const [n, , height, width] = input.shape as [number, number, number, number];
  const [o, i, kernelHeight, kernelWidth] = filter.shape as [number, number, number, number];
  const places = (size: number, kernel: number, axis: 0 | 1) => {
    const reach = (kernel - 1) * (dilations[axis] as number) + 1;
    const room = size + (padding[2 * axis] as number) + (padding[2 * axis + 1] as number) - reach;
    return Math.floor(room / (strides[axis] as number)) + 1;
  };
  const shape = [n, o, places(height, kernelHeight, 0), places(width, kernelWidth, 1)];
  return filled(shape, (batch = 0, channel = 0, y = 0, x = 0) => {
    const group = Math.floor(channel / (o / groups));
    let sum = bias ? at(bias, [channel]) : 0;
    for (let c = 0; c < i; c++) {
      for (let ky = 0; ky < kernelHeight; ky++) {
        for (let kx = 0; kx < kernelWidth; kx++) {
          const row = y * (strides[0] as number) + ky * (dilations[0] as number) - (padding[0] as number);
          const column = x * (strides[1] as number) + kx * (dilations[1] as number) - (padding[2] as number);
          sum += orZero(input, [batch, group * i + c, row, column]) * at(filter, [channel, c, ky, kx]);
        }
      }
    }
    return sum;
  });
}

/** convTranspose2d of `nchw` by `iohw`: each element of the input is added wherever the filter puts it. */
function transposed(input: Values, filter: Values, bias: Values | null, size: Numbers, moves: Moves): Values {
  const { padding, strides, dilations, groups } = moves;
  const [n, channels, height, width] = input.shape as [number, number, number, number];
  const [, o, kernelHeight, kernelWidth] = filter.shape as [number, number, number, number];
  const shape = [n, o * groups, ...size];
  const sums = filled(shape, (_, channel = 0) => (bias ? at(bias, [channel]) : 0));
  const data = [...sums.data];
  const add = (batch: number, channel: number, y: number, x: number, value: number) => {
    const [rows, columns] = size as [number, number];
    if (y < 0 || x < 0 || y >= rows || x >= columns) return;
    const index = ((batch * o * groups + channel) * rows + y) * columns + x;
    data[index] = (data[index] as number) + value;
  };
  filled(
    [n, channels, height, width, o, kernelHeight, kernelWidth],
    (b = 0, c = 0, y = 0, x = 0, to = 0, ky = 0, kx = 0) => {
      const row = y * (strides[0] as number) + ky * (dilations[0] as number) - (padding[0] as number);
      const column = x * (strides[1] as number) + kx * (dilations[1] as number) - (padding[2] as number);
      const group = Math.floor(c / (channels / groups));
      add(b, group * o + to, row, column, at(input, [b, c, y, x]) * at(filter, [c, to, ky, kx]));
      return 0;
    },
  );
  return { ...sums, data };
}

type FilterLayout = NonNullable<MLConv2dOptions['filterLayout']>;
type TransposedLayout = NonNullable<MLConvTranspose2dOptions['filterLayout']>;

interface ConvolutionCase {
  readonly what: string;
  readonly input?: Numbers;
  /** `oihw` */
  readonly filter: Numbers;
  readonly moves?: Partial<Moves>;
  readonly hasBias?: boolean;
  readonly layouts?: readonly [input: 'nhwc' | 'nchw', filter: FilterLayout];
}

function conv2d({ what, filter, moves = {}, hasBias = true, ...row }: ConvolutionCase): Case {
  const all = { ...DEFAULTS, ...moves };
  const image = noise(row.input ?? [2, 4, 5, 6], 1);
  const [inputLayout, filterLayout] = row.layouts ?? ['nhwc', 'ohwi'];
  const weights = noise(filter, 2);
  const bias = noise([filter[0] as number], 3);
  const operands = {
    input: reordered(image, 'nchw', inputLayout),
    filter: reordered(weights, 'oihw', filterLayout),
    ...(hasBias ? { bias } : {}),
  };
  const expected = reordered(convolved(image, weights, hasBias ? bias : null, all), 'nchw', inputLayout);
  return check(
    'conv2d',
    operands,
    (builder, { input, filter, bias }) => {
      const options: MLConv2dOptions = { ...all, inputLayout, filterLayout, ...(bias ? { bias } : {}) };
      return builder.conv2d(input as MLOperand, filter as MLOperand, options);
    },
    expected,
    { what },
  );
}

interface TransposedCase {
  readonly what: string;
  readonly input?: Numbers;
  /** `iohw` */
  readonly filter: Numbers;
  readonly size: readonly [number, number];
  readonly moves?: Partial<Moves>;
  readonly options?: Pick<MLConvTranspose2dOptions, 'outputSizes' | 'outputPadding'>;
  readonly hasBias?: boolean;
  readonly layouts?: readonly [input: 'nhwc' | 'nchw', filter: TransposedLayout];
}

function convTranspose2d({
  what,
  filter,
  size,
  moves = {},
  hasBias = true,
  options = {},
  ...row
}: TransposedCase): Case {
  const all = { ...DEFAULTS, ...moves };
  const image = noise(row.input ?? [1, 4, 3, 4], 4);
  const [inputLayout, filterLayout] = row.layouts ?? ['nhwc', 'ohwi'];
  const weights = noise(filter, 5);
  const bias = noise([(filter[1] as number) * all.groups], 6);
  const operands = {
    input: reordered(image, 'nchw', inputLayout),
    filter: reordered(weights, 'iohw', filterLayout),
    ...(hasBias ? { bias } : {}),
  };
  const expected = reordered(transposed(image, weights, hasBias ? bias : null, size, all), 'nchw', inputLayout);
  return check(
    'convTranspose2d',
    operands,
    (builder, { input, filter, bias }) =>
      builder.convTranspose2d(input as MLOperand, filter as MLOperand, {
        ...all,
        ...options,
        inputLayout,
        filterLayout,
        ...(bias ? { bias } : {}),
      }),
    expected,
    { what },
  );
}

const FILTER_LAYOUTS = ['oihw', 'hwio', 'ohwi', 'ihwo'] as const;
const TRANSPOSED_LAYOUTS = ['iohw', 'hwoi', 'ohwi'] as const;
const INPUT_LAYOUTS = ['nhwc', 'nchw'] as const;

export const CONVOLUTION_CASES: readonly Case[] = [
  ...INPUT_LAYOUTS.flatMap((input) =>
    FILTER_LAYOUTS.map((filter) =>
      conv2d({ what: `${input} ${filter}`, filter: [3, 4, 2, 3], layouts: [input, filter] }),
    ),
  ),
  conv2d({ what: 'without bias', filter: [3, 4, 3, 3], hasBias: false }),
  conv2d({ what: '1 x 1', filter: [3, 4, 1, 1] }),
  conv2d({ what: 'unequal padding', filter: [3, 4, 3, 3], moves: { padding: [0, 2, 1, 0] } }),
  conv2d({ what: 'strides', filter: [3, 4, 3, 2], moves: { strides: [2, 3], padding: [1, 1, 0, 1] } }),
  conv2d({ what: 'dilations', filter: [3, 4, 2, 2], moves: { dilations: [2, 3], padding: [1, 1, 1, 1] } }),
  conv2d({
    what: 'strides and dilations',
    filter: [3, 4, 2, 3],
    moves: { strides: [2, 2], dilations: [2, 2], padding: [1, 1, 2, 2] },
  }),
  conv2d({ what: 'groups', filter: [6, 2, 2, 2], moves: { groups: 2 } }),
  conv2d({ what: 'groups, nchw', filter: [6, 2, 2, 2], moves: { groups: 2 }, layouts: ['nchw', 'oihw'] }),
  ...FILTER_LAYOUTS.map((layout) =>
    conv2d({
      what: `depthwise ${layout}`,
      filter: [4, 1, 3, 3],
      moves: { groups: 4, padding: [1, 1, 1, 1], strides: [2, 2] },
      layouts: ['nhwc', layout],
    }),
  ),
  conv2d({ what: 'depthwise, two outputs a channel', filter: [8, 1, 2, 2], moves: { groups: 4 } }),
  conv2d({ what: 'depthwise, dilations', filter: [4, 1, 2, 2], moves: { groups: 4, dilations: [2, 2] } }),
  conv2d({
    what: 'depthwise, strides and dilations',
    filter: [4, 1, 2, 2],
    moves: { groups: 4, dilations: [2, 2], strides: [2, 1] },
  }),
  ...INPUT_LAYOUTS.flatMap((input) =>
    TRANSPOSED_LAYOUTS.map((filter) =>
      convTranspose2d({ what: `${input} ${filter}`, filter: [4, 3, 2, 3], size: [4, 6], layouts: [input, filter] }),
    ),
  ),
  convTranspose2d({ what: 'without bias', filter: [4, 3, 2, 2], size: [4, 5], hasBias: false }),
  convTranspose2d({ what: 'strides', filter: [4, 3, 2, 2], size: [6, 8], moves: { strides: [2, 2] } }),
  convTranspose2d({
    what: 'padding',
    filter: [4, 3, 3, 3],
    size: [5, 8],
    moves: { strides: [2, 2], padding: [1, 1, 0, 1] },
  }),
  convTranspose2d({
    what: 'outputPadding',
    filter: [4, 3, 3, 3],
    size: [8, 10],
    moves: { strides: [2, 2] },
    options: { outputPadding: [1, 1] },
  }),
  convTranspose2d({
    what: 'outputSizes',
    filter: [4, 3, 3, 3],
    size: [8, 9],
    moves: { strides: [2, 2] },
    options: { outputSizes: [8, 9] },
  }),
  convTranspose2d({
    what: 'dilations',
    filter: [4, 3, 2, 2],
    size: [7, 9],
    moves: { strides: [2, 2], dilations: [2, 2] },
  }),
  convTranspose2d({ what: 'groups', filter: [4, 3, 2, 2], size: [4, 5], moves: { groups: 2 } }),
];
