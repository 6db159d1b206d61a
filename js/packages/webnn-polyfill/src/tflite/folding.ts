/** Operations on constants, computed while the model is created. */

import { elementCount } from '../data_types.js';
import type { TensorType } from './model.js';
import type { Net } from './net.js';
import { bytesOf, type ConstantTensor, dimension, elementBytes, numbersOf } from './tensor.js';

/** The same bytes in another shape. */
export function constantReshape(net: Net, tensor: ConstantTensor, shape: readonly number[]): ConstantTensor {
  const { type, data, quantization } = tensor;
  return net.constantOf(type, shape, data, quantization && { ...quantization, axis: movedAxis(tensor, shape) });
}

/** The axis of the scales in another shape: the one with as many elements behind it. */
function movedAxis({ shape, quantization }: ConstantTensor, other: readonly number[]): number {
  const { scales, axis } = quantization ?? { scales: [1], axis: 0 };
  if (scales.length === 1) return 0;
  const step = elementCount(shape.slice(axis + 1));
  const moved = other.findIndex(
    (size, index) => size === scales.length && elementCount(other.slice(index + 1)) === step,
  );
  if (moved < 0) throw new RangeError(`a constant with scales along axis ${axis} of [${shape}] cannot be [${other}]`);
  return moved;
}

/** Part of the first axis; shares the bytes. */
export function constantSlice(
  net: Net,
  { type, shape, data }: ConstantTensor,
  start: number,
  size: number,
): ConstantTensor {
  const rowBytes = data.byteLength / dimension(shape, 0);
  return net.constantOf(type, shape.with(0, size), data.subarray(start * rowBytes, (start + size) * rowBytes));
}

/** Row-major strides of a shape, in elements. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = dimension(strides, axis + 1) * dimension(shape, axis + 1);
  }
  return strides;
}

/** A constant with its axes in another order. */
export function constantTranspose(net: Net, tensor: ConstantTensor, permutation: readonly number[]): ConstantTensor {
  const strides = stridesOf(tensor.shape);
  const shape = permutation.map((axis) => dimension(tensor.shape, axis));
  const steps = permutation.map((axis) => dimension(strides, axis));
  const offsets = offsetsOf(shape, steps);
  const { type, data, quantization } = tensor;
  const moved = quantization && { ...quantization, axis: permutation.indexOf(quantization.axis) };
  return net.constantOf(type, shape, gathered(data, elementBytes(type), offsets), moved);
}

/** A filter [o, h, w, i] with zeros between its rows and columns. */
export function constantDilate(net: Net, tensor: ConstantTensor, dilations: readonly [number, number]): ConstantTensor {
  const [outputs, height, width, inputs] = tensor.shape as [number, number, number, number];
  const shape = [outputs, (height - 1) * dilations[0] + 1, (width - 1) * dilations[1] + 1, inputs];
  const [byOutput, byRow, byColumn] = stridesOf(shape) as [number, number, number, number];
  const steps = [byOutput, byRow * dilations[0], byColumn * dilations[1], 1];
  const width32 = new Float32Array(elementCount(shape));
  const values = numbersOf(tensor);
  offsetsOf(tensor.shape, steps).forEach((offset, index) => {
    width32[offset] = values[index] ?? 0;
  });
  return net.constant(tensor.type, shape, width32);
}

/** The offset of each element, in row-major order of `shape`; `steps` are the strides. */
function offsetsOf(shape: readonly number[], steps: readonly number[]): Uint32Array {
  let offsets = new Uint32Array([0]);
  shape.forEach((size, axis) => {
    const step = dimension(steps, axis);
    const next = new Uint32Array(offsets.length * size);
    for (let index = 0; index < next.length; index++) {
      next[index] = (offsets[Math.floor(index / size)] as number) + (index % size) * step;
    }
    offsets = next;
  });
  return offsets;
}

function gathered(data: Uint8Array, elementBytes: number, offsets: Uint32Array): Uint8Array {
  const result = new Uint8Array(data.byteLength);
  if (elementBytes === 4 && data.byteOffset % 4 === 0) {
    const source = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    const target = new Uint32Array(result.buffer);
    for (let index = 0; index < offsets.length; index++) target[index] = source[offsets[index] as number] as number;
    return result;
  }
  for (let index = 0; index < offsets.length; index++) {
    const from = (offsets[index] as number) * elementBytes;
    for (let byte = 0; byte < elementBytes; byte++) {
      result[index * elementBytes + byte] = data[from + byte] as number;
    }
  }
  return result;
}

/** A constant in another type, with values computed by `map`. */
export function constantMap(
  net: Net,
  tensor: ConstantTensor,
  type: TensorType,
  map: (value: number) => number,
): ConstantTensor {
  return net.constantOf(type, tensor.shape, bytesOf(type, numbersOf(tensor).map(map)));
}
