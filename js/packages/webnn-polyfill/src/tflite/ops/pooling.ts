/** Pools. The kernels have no dilations, and only the paddings SAME and VALID. */

import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { reshaped } from '../broadcast.js';
import { cast, gatherAxis, mul, padded, range, unary, widened } from '../calls.js';
import type { BuiltinName } from '../model.js';
import type { Net } from '../net.js';
import { ALL, type Call, exactly, FLOATS, type OpEntry } from '../op_entry.js';
import type { Tensor } from '../tensor.js';
import { INTEGER_RANGES } from './activation.js';
import { inSignedOrder } from './elementwise.js';
import {
  channelsLast,
  inLayout,
  isZero,
  type Layout,
  type Pair,
  shapeChannelsLast,
  spatiallyPadded,
  spatialOf,
  startOf,
  type Windows,
  windowsOf,
} from './window.js';

interface Pool extends Windows {
  /** Channels last, like the shape. */
  readonly input: Tensor;
  readonly shape: readonly number[];
  readonly window: Pair;
}

function poolOf(call: Call, input: Tensor): Pool {
  const shape = shapeChannelsLast(call.outputShape(), call.attribute<Layout>('layout'));
  const window = call.attribute<Pair>('windowDimensions');
  return { input, shape, window, ...windowsOf(call, input.shape, shape, window) };
}

function lowerPool(lower: (call: Call, pool: Pool) => Tensor) {
  return (call: Call): Tensor => {
    const layout = call.attribute<Layout>('layout');
    const input = channelsLast(call.net, call.input(), layout);
    return inLayout(call.net, lower(call, poolOf(call, input)), layout);
  };
}

/** A pool of all windows in a padded input. */
function pooled(net: Net, builtin: BuiltinName, pool: Pool, input: Tensor, padding: 'SAME' | 'VALID'): Tensor {
  const options = {
    padding,
    stride_w: pool.strides[1],
    stride_h: pool.strides[0],
    filter_width: pool.window[1],
    filter_height: pool.window[0],
    fused_activation_function: 'NONE',
  };
  return net.node(builtin, [input], { type: input.type, shape: pool.shape }, options);
}

/** Windows as separate axes, [n, oh, kh, ow, kw, c], reduced: for dilations, and for types without a pool. */
function reduced(net: Net, builtin: BuiltinName, pool: Pool, input: Tensor): Tensor {
  const [batches, rows, columns, channels] = pool.shape as [number, number, number, number];
  const indices = (axis: 0 | 1, count: number) =>
    range(0, count, pool.strides[axis]).flatMap((start) => range(start, pool.window[axis], pool.dilations[axis]));
  const byRow = gatherAxis(net, input, 1, indices(0, rows));
  const byColumn = gatherAxis(net, byRow, 2, indices(1, columns));
  const windows = reshaped(net, byColumn, [batches, rows, pool.window[0], columns, pool.window[1], channels]);
  return net.node(builtin, [windows, net.list([2, 4])], { type: input.type, shape: pool.shape }, { keep_dims: false });
}

function isDilated({ dilations }: Pool): boolean {
  return dilations[0] > 1 || dilations[1] > 1;
}

function averaged(net: Net, pool: Pool): Tensor {
  if (!isDilated(pool) && pool.isSame) return pooled(net, 'AVERAGE_POOL_2D', pool, pool.input, 'SAME');
  const input = spatiallyPadded(net, pool.input, pool.exact);
  const mean = isDilated(pool)
    ? reduced(net, 'MEAN', pool, input)
    : pooled(net, 'AVERAGE_POOL_2D', pool, input, 'VALID');
  return isZero(pool.exact) ? mean : mul(net, mean, withoutPadding(net, pool));
}

/** Size of the window over its number of elements without padding: WebNN averages only these. */
function withoutPadding(net: Net, pool: Pool): Tensor {
  const [from, to] = [spatialOf(pool.input.shape), spatialOf(pool.shape)];
  const counts = ([0, 1] as const).map((axis) =>
    range(0, to[axis], pool.strides[axis]).map((start) => {
      const positions = range(start - startOf(pool.padding, axis), pool.window[axis], pool.dilations[axis]);
      return Math.max(positions.filter((position) => position >= 0 && position < from[axis]).length, 1);
    }),
  ) as [number[], number[]];
  const size = pool.window[0] * pool.window[1];
  const factors = counts[0].flatMap((rows) => counts[1].map((columns) => size / (rows * columns)));
  return net.constant('FLOAT32', [1, to[0], to[1], 1], factors);
}

/** The root of the sum of squares; L2_POOL_2D would use their mean. */
function l2(net: Net, pool: Pool): Tensor {
  const squares = mul(net, pool.input, pool.input);
  const input = spatiallyPadded(net, squares, pool.exact);
  if (isDilated(pool)) return unary(net, 'SQRT', reduced(net, 'SUM', pool, input));
  const mean = pooled(net, 'AVERAGE_POOL_2D', pool, input, 'VALID');
  return unary(net, 'SQRT', mul(net, mean, pool.window[0] * pool.window[1]));
}

function largest(call: Call, pool: Pool): Tensor {
  const { net } = call;
  if (pool.input.type !== 'FLOAT32' && pool.input.quantization === undefined)
    return largestInteger(net, pool, call.dataType());
  if (isDilated(pool)) {
    return reduced(net, 'REDUCE_MAX', pool, spatiallyPadded(net, pool.input, pool.exact, Number.NEGATIVE_INFINITY));
  }
  if (pool.isSame) return pooled(net, 'MAX_POOL_2D', pool, pool.input, 'SAME');
  const input = spatiallyPadded(net, pool.input, pool.exact, Number.NEGATIVE_INFINITY);
  return pooled(net, 'MAX_POOL_2D', pool, input, 'VALID');
}

function largestInteger(net: Net, pool: Pool, dataType: MLOperandDataType): Tensor {
  const [lowest] = INTEGER_RANGES[dataType] ?? [0n];
  const wide = inSignedOrder(net, widened(net, pool.input), dataType);
  const lowestHeld = dataType === 'uint32' ? -(2n ** 31n) : dataType === 'uint64' ? -(2n ** 63n) : lowest;
  const [top, bottom, left, right] = pool.exact;
  const input = padded(net, wide, [0, top, left, 0], [0, bottom, right, 0], lowestHeld);
  const result = reduced(net, 'REDUCE_MAX', pool, input);
  return cast(net, inSignedOrder(net, result, dataType), pool.input.type);
}

function entry(
  op: string,
  dataTypes: readonly MLOperandDataType[],
  builtins: string,
  lower: OpEntry['lower'],
): OpEntry {
  return { op, limits: { input: exactly(dataTypes, 4), output: exactly(dataTypes, 4) }, builtins, lower };
}

export const POOLING: readonly OpEntry[] = [
  entry(
    'averagePool2d',
    FLOATS,
    'AVERAGE_POOL_2D; PAD, MUL for other paddings than SAME and VALID; GATHER, MEAN for dilations',
    lowerPool((call, pool) => averaged(call.net, pool)),
  ),
  entry(
    'l2Pool2d',
    FLOATS,
    'MUL, AVERAGE_POOL_2D, SQRT; PAD; GATHER, SUM for dilations',
    lowerPool((call, pool) => l2(call.net, pool)),
  ),
  entry('maxPool2d', ALL, 'MAX_POOL_2D; PADV2; GATHER, REDUCE_MAX for dilations and integers', lowerPool(largest)),
];
