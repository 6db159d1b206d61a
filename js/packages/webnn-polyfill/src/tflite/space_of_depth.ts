/**
 * DEPTH_TO_SPACE, which WebNN expresses as reshape, transpose and reshape. As one node it is faster, and XNNPACK still
 * skips products with zero in the convolutions around it.
 */

import type { Net } from './net.js';
import { isConstant, numbersOf, sameShape, type Tensor } from './tensor.js';

/** [h, w, block, block * c] to [h, block, w, block * c] */
const PERMUTATION = [0, 2, 1, 3];

/** The transposed tensor in the shape [1, h * block, w * block, c], if it matches the pattern. */
export function spaceOfDepth(net: Net, transposed: Tensor, shape: readonly number[]): Tensor | null {
  const image = imageOf(net, transposed);
  if (image === null || shape.length !== 4) return null;
  const [batch = 0, height = 0, width = 0, depth = 0] = image.shape;
  const block = (shape[1] ?? 0) / height;
  const isBlock = block > 1 && sameShape(transposed.shape, [height, block, width, depth / block]);
  const isSpace = batch === 1 && sameShape(shape, [1, height * block, width * block, depth / block ** 2]);
  if (!isBlock || !isSpace) return null;
  return net.node('DEPTH_TO_SPACE', [image], { type: image.type, shape }, { block_size: block });
}

/** The tensor before the reshape and transpose. */
function imageOf(net: Net, transposed: Tensor): Tensor | null {
  const transpose = net.producer(transposed);
  const [source, order] = transpose?.op === 'TRANSPOSE' ? transpose.inputs : [];
  if (source === undefined || order === undefined || !isConstant(order)) return null;
  const reshape = net.producer(source);
  const image = reshape?.op === 'RESHAPE' ? reshape.inputs[0] : undefined;
  const isFloat = image?.type === 'FLOAT32' && image.shape.length === 4;
  return isFloat && sameShape([...numbersOf(order)], PERMUTATION) ? image : null;
}
