/** Checks of descriptors, and of buffers against them. */

import { byteLength, isViewOf } from '../data_types.js';
import type { MLTensorLimits } from '../generated/webnn_types.js';
import type { OperandDescriptor } from '../graph.js';
import type { BufferSource } from '../webidl/buffer_source.js';

/** Largest size of a dimension: the specification limits it to the type `long`. */
const MAX_SIZE = 2 ** 31 - 1;

/** Checks a tensor's descriptor: valid dimensions, a type and a rank within the limits, and its size. */
export function checkDescriptor(
  descriptor: OperandDescriptor,
  limits: MLTensorLimits,
  maxTensorByteLength: number,
  what: string,
): void {
  const { shape } = descriptor;
  if (!shape.every((size) => size > 0 && size <= MAX_SIZE)) {
    throw new TypeError(`The shape [${shape}] of ${what} should have sizes from 1 to ${MAX_SIZE}.`);
  }
  checkLimits(descriptor, limits, what);
  checkSize(descriptor, maxTensorByteLength, what);
}

export function checkSize(descriptor: OperandDescriptor, maxTensorByteLength: number, what: string): void {
  const bytes = byteLength(descriptor);
  if (bytes > maxTensorByteLength) {
    throw new TypeError(`The ${bytes} bytes of ${what} are more than the limit of ${maxTensorByteLength}.`);
  }
}

/** Checks data type and rank. */
export function checkLimits({ dataType, shape }: OperandDescriptor, limits: MLTensorLimits, what: string): void {
  const { dataTypes = [], rankRange: { min = 0, max = Number.POSITIVE_INFINITY } = {} } = limits;
  if (!dataTypes.includes(dataType)) {
    const allowed = dataTypes.length > 0 ? `it should be one of ${dataTypes.join(', ')}` : 'no type is supported here';
    throw new TypeError(`The data type of ${what} is ${dataType}; ${allowed}.`);
  }
  if (shape.length < min || shape.length > max) {
    throw new TypeError(`The rank of ${what} is ${shape.length}; it should be from ${min} to ${max}.`);
  }
}

/** Checks that a buffer has as many bytes as a tensor, or at least as many if the tensor is read into it. */
export function checkByteLength({ byteLength }: BufferSource, expected: number, relation: 'equal' | 'atLeast'): void {
  if (byteLength < expected || (relation === 'equal' && byteLength > expected)) {
    throw new TypeError(`The buffer has ${byteLength} bytes; the tensor has ${expected}.`);
  }
}

/** https://www.w3.org/TR/webnn/#validate-buffer-with-descriptor, for constants. */
export function checkConstant(source: BufferSource, descriptor: OperandDescriptor): void {
  checkByteLength(source, byteLength(descriptor), 'equal');
  if (ArrayBuffer.isView(source) && !isViewOf(source, descriptor.dataType)) {
    throw new TypeError(`The view of the buffer is not one of ${descriptor.dataType} values.`);
  }
}
