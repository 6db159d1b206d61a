/** Zero biases for layers without one: XNNPACK requires a bias. */

import type { Net } from './net.js';
import { dimension, type Tensor } from './tensor.js';

/** Zeros for weights whose first axis is the outputs'; integers if input and weights are. */
export function zeroBias(net: Net, input: Tensor, weights: Tensor): Tensor {
  const shape = [dimension(weights.shape, 0)];
  const [scale = 1] = input.quantization?.scales ?? [];
  if (weights.quantization === undefined) return net.filled('FLOAT32', shape, 0);
  // As the kernels compute it, in float32.
  const scales = weights.quantization.scales.map((own) => Math.fround(own * scale));
  const quantization = { scales, zeroPoints: scales.map(() => 0), axis: 0 };
  return net.constantOf('INT32', shape, new Uint8Array(4 * dimension(shape, 0)), quantization);
}
