/**
 * Values of tensors. TensorFlow.js has float32 and int32, and some of its kernels do not compile for int32: narrower
 * integers are stored in float32, which represents them exactly.
 */

import { byteLength, elementCount } from '../data_types.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import type { OperandDescriptor } from '../graph.js';
import * as tf from './tf.js';

/** Data types that the engine has. */
export type HandledDataType = 'float32' | 'int32' | 'int8' | 'uint8';

type Values = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
type ValuesConstructor = new (source: ArrayBuffer | ArrayLike<number>) => Values;

const ARRAYS: Readonly<Record<HandledDataType, ValuesConstructor>> = {
  float32: Float32Array,
  int32: Int32Array,
  int8: Int8Array,
  uint8: Uint8Array,
};

/** The TensorFlow.js data type for a WebNN data type. */
export function heldAs(dataType: MLOperandDataType): 'float32' | 'int32' {
  return dataType === 'int32' ? 'int32' : 'float32';
}

function arrayOf(dataType: MLOperandDataType): ValuesConstructor {
  const array = ARRAYS[dataType as HandledDataType];
  if (array === undefined) throw new TypeError(`This engine has no data type ${dataType}.`);
  return array;
}

/** Creates a tensor of values in row-major order, and takes over the bytes. */
export function tensorOf(bytes: Uint8Array, { dataType, shape }: OperandDescriptor): tf.Tensor {
  const array = arrayOf(dataType);
  const isFull = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  const buffer = isFull && bytes.buffer instanceof ArrayBuffer ? bytes.buffer : bytes.slice().buffer;
  const values = new array(buffer);
  const isHeldAsItIs = dataType === 'float32' || dataType === 'int32';
  const held = isHeldAsItIs ? (values as Float32Array | Int32Array) : Float32Array.from(values);
  return tf.tensor(held, [...shape], heldAs(dataType));
}

/** A tensor of zeros as bytes. */
export function zeros(descriptor: OperandDescriptor): Uint8Array {
  return new Uint8Array(byteLength(descriptor));
}

/** A tensor's values as bytes, which the caller may keep. */
export async function bytesOf(tensor: tf.Tensor, { dataType, shape }: OperandDescriptor): Promise<Uint8Array> {
  const array = arrayOf(dataType);
  // TensorFlow.js may keep the array that it returns, and a buffer of the GPU may be longer than its content.
  const values = (await tensor.data()).subarray(0, elementCount(shape));
  return new Uint8Array(new array(values).buffer);
}
