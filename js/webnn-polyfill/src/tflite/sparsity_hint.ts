/**
 * XNNPACK leaves out what is multiplied by zero, where most weights of consecutive 1x1 convolutions are zero. It looks for
 * them in models only that have a sparse tensor: one is enough, and it need not be stored as such.
 */

import type { Net } from './net.js';
import { type ConstantTensor, isConstant, type Tensor } from './tensor.js';

/** XNNPACK's own: from which part of zeros on it is faster so. */
const LEAST_ZEROS = 2 / 3;

/** The filter [o, h, w, i], declared sparse where it is the first of the model to be so. */
export function withSparsityHint(net: Net, filter: Tensor): Tensor {
  const [, height, width] = filter.shape;
  const isCandidate = filter.type === 'FLOAT32' && height === 1 && width === 1 && isConstant(filter);
  if (!isCandidate || net.has('DENSIFY') || zeros(filter) <= LEAST_ZEROS) return filter;
  const { type, shape, data } = filter;
  return net.node('DENSIFY', [{ type, shape, data, isSparse: true }], { type, shape });
}

/** The part of the elements that are zero. */
function zeros({ data }: ConstantTensor): number {
  const bytes = data.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? data : data.slice();
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
  let count = 0;
  for (const value of values) if (value === 0) count++;
  return count / values.length;
}
