/** Speed of the main operators, interleaved with the polyfill. */

import type { MLContext, MLOperand } from 'webnn-polyfill';
import type { SpeedReport } from './report.js';
import { fastestTurns, type GraphMaker, Runnable } from './tensors.js';
import type { Webnn } from './webnn.js';

/** Turns of each engine. */
const TURNS = 6;
const TURN_MS = 20;

const NHWC = { inputLayout: 'nhwc', filterLayout: 'ohwi', padding: [1, 1, 1, 1] } as const;
const IMAGE = [1, 56, 56, 64];

/** The measured graphs, by name. */
const OPERATIONS: Readonly<Record<string, (maker: GraphMaker) => MLOperand>> = {
  'conv2d 3x3, 56x56x64 to 64': (maker) =>
    maker.builder.conv2d(maker.input(IMAGE), maker.constant([64, 3, 3, 64]), NHWC),
  'conv2d 3x3 depthwise, 56x56x64': (maker) =>
    maker.builder.conv2d(maker.input(IMAGE), maker.constant([1, 3, 3, 64]), {
      ...NHWC,
      filterLayout: 'ihwo',
      groups: 64,
    }),
  'matmul 256x256 by a constant': (maker) => maker.builder.matmul(maker.input([256, 256]), maker.constant([256, 256])),
  'matmul of two inputs, 8x64x64': (maker) => maker.builder.matmul(maker.input([8, 64, 64]), maker.input([8, 64, 64])),
  'add, 200,704 elements': (maker) => maker.builder.add(maker.input(IMAGE), maker.input(IMAGE)),
  'relu, 200,704 elements': (maker) => maker.builder.relu(maker.input(IMAGE)),
  'gelu, 200,704 elements': (maker) => maker.builder.gelu(maker.input(IMAGE)),
  'softmax, 256x784': (maker) => maker.builder.softmax(maker.input([256, 784]), 1),
  'layerNormalization, 256x784': (maker) => maker.builder.layerNormalization(maker.input([256, 784]), { axes: [1] }),
  'averagePool2d 2x2, 56x56x64': (maker) =>
    maker.builder.averagePool2d(maker.input(IMAGE), { layout: 'nhwc', windowDimensions: [2, 2], strides: [2, 2] }),
  'reduceMean over rows and columns': (maker) => maker.builder.reduceMean(maker.input(IMAGE), { axes: [1, 2] }),
  'transpose, 56x56x64 to 64x56x56': (maker) =>
    maker.builder.transpose(maker.input(IMAGE), { permutation: [0, 3, 1, 2] }),
  'resample2d to twice the size': (maker) =>
    maker.builder.resample2d(maker.input(IMAGE), { mode: 'linear', scales: [2, 2], axes: [1, 2] }),
};

/** Names of the operations to measure. */
export const SPEED_OPERATIONS: readonly string[] = Object.keys(OPERATIONS);

/**
 * Measures an operation; the polyfill's time is null if it is under test itself.
 *
 * @param context - Of the WebNN under test.
 */
export async function measureSpeed(
  operation: string,
  webnn: Webnn,
  context: MLContext,
  polyfill: Webnn | null,
): Promise<SpeedReport> {
  const make = OPERATIONS[operation] as (typeof OPERATIONS)[string];
  try {
    const runnables = [await Runnable.build(webnn, context, make)];
    const other = await polyfill?.ml.createContext();
    if (polyfill && other) runnables.push(await Runnable.build(polyfill, other, make));
    const [ms = null, polyfillMs = null] = await fastestTurns(runnables, TURNS, TURN_MS);
    for (const runnable of runnables) runnable.destroy();
    other?.destroy();
    return { operation, ms, polyfillMs, failure: null };
  } catch (error) {
    return { operation, ms: null, polyfillMs: null, failure: String(error) };
  }
}
