/**
 * XNNPACK skips products with zero if most weights of consecutive 1x1 convolutions are zero. It searches
 * only models with a sparse tensor: one is enough, and it need not be stored sparsely.
 */

import type { Net } from './net.js';
import { type ConstantTensor, isConstant, type Tensor } from './tensor.js';

/** XNNPACK's own threshold: the fraction of zeros above which that is faster. */
const MIN_ZEROS = 2 / 3;

/** The filter [o, h, w, i], declared sparse if it is the model's first sparse one. */
export function withSparsityHint(net: Net, filter: Tensor): Tensor {
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
