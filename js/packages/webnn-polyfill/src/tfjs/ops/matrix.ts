/** Products of matrices. */

import { elementCount, sameShape } from '../../data_types.js';
import { type Call, entry, type Source, type Step } from '../op_entry.js';
import * as tf from '../tf.js';

/** Kernels broadcast only a batch of one. */
function withBatches(matrices: tf.Tensor, batches: readonly number[]): tf.Tensor {
  const own = matrices.shape.slice(0, -2);
  if (sameShape(own, batches) || elementCount(own) === 1) return matrices;
  return tf.broadcastTo(matrices, [...batches, ...matrices.shape.slice(-2)]);
}

function compileMatmul(call: Call<'matmul'>): Step {
  const shape = [...call.output().shape];
  const batches = shape.slice(0, -2);
  const [a, b] = ['a', 'b'].map((name) => call.prepared(name, (x) => withBatches(x, batches))) as [Source, Source];
  return (frame) => tf.reshape(tf.matMul(a(frame), b(frame)), shape);
}

/** The addend of the product; the kernel itself adds a vector of one value per column. */
function compileGemm(call: Call<'gemm'>): Step {
  const { alpha, beta, aTranspose, bTranspose } = call.attributes;
  const columns = call.output().shape[1] as number;
  const scaled = (x: tf.Tensor, factor: number) => (factor === 1 ? x : tf.mul(x, factor));
  const a = call.operand('a');
  const b = call.prepared('b', (x) => scaled(x, alpha));
  const multiply = (frame: Parameters<Source>[0], bias?: tf.Tensor) =>
    tf.fused.matMul({
      a: a(frame),
      b: b(frame),
      transposeA: aTranspose,
      transposeB: bTranspose,
      ...(bias ? { bias } : {}),
    });
  if (!call.has('c')) return (frame) => multiply(frame);
  const isVector = sameShape(call.shape('c'), [columns]) || sameShape(call.shape('c'), [1, columns]);
  const c = call.prepared('c', (x) => scaled(isVector ? tf.reshape(x, [columns]) : x, beta));
  return isVector ? (frame) => multiply(frame, c(frame)) : (frame) => tf.add(multiply(frame), c(frame));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gemm and -matmul */
export const MATRIX = [entry('matmul', compileMatmul), entry('gemm', compileGemm)];
