/**
 * Whether a dequantizeLinear, operator, quantizeLinear pattern becomes one integer kernel. The pattern competes with the
 * same graph that also returns the float result, which forbids the fusion: a fused pattern is faster, and rounds
 * differently.
 */

import type { MLContext, MLOperand } from '../../webnn-polyfill/src/index.js';
import type { FusionReport } from './report.js';
import { rounded } from './speed.js';
import { type GraphMaker, median, Runnable } from './tensors.js';
import type { Webnn } from './webnn.js';

const TURNS = 6;
const TURN_MS = 15;
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
  add: { float: (maker) => maker.builder.add(input(maker), input(maker)) },
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
  const zero = maker.single(0, rank, operand.dataType as 'int8' | 'int32');
  return maker.builder.dequantizeLinear(operand, maker.single(scale, rank), zero);
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

function quantized(maker: GraphMaker, float: MLOperand, scale: number): MLOperand {
  const rank = float.shape.length;
  return maker.builder.quantizeLinear(float, maker.single(scale, rank), maker.single(0, rank, 'int8'));
}

/** What there is to measure. */
export const FUSION_PATTERNS: readonly string[] = Object.keys(PATTERNS);

/** Measures a pattern on a context of the WebNN under test. */
export async function measureFusion(pattern: string, webnn: Webnn, context: MLContext): Promise<FusionReport> {
  const { float, scale = OUTPUT_SCALE } = PATTERNS[pattern] as Pattern;
  try {
    const whole = await Runnable.build(webnn, context, (maker) => [quantized(maker, float(maker), scale)]);
    const unfused = await Runnable.build(webnn, context, (maker) => {
      const middle = float(maker);
      return [quantized(maker, middle, scale), middle];
    });
    const [found, other] = [new Int8Array(await whole.run()), new Int8Array(await unfused.run())];
    const times: [number, number][] = [];
    for (let turn = 0; turn < TURNS; turn++) times.push([await whole.turn(TURN_MS), await unfused.turn(TURN_MS)]);
    const counted = times.slice(1); // the first turn warms up
    whole.destroy();
    unfused.destroy();
    return {
      pattern,
      ms: rounded(median(counted.map(([ms]) => ms))),
      unfusedMs: rounded(median(counted.map(([, ms]) => ms))),
      differing: found.filter((value, index) => value !== other[index]).length,
      elements: found.length,
      failure: null,
    };
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
