/** Lowering of quantizeLinear, dequantizeLinear and fused operators on tensors with quantization. */

import { elementCount, roundEven } from '../../data_types.js';
import { reshaped } from '../broadcast.js';
import { XNNPACK_RANK } from '../calls.js';
import type { BuiltinName, Quantization } from '../model.js';
import type { Net, NetNode } from '../net.js';
import { bytesOf, type ConstantTensor, isConstant, numbersOf, type Tensor } from '../tensor.js';

/** Nodes allowed between a kernel and the operator's result. */
const MOVING: readonly BuiltinName[] = ['TRANSPOSE', 'RESHAPE'];

/** Real numbers of a constant: computed here instead of in each dispatch. */
export function dequantizedConstant(net: Net, tensor: ConstantTensor, parameters: Quantization): ConstantTensor {
  const { scales, zeroPoints, axis } = parameters;
  const inner = tensor.shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  const values = numbersOf(tensor).map((value, index) => {
    const channel = Math.floor(index / inner) % scales.length;
    return (value - (zeroPoints[channel] ?? 0)) * (scales[channel] ?? 1);
  });
  return net.constantOf('FLOAT32', tensor.shape, bytesOf('FLOAT32', values));
}

export function dequantized(net: Net, tensor: Tensor): Tensor {
  return net.node('DEQUANTIZE', [tensor], { type: 'FLOAT32', shape: tensor.shape });
}

/**
 * Quantizes real numbers, or requantizes integers. XNNPACK rounds ties to even, TensorFlow Lite's own kernel does not:
 * it must not get constants, or ranks beyond XNNPACK's.
 */
export function quantized(net: Net, tensor: Tensor, type: Tensor['type'], quantization: Quantization): Tensor {
  const { shape } = tensor;
  if (isConstant(tensor) && tensor.type === 'FLOAT32') return quantizedConstant(net, tensor, type, quantization);
  const flat = shape.length <= XNNPACK_RANK ? tensor : reshaped(net, tensor, [elementCount(shape)]);
  return reshaped(net, net.node('QUANTIZE', [flat], { type, shape: flat.shape, quantization }), shape);
}

function quantizedConstant(net: Net, tensor: ConstantTensor, type: Tensor['type'], quantization: Quantization): Tensor {
  const [[scale = 1], [zeroPoint = 0]] = [quantization.scales, quantization.zeroPoints];
  const [lowest, highest] = type === 'INT8' ? [-128, 127] : [0, 255];
  const integers = numbersOf(tensor).map((value) => {
    return Math.min(Math.max(roundEven(Math.fround(value / scale)) + zeroPoint, lowest), highest);
  });
  return net.constantOf(type, tensor.shape, bytesOf(type, integers), quantization);
}

/** The same integers without quantization, for operators that ignore their meaning: some kernels check parameters. */
export function meaningless(net: Net, tensor: Tensor): Tensor {
  const { type, shape } = tensor;
  return net.node('RESHAPE', [tensor, net.list(shape)], { type, shape });
}

/** Sets the quantization of the operator's result, back to the kernel that computes it. */
export function quantizeResult(net: Net, result: Tensor, quantization: Quantization): void {
  for (const node of nodesBefore(net, result)) {
    for (const output of node.outputs) if (output.quantization === undefined) net.quantize(output, quantization);
  }
}

/** Fuses an activation into the kernel that computes the result. */
export function fuseActivation(net: Net, result: Tensor, activation: BuiltinName): void {
  const kernel = nodesBefore(net, result).at(-1);
  if (kernel !== undefined) kernel.options = { ...kernel.options, fused_activation_function: activation };
}

/** The present operator's moving nodes, from the result backwards, and the kernel before them. */
function nodesBefore(net: Net, result: Tensor): NetNode[] {
  const nodes: NetNode[] = [];
  let node = net.producer(result);
  while (node !== undefined && node.scope === net.scope) {
    nodes.push(node);
    const [source] = node.inputs;
    node = MOVING.includes(node.op) && source !== undefined ? net.producer(source) : undefined;
  }
  return nodes;
}
