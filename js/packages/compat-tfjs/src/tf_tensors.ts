/**
 * Tensors of TensorFlow.js as inputs and results, converted as tfjs-tflite does it, except that no value changes
 * silently. TensorFlow.js is no dependency: its tensors are known by what they can do.
 */

import { type DType, decodeStrings, InputError, TensorError, type TensorInfo, type TypedArray } from 'tflite-webnn';

/** Element types of TensorFlow.js. */
export type TfDType = 'float32' | 'int32' | 'bool' | 'string' | 'complex64';

/** What TensorFlow.js returns as a tensor's values. */
export type TfValues = Float32Array | Int32Array | Uint8Array | string[];

/** What is used of a `tf.Tensor`. */
export interface TfTensor {
  /** Its shape. */
  readonly shape: number[];
  /** Its {@link TfDType}. */
  readonly dtype: string;
  /** Its values, immediately. */
  dataSync(): TfValues;
  /** Its values, when they are there. */
  data(): Promise<TfValues>;
}

/** What is used of the module `tf`. */
export interface TfLibrary {
  /**
   * Creates a tensor.
   *
   * @param values - Its values, in row-major order.
   * @param shape - Its shape.
   * @param dtype - Its type.
   */
  tensor(values: TfValues, shape: number[], dtype: Exclude<TfDType, 'complex64'>): TfTensor;
}

/** Whether a value is a tensor of TensorFlow.js, whichever copy of the library created it. */
export function isTfTensor(value: unknown): value is TfTensor {
  if (typeof value !== 'object' || value === null) return false;
  const { dataSync, data, shape } = value as Partial<TfTensor>;
  return typeof dataSync === 'function' && typeof data === 'function' && Array.isArray(shape);
}

const TF_DTYPES: Partial<Record<DType, Exclude<TfDType, 'complex64'>>> = {
  float32: 'float32',
  float64: 'float32',
  float16: 'float32',
  int8: 'int32',
  uint8: 'int32',
  int16: 'int32',
  uint16: 'int32',
  int32: 'int32',
  uint32: 'int32',
  int64: 'int32',
  uint64: 'int32',
  bool: 'bool',
  string: 'string',
};

/**
 * TensorFlow.js's type for values of a TFLite type; undefined where it has none.
 *
 * @param tfliteType - A tensor's `dtype`.
 */
export function getDTypeFromTFLiteType(tfliteType: DType): Exclude<TfDType, 'complex64'> | undefined {
  return Object.hasOwn(TF_DTYPES, tfliteType) ? TF_DTYPES[tfliteType] : undefined;
}

interface ArrayClass {
  readonly name: string;
  new (length: number): TypedArray;
}

/** Arrays of numbers for the inputs' types; without a Float16Array float16 would be bits. */
const ARRAYS: Readonly<Record<string, ArrayClass | undefined>> = {
  float32: Float32Array,
  float64: Float64Array,
  float16: (globalThis as { Float16Array?: ArrayClass }).Float16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};

const FLOATS: readonly string[] = ['float16', 'float32', 'float64'];

/**
 * A tensor's values as the input expects them.
 *
 * @throws InputError where floats are provided for integers, or the input's type cannot hold a value exactly.
 */
export function fromTfValues(values: TfValues, dtype: string, info: TensorInfo): TypedArray | readonly string[] {
  if (Array.isArray(values)) {
    if (info.dtype === 'string') return values;
    throw mismatch(info, dtype);
  }
  const isFloatForInteger = dtype === 'float32' && !FLOATS.includes(info.dtype);
  if (dtype === 'complex64' || isFloatForInteger || info.dtype === 'string') throw mismatch(info, dtype);
  const isAsIs = ARRAYS[info.dtype]?.name === values[Symbol.toStringTag] && (info.dtype !== 'bool' || dtype === 'bool');
  return isAsIs ? values : convert(values, dtype, info);
}

function convert(values: Exclude<TfValues, string[]>, dtype: string, info: TensorInfo): TypedArray {
  const array = ARRAYS[info.dtype];
  if (array === undefined) throw mismatch(info, dtype);
  const converted = new array(values.length);
  const isBig = info.dtype.endsWith('int64');
  values.forEach((value, index) => {
    converted[index] = isBig ? BigInt(value) : value;
    if (Object.is(Number(converted[index]), value) && !(info.dtype === 'bool' && value > 1)) return;
    const details = { input: info.name, dtype: info.dtype, index };
    const provided = `the value ${value} of the provided ${dtype} tensor at index ${index}`;
    throw new InputError('INPUT_DTYPE', `Input ${info.name} is ${info.dtype}, which cannot hold ${provided}.`, {
      details,
    });
  });
  return converted;
}

function mismatch({ name, dtype }: TensorInfo, got: string): InputError {
  return new InputError('INPUT_DTYPE', `Data type mismatch: input ${name} expects ${dtype}, got a ${got} tensor.`, {
    details: { input: name, dtype },
  });
}

/** The library that creates results. */
export function tfLibrary(provided: TfLibrary | undefined): TfLibrary {
  const tf = provided ?? (globalThis as { tf?: Partial<TfLibrary> }).tf;
  if (typeof tf?.tensor === 'function') return tf as TfLibrary;
  throw new TensorError(
    'TF_TENSOR',
    'Inputs are tensors of TensorFlow.js, but there is no library to create the results with: pass it as the option ' +
      'tf of loadTFLiteModel(), or load it as the global tf.',
  );
}

/** Libraries whose user knows that doubles are rounded. */
const warned = new WeakSet<TfLibrary>();

/**
 * A result as a tensor.
 *
 * @throws TensorError where TensorFlow.js has no type that holds the values.
 */
export function toTfTensor(tf: TfLibrary, values: TypedArray, shape: readonly number[], info: TensorInfo): TfTensor {
  const dtype = getDTypeFromTFLiteType(info.dtype);
  if (dtype === undefined)
    throw new TensorError('TF_TENSOR', `TensorFlow.js has no type for output ${info.name}: ${info.dtype}.`);
  if (info.dtype === 'float64' && !warned.has(tf)) {
    warned.add(tf);
    console.warn(
      `tflite-webnn: output ${info.name} is float64, TensorFlow.js gets it as float32; run() returns it as it is`,
    );
  }
  return tf.tensor(tfValuesOf(values, dtype, info), [...shape], dtype);
}

function tfValuesOf(values: TypedArray, dtype: TfDType, info: TensorInfo): TfValues {
  if (dtype === 'string') return decodeStrings(values as Uint8Array);
  if (dtype === 'bool') return values as Uint8Array;
  if (dtype === 'float32') return values instanceof Float32Array ? values : floats(values, info);
  return values instanceof Int32Array ? values : integers(values, info);
}

function floats(values: TypedArray, info: TensorInfo): Float32Array {
  if (info.dtype === 'float16' && values instanceof Uint16Array) {
    throw new TensorError(
      'TF_TENSOR',
      `Output ${info.name} is float16, and this browser has no Float16Array to convert it with.`,
    );
  }
  return Float32Array.from(values as ArrayLike<number>);
}

function integers(values: TypedArray, info: TensorInfo): Int32Array {
  return Int32Array.from(values as ArrayLike<number | bigint>, (value) => {
    const number = Number(value);
    if (number === (number | 0)) return number;
    const message = `Output ${info.name} is ${info.dtype} and has the value ${value}, which a tensor of TensorFlow.js cannot hold`;
    throw new TensorError('TF_TENSOR', `${message}; run() returns it as it is.`);
  });
}
