/** Elementwise nodes on tensors of any rank: kernels broadcast only up to rank 4, so axes are merged. */

import { elementCount, sameShape } from '../data_types.js';
import { constantReshape } from './folding.js';
import type { BuiltinName, TensorType } from './model.js';
import type { Net } from './net.js';
import { dimension, isConstant, type Tensor } from './tensor.js';

/** The maximum rank at which every elementwise kernel broadcasts. */
const BROADCAST_RANK = 4;
/** The maximum rank of XNNPACK's nodes. */
const ELEMENTWISE_RANK = 6;

/** The shape of an elementwise result. */
export function broadcastShape(...shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) =>
    Math.max(...shapes.map((shape) => shape[axis - rank + shape.length] ?? 1)),
  );
}

/** A node whose inputs broadcast to its output. */
export function elementwise(net: Net, op: BuiltinName, operands: readonly Tensor[], type: TensorType): Tensor {
  const shape = broadcastShape(...operands.map((operand) => operand.shape));
  const options = hasActivation(op) ? { fused_activation_function: 'NONE' } : {};
  if (isDirect(operands, shape)) return net.node(op, operands, { type, shape }, options);
  const merged = mergeDimensions(
    operands.map((operand) => operand.shape),
    shape,
  );
  const flat = merged.shape.length <= BROADCAST_RANK;
  const inputs = operands.map((operand, index) =>
    flat ? reshaped(net, operand, merged.shapes[index] ?? []) : flattened(net, operand, shape),
  );
  const result = net.node(op, inputs, { type, shape: flat ? merged.shape : [elementCount(shape)] }, options);
  return reshaped(net, result, shape);
}

function hasActivation(op: BuiltinName): boolean {
  return op === 'ADD' || op === 'SUB' || op === 'MUL' || op === 'DIV';
}

function isDirect(operands: readonly Tensor[], shape: readonly number[]): boolean {
  if (shape.length <= BROADCAST_RANK) return true;
  return shape.length <= ELEMENTWISE_RANK && operands.every((operand) => sameShape(operand.shape, shape));
}

/** Merges neighbouring axes that are all broadcast, or all not, for every operand. */
export function mergeDimensions(shapes: readonly (readonly number[])[], shape: readonly number[]) {
  const merged: number[] = [];
  const mergedShapes: number[][] = shapes.map(() => []);
  let last: string | undefined;
  shape.forEach((size, axis) => {
    if (size === 1) return;
    const sizes = shapes.map((other) => other[axis - shape.length + other.length] ?? 1);
    const pattern = sizes.map((other) => other === 1).join();
    const isNew = pattern !== last;
    last = pattern;
    append(merged, size, isNew);
    sizes.forEach((other, index) => {
      append(mergedShapes[index] as number[], other, isNew);
    });
  });
  return { shape: merged, shapes: mergedShapes };
}

function append(shape: number[], size: number, isNew: boolean): void {
  if (isNew) shape.push(size);
  else shape.push((shape.pop() ?? 1) * size);
}

function flattened(net: Net, operand: Tensor, shape: readonly number[]): Tensor {
  if (operand.shape.length === 0) return operand;
  return reshaped(net, broadcastTo(net, operand, shape), [elementCount(shape)]);
}

/** The operand, expanded to that shape. */
export function broadcastTo(net: Net, operand: Tensor, shape: readonly number[]): Tensor {
  if (sameShape(operand.shape, shape)) return operand;
  const { type, quantization } = operand;
  return net.node('BROADCAST_TO', [operand, net.list(shape)], { type, shape, quantization });
}

/** The operand in another shape of the same size; adds a node only if needed. */
export function reshaped(net: Net, operand: Tensor, shape: readonly number[]): Tensor {
  if (sameShape(operand.shape, shape)) return operand;
  if (isConstant(operand)) return constantReshape(net, operand, shape);
  const { type, quantization } = operand;
  return net.node('RESHAPE', [operand, net.list(shape)], { type, shape, quantization });
}

/** A constant of one value per index of `axis`, in a shape that broadcasts along a tensor of `rank`. */
export function alongAxis(net: Net, operand: Tensor, axis: number, rank: number): Tensor {
  const trailing = new Array<number>(rank - 1 - axis).fill(1);
  return reshaped(net, operand, [dimension(operand.shape, 0), ...trailing]);
}
