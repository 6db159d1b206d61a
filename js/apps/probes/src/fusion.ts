/**
 * Whether a dequantizeLinear, operator, quantizeLinear pattern becomes one integer kernel. The pattern, with a second
 * graph that only copies, competes with the same operators in two graphs, between which nothing can be fused: a fused
 * pattern is faster, or rounds differently. One graph that also returned the float result would do, but the GPU process of
 * some browsers crashes on such graphs.
 */

import type { MLContext, MLGraphBuilder, MLOperand } from 'webnn-polyfill';
import type { FusionReport } from './report.js';
import { fastestTurns, type GraphMaker, Runnable, single } from './tensors.js';
import type { Webnn } from './webnn.js';

const TURNS = 12;
const TURN_MS = 10;
const IMAGE = [1, 28, 28, 64];
/** Scales of inputs and outputs; no power of two, whose products would be exact in floats, too. */
const INPUT_SCALE = 0.0173;
const OUTPUT_SCALE = 0.0291;
const FILTER_SCALE = 0.0057;

interface Pattern {
  /** The operator on floats, from quantized operands. */
  readonly float: (maker: GraphMaker) => MLOperand;
  /** Scale of the output. */
  readonly scale?: number;
}

const PATTERNS: Readonly<Record<string, Pattern>> = {
  'conv2d 3x3': {
    float: (maker) => convolution(maker, [64, 3, 3, 64], { filterLayout: 'ohwi' }),
    scale: 0.9,
  },
  'conv2d 3x3 depthwise': {
    float: (maker) => convolution(maker, [1, 3, 3, 64], { filterLayout: 'ihwo', groups: 64 }),
  },
  'conv2d 3x3, clamp to 0..6': {
    float: (maker) =>
      maker.builder.clamp(convolution(maker, [64, 3, 3, 64], { filterLayout: 'ohwi' }), { minValue: 0, maxValue: 6 }),
    scale: 0.0235,
  },
  'matmul by a constant': {
    float: (maker) =>
      maker.builder.matmul(
        input(maker, [256, 256]),
        dequantized(maker, maker.constant([256, 256], 'int8'), FILTER_SCALE),
      ),
    scale: 0.5,
  },
  // Odd sums are ties of rounding, where integer kernels and floats differ.
  add: { float: (maker) => maker.builder.add(input(maker), input(maker)), scale: 2 * INPUT_SCALE },
  mul: { float: (maker) => maker.builder.mul(input(maker), input(maker)) },
  'averagePool2d 2x2': {
    float: (maker) =>
      maker.builder.averagePool2d(input(maker), { layout: 'nhwc', windowDimensions: [2, 2], strides: [2, 2] }),
    scale: INPUT_SCALE,
  },
  'maxPool2d 2x2': {
    float: (maker) =>
      maker.builder.maxPool2d(input(maker), { layout: 'nhwc', windowDimensions: [2, 2], strides: [2, 2] }),
    scale: INPUT_SCALE,
  },
  'reduceMean over rows and columns': {
    float: (maker) => maker.builder.reduceMean(input(maker), { axes: [1, 2], keepDimensions: true }),
  },
  sigmoid: { float: (maker) => maker.builder.sigmoid(input(maker)), scale: 1 / 256 },
  tanh: { float: (maker) => maker.builder.tanh(input(maker)), scale: 1 / 128 },
  softmax: { float: (maker) => maker.builder.softmax(input(maker, [256, 256]), 1), scale: 1 / 256 },
  concat: { float: (maker) => maker.builder.concat([input(maker), input(maker)], 3), scale: INPUT_SCALE },
  'resample2d to twice the size': {
    float: (maker) => maker.builder.resample2d(input(maker), { mode: 'linear', scales: [2, 2], axes: [1, 2] }),
    scale: INPUT_SCALE,
  },
};

function dequantized(maker: GraphMaker, operand: MLOperand, scale: number): MLOperand {
  const rank = operand.shape.length;
  const zero = single(maker.builder, 0, rank, operand.dataType as 'int8' | 'int32');
  return maker.builder.dequantizeLinear(operand, single(maker.builder, scale, rank), zero);
}

function input(maker: GraphMaker, shape: readonly number[] = IMAGE): MLOperand {
  return dequantized(maker, maker.input(shape, 'int8'), INPUT_SCALE);
}

function convolution(
  maker: GraphMaker,
  filter: readonly number[],
  options: { readonly filterLayout: 'ohwi' | 'ihwo'; readonly groups?: number },
): MLOperand {
  const bias = dequantized(maker, maker.constant([64], 'int32'), INPUT_SCALE * FILTER_SCALE);
  const weights = dequantized(maker, maker.constant(filter, 'int8'), FILTER_SCALE);
  const all = { ...options, bias, inputLayout: 'nhwc', padding: [1, 1, 1, 1] } as const;
  return maker.builder.conv2d(input(maker), weights, all);
}

function quantized(builder: MLGraphBuilder, float: MLOperand, scale: number): MLOperand {
  const rank = float.shape.length;
  return builder.quantizeLinear(float, single(builder, scale, rank), single(builder, 0, rank, 'int8'));
}

/** The patterns to measure. */
export const FUSION_PATTERNS: readonly string[] = Object.keys(PATTERNS);

/** Measures a pattern on a context of the WebNN under test. */
export async function measureFusion(pattern: string, webnn: Webnn, context: MLContext): Promise<FusionReport> {
  const { float, scale = OUTPUT_SCALE } = PATTERNS[pattern] as Pattern;
  try {
    const full = await Runnable.build(
      webnn,
      context,
      (maker) => quantized(maker.builder, float(maker), scale),
      (builder, operand) => builder.identity(operand),
    );
    const separate = await Runnable.build(webnn, context, float, (builder, operand) =>
      quantized(builder, operand, scale),
    );
    const [found, other] = [new Int8Array(await full.run()), new Int8Array(await separate.run())];
    const [ms = null, unfusedMs = null] = await fastestTurns([full, separate], TURNS, TURN_MS);
    full.destroy();
    separate.destroy();
    const differing = found.filter((value, index) => value !== other[index]).length;
    return { pattern, ms, unfusedMs, differing, elements: found.length, failure: null };
  } catch (error) {
    return { pattern, ms: null, unfusedMs: null, differing: null, elements: null, failure: String(error) };
  }
}

/** Below this ratio of the times, and wherever bits differ, a pattern counts as fused. */
const FUSED_RATIO = 0.75;

/** Whether a pattern is fused; null if it did not run. */
export function isFused({ ms, unfusedMs, differing }: FusionReport): boolean | null {
  if (ms === null || unfusedMs === null) return null;
  return (differing ?? 0) > 0 || ms < FUSED_RATIO * unfusedMs;
}
