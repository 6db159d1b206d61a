/** Pooling and resample2d. */

import type {
  MLInputOperandLayout,
  MLOperand,
  MLPool2dOptions,
  MLResample2dOptions,
} from '../../../src/generated/webnn_types.js';
import { type Case, check } from '../case.js';
import { at, filled, noise, reordered, type Values } from '../values.js';

type Pool = 'averagePool2d' | 'l2Pool2d' | 'maxPool2d';
type Numbers = readonly number[];

interface PoolCase {
  readonly what: string;
  readonly window: readonly [number, number];
  /** Height and width of the output. */
  readonly size: readonly [number, number];
  readonly options?: Omit<MLPool2dOptions, 'windowDimensions' | 'layout'>;
  readonly layout?: MLInputOperandLayout;
}

const REDUCERS: Readonly<Record<Pool, (values: Numbers) => number>> = {
  averagePool2d: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  l2Pool2d: (values) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)),
  maxPool2d: (values) => Math.max(...values),
};

/** Of `nchw`; only what lies in the image counts. */
function pooled(op: Pool, input: Values, { window, size, options = {} }: PoolCase): Values {
  const { padding = [0, 0, 0, 0], strides = [1, 1], dilations = [1, 1] } = options;
  const [n, c, height, width] = input.shape as [number, number, number, number];
  return filled([n, c, ...size], (batch = 0, channel = 0, y = 0, x = 0) => {
    const values: number[] = [];
    for (let ky = 0; ky < window[0]; ky++) {
      for (let kx = 0; kx < window[1]; kx++) {
        const row = y * (strides[0] as number) + ky * (dilations[0] as number) - (padding[0] as number);
        const column = x * (strides[1] as number) + kx * (dilations[1] as number) - (padding[2] as number);
        const isInside = row >= 0 && row < height && column >= 0 && column < width;
        if (isInside) values.push(at(input, [batch, channel, row, column]));
      }
    }
    return REDUCERS[op](values);
  });
}

function pool(op: Pool, row: PoolCase): Case {
  const image = noise([2, 3, 5, 6], 7);
  const { window, options = {}, layout = 'nhwc', what } = row;
  return check(
    op,
    { input: reordered(image, 'nchw', layout) },
    (builder, { input }) => builder[op](input as MLOperand, { ...options, windowDimensions: [...window], layout }),
    reordered(pooled(op, image, row), 'nchw', layout),
    { what },
  );
}

const POOLS: readonly PoolCase[] = [
  { what: 'nhwc', window: [2, 3], size: [4, 4] },
  { what: 'nchw', window: [2, 3], size: [4, 4], layout: 'nchw' },
  { what: 'the whole image', window: [5, 6], size: [1, 1] },
  { what: 'strides', window: [2, 2], size: [2, 3], options: { strides: [2, 2] } },
  { what: 'unequal padding', window: [3, 3], size: [4, 7], options: { padding: [0, 1, 2, 1] } },
  { what: 'rounded up', window: [2, 2], size: [3, 3], options: { strides: [2, 2], outputShapeRounding: 'ceil' } },
  {
    what: 'rounded up, padding',
    window: [3, 2],
    size: [3, 4],
    options: { strides: [2, 2], padding: [1, 0, 1, 0], outputShapeRounding: 'ceil' },
  },
  { what: 'outputSizes', window: [2, 2], size: [3, 3], options: { strides: [2, 2], outputSizes: [3, 3] } },
  { what: 'dilations', window: [2, 2], size: [3, 4], options: { dilations: [2, 2] } },
  {
    what: 'dilations, strides and padding',
    window: [2, 2],
    size: [3, 3],
    options: { dilations: [2, 3], strides: [2, 2], padding: [1, 1, 1, 1] },
  },
];

/** An axis of linear interpolation: between the two elements around the middle. */
function interpolated(input: Values, axis: number, size: number): Values {
  const from = input.shape[axis] as number;
  const shape = input.shape.map((old, place) => (place === axis ? size : old));
  const clamp = (place: number) => Math.min(Math.max(place, 0), from - 1);
  return filled(shape, (...place) => {
    const middle = (((place[axis] as number) + 0.5) * from) / size - 0.5;
    const before = Math.floor(middle);
    const value = (index: number) =>
      at(
        input,
        place.map((at, other) => (other === axis ? clamp(index) : at)),
      );
    return value(before) * (1 - (middle - before)) + value(before + 1) * (middle - before);
  });
}

/** The element whose middle is nearest, the first of two. */
function nearest(input: Values, axis: number, size: number): Values {
  const from = input.shape[axis] as number;
  const shape = input.shape.map((old, place) => (place === axis ? size : old));
  return filled(shape, (...place) => {
    const middle = (((place[axis] as number) + 0.5) * from) / size - 0.5;
    const index = Math.min(Math.max(Math.ceil(middle - 0.5), 0), from - 1);
    return at(
      input,
      place.map((at, other) => (other === axis ? index : at)),
    );
  });
}

function resample(what: string, sizes: readonly [number, number], options: MLResample2dOptions): Case {
  const image = noise([2, 3, 4, 5], 8);
  const { mode = 'nearest-neighbor', axes = [2, 3] } = options;
  const along = mode === 'linear' ? interpolated : nearest;
  const [first, second] = axes as [number, number];
  return check(
    'resample2d',
    { input: image },
    (builder, { input }) => builder.resample2d(input as MLOperand, options),
    along(along(image, first, sizes[0]), second, sizes[1]),
    { what },
  );
}

export const IMAGE_CASES: readonly Case[] = [
  ...(['averagePool2d', 'l2Pool2d', 'maxPool2d'] as const).flatMap((op) => POOLS.map((row) => pool(op, row))),
  resample('nearest, sizes', [8, 5], { mode: 'nearest-neighbor', sizes: [8, 5] }),
  resample('nearest, scales', [6, 7], { mode: 'nearest-neighbor', scales: [1.5, 1.5] }),
  resample('nearest, smaller', [2, 3], { mode: 'nearest-neighbor', sizes: [2, 3] }),
  resample('nearest, axes', [6, 8], { mode: 'nearest-neighbor', sizes: [6, 8], axes: [1, 2] }),
  resample('linear, sizes', [8, 10], { mode: 'linear', sizes: [8, 10] }),
  resample('linear, smaller', [3, 2], { mode: 'linear', sizes: [3, 2] }),
  resample('linear, axes', [6, 7], { mode: 'linear', sizes: [6, 7], axes: [1, 2] }),
  resample('linear, outer axes', [3, 9], { mode: 'linear', sizes: [3, 9], axes: [0, 3] }),
];
