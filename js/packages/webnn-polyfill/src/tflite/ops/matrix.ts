/** gemm and matmul. */

import { elementCount, sameShape } from '../../data_types.js';
import { broadcastShape, broadcastTo, reshaped } from '../broadcast.js';
import { add, mul, transposed } from '../calls.js';
import { constantMap } from '../folding.js';
import type { Net } from '../net.js';
import { type Call, exactly, FLOATS, limits, type OpEntry } from '../op_entry.js';
import { dimension, isConstant, type Tensor } from '../tensor.js';

const EXCHANGE = [1, 0];

function lowerGemm(call: Call): Tensor {
  const { net } = call;
  const alpha = call.attribute<number>('alpha');
  const isTransposed = call.attribute<boolean>('bTranspose');
  const a = call.attribute<boolean>('aTranspose') ? transposed(net, call.input('a'), EXCHANGE) : call.input('a');
  const b = call.input('b');
  const c = addend(call);
  if (!isConstant(b)) {
    const product = scaled(net, batchMatmul(net, a, b, isTransposed), alpha);
    return c === undefined ? product : add(net, product, c);
  }
  const weights = isTransposed ? b : transposed(net, b, EXCHANGE);
  const isFolded = Math.abs(Math.log2(Math.abs(alpha))) <= MAX_FOLDED_BITS;
  const scaledWeights =
    isFolded && alpha !== 1 && isConstant(weights)
      ? constantMap(net, weights, weights.type, (value) => value * alpha)
      : weights;
  const hasBias = c !== undefined && isFolded && isBias(c, weights);
  const bias = hasBias ? reshaped(net, c, [dimension(weights.shape, 0)]) : undefined;
  const product = scaled(net, fullyConnected(net, a, scaledWeights, bias), isFolded ? 1 : alpha);
  return c === undefined || hasBias ? product : add(net, product, c);
}

/** Weights times an alpha of 2 to the power of more may overflow where the product does not. */
const MAX_FOLDED_BITS = 16;

function addend(call: Call): Tensor | undefined {
  const c = call.optional('c');
  const beta = call.attribute<number>('beta');
  if (c === undefined || beta === 1) return c;
  return isConstant(c) ? constantMap(call.net, c, c.type, (value) => value * beta) : mul(call.net, c, beta);
}

/** Whether c is one number per output of a fully connected layer. */
function isBias(c: Tensor, weights: Tensor): boolean {
  const outputs = dimension(weights.shape, 0);
  return isConstant(c) && elementCount(c.shape) === outputs && (c.shape.at(-1) ?? 1) === outputs;
}

function scaled(net: Net, input: Tensor, factor: number): Tensor {
  return factor === 1 ? input : mul(net, input, factor);
}

/** [..., k] times constant weights [n, k], transposed. */
function fullyConnected(net: Net, input: Tensor, weights: Tensor, bias?: Tensor): Tensor {
  const outputs = dimension(weights.shape, 0);
  const shape = input.shape.with(-1, outputs);
  const operands = [input, weights, bias ?? zeroBias(net, input, weights)];
  const options = { fused_activation_function: 'NONE', keep_num_dims: true };
  return net.node('FULLY_CONNECTED', operands, { type: input.type, shape }, options);
}

/** BATCH_MATMUL broadcasts up to rank 5. */
const BATCH_MATMUL_RANK = 5;

/** a times b; all axes but the last two broadcast. */
function batchMatmul(net: Net, a: Tensor, b: Tensor, isTransposed = false): Tensor {
  const batches = broadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const columns = dimension(b.shape, b.shape.length - (isTransposed ? 2 : 1));
  const shape = [...batches, dimension(a.shape, a.shape.length - 2), columns];
  const options = { adj_x: false, adj_y: isTransposed };
  if (shape.length <= BATCH_MATMUL_RANK) return net.node('BATCH_MATMUL', [a, b], { type: a.type, shape }, options);
  const [left, right] = [a, b].map((operand) => {
    const matrix = operand.shape.slice(-2);
    return reshaped(net, broadcastTo(net, operand, [...batches, ...matrix]), [elementCount(batches), ...matrix]);
  }) as [Tensor, Tensor];
  const flat = { type: a.type, shape: [elementCount(batches), ...shape.slice(-2)] };
  return reshaped(net, net.node('BATCH_MATMUL', [left, right], flat, options), shape);
}

/** [..., k] times the transpose of weights [n, k], plus a bias [n]. */
export function layer(net: Net, input: Tensor, weights: Tensor, bias?: Tensor): Tensor {
  const isFused = isConstant(weights) && (bias === undefined || isConstant(bias));
  if (isFused) return fullyConnected(net, input, weights, bias);
  const product = batchMatmul(net, input, weights, true);
  return bias === undefined ? product : add(net, product, bias);
}

function lowerMatmul(call: Call): Tensor {
  const { net } = call;
  const [a, b] = [call.input('a'), call.input('b')];
  const isLayer = isConstant(b) && sameShape(b.shape.slice(0, -2), b.shape.slice(0, -2).fill(1));
  if (!isLayer || b.shape.length > a.shape.length) return batchMatmul(net, a, b);
  return fullyConnected(net, a, transposed(net, reshaped(net, b, b.shape.slice(-2)), EXCHANGE));
}

/**
 * A bias for layers without one, which XNNPACK requires: zeros for weights whose first axis is the outputs'; integers if
 * input and weights are.
 */
export function zeroBias(net: Net, input: Tensor, weights: Tensor): Tensor {
  const shape = [dimension(weights.shape, 0)];
  const [scale = 1] = input.quantization?.scales ?? [];
  if (weights.quantization === undefined) return net.filled('FLOAT32', shape, 0);
  // As the kernels compute it, in float32.
  const scales = weights.quantization.scales.map((own) => Math.fround(own * scale));
  const quantization = { scales, zeroPoints: scales.map(() => 0), axis: 0 };
  return net.constantOf('INT32', shape, new Uint8Array(4 * dimension(shape, 0)), quantization);
}

const GEMM: OpEntry = {
  op: 'gemm',
  limits: { a: exactly(FLOATS, 2), b: exactly(FLOATS, 2), c: limits(FLOATS, [0, 2]), output: exactly(FLOATS, 2) },
  builtins: 'FULLY_CONNECTED; BATCH_MATMUL, MUL, ADD where b is not constant',
  lower: lowerGemm,
};

const MATMUL: OpEntry = {
  op: 'matmul',
  limits: { a: limits(FLOATS, [2, 8]), b: limits(FLOATS, [2, 8]), output: limits(FLOATS, [2, 8]) },
  builtins: 'BATCH_MATMUL; FULLY_CONNECTED where b is a constant matrix',
  lower: lowerMatmul,
};

export const MATRIX: readonly OpEntry[] = [GEMM, MATMUL];
