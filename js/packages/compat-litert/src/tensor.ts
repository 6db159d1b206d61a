/** Tensors: values in JavaScript's memory, with a type and a shape. */

import { type DType, kindOf, ModelDisposedError, TensorError, type TypedArray as TensorValues } from 'tflite-webnn';
import { Environment, getDefaultEnvironment } from './environment.js';
import { LiteRtUnsupportedError } from './errors.js';
import {
  type Accelerator,
  bufferTypeName,
  bufferTypeOf,
  dtypeOf,
  isTypedArray,
  TensorBufferType,
  textOf,
  type WebGpuBuffer,
} from './tensor_types.js';

/** The arrays that LiteRT.js's programs expect. Of other element types, name the array: `toTypedArray<Int8Array>()`. */
export type TypedArray = Float32Array | Int32Array | Uint8Array;

/** A shape, outermost dimension first. */
export type Dimensions = Int32Array | number[];

/** Element type and shape of a tensor. */
export interface TensorType {
  /** Element type. */
  dtype: DType;
  /** Its shape. */
  layout: {
    /** Sizes, outermost dimension first. */
    dimensions: Dimensions;
  };
}

/** Options of a copy. */
export interface CopyOptions {
  /** The copy's environment. Default: the tensor's. */
  environment?: Environment;
}

/**
 * Copies or moves a tensor.
 *
 * @param tensor - The tensor.
 * @param options - The environment of the new one.
 */
export type TensorCopyFn = (tensor: Tensor, options?: CopyOptions) => Tensor | Promise<Tensor>;

/** How tensors get from one kind of memory to another. */
export interface CopyFunctionSet {
  /** Leaves the tensor deleted. */
  moveTo?: TensorCopyFn;
  /** Leaves the tensor as it is. */
  copyTo?: TensorCopyFn;
}

/** Values that are the tensor's own: nobody else writes them, so that tensors can share them. */
class OwnValues {
  constructor(
    readonly data: TensorValues,
    readonly dtype: DType,
    readonly shape: readonly number[],
  ) {}
}

type Rest = (Dimensions | DType | Environment | (() => void) | undefined)[];

/**
 * An input or output of a model. Its values are in JavaScript's memory, wherever it was moved to: `delete()` only lets
 * go of them.
 */
export class Tensor {
  /** Element type and shape. */
  readonly type: TensorType;
  /** The environment that it was created in. */
  readonly environment: Environment;
  readonly #onDelete: (() => void) | undefined;
  #values: OwnValues | null;

  /** How tensors get from one kind of memory (first key) to another (second key). */
  static copyFunctions: Map<TensorBufferType, Map<TensorBufferType, CopyFunctionSet>> = new Map();

  /**
   * Copies values into a tensor.
   *
   * @param data - The values, in row-major order: a Float32Array is float32, an Int8Array int8, and so on.
   * @param shape - Their shape. Default: one dimension.
   * @param environment - Default: that of `loadLiteRt()`.
   * @param onDelete - Called by `delete()`.
   * @throws TensorError where the shape has another number of elements; LiteRtNotLoadedError.
   */
  constructor(data: TensorValues, shape?: Dimensions, environment?: Environment, onDelete?: () => void);
  /**
   * Rejected: models do not read buffers of WebGPU.
   *
   * @param gpuBuffer - The values.
   * @param shape - Their shape.
   * @param dataType - Their element type.
   * @param environment - Default: that of `loadLiteRt()`.
   * @param onDelete - Called by `delete()`.
   * @throws LiteRtUnsupportedError
   */
  constructor(
    gpuBuffer: WebGpuBuffer,
    shape: Dimensions,
    dataType: DType,
    environment?: Environment,
    onDelete?: () => void,
  );
  /** @internal */
  constructor(values: OwnValues, environment: Environment);
  constructor(data: TensorValues | WebGpuBuffer | OwnValues, ...rest: Rest) {
    this.#values = data instanceof OwnValues ? data : copied(data, rest[0]);
    const environment = rest.find((value) => value instanceof Environment) ?? getDefaultEnvironment();
    const { dtype, shape } = this.#values;
    this.type = { dtype, layout: { dimensions: [...shape] } };
    this.environment = environment;
    this.#onDelete = rest.find((value) => typeof value === 'function');
  }

  /**
   * Copies values into a tensor.
   *
   * @param data - The values, in row-major order.
   * @param shape - Their shape. Default: one dimension.
   * @param environment - Default: that of `loadLiteRt()`.
   */
  static fromTypedArray(data: TensorValues, shape?: Dimensions, environment?: Environment): Tensor {
    return new Tensor(data, shape, environment);
  }

  /** @internal Creates a tensor from an array that nobody else writes, without a copy. */
  static owning(data: TensorValues, dtype: DType, shape: readonly number[], environment: Environment): Tensor {
    return new Tensor(new OwnValues(data, dtype, shape), environment);
  }

  /** The values, copied: `toTypedArray()` for programs that wait. */
  async data<Values extends TensorValues = TypedArray>(): Promise<Values> {
    return this.toTypedArray<Values>();
  }

  /**
   * The values, copied.
   *
   * @throws ModelDisposedError
   */
  toTypedArray<Values extends TensorValues = TypedArray>(): Values {
    return this.#usable().data.slice() as Values;
  }

  /** @internal The values for a run, which only reads them. */
  values(): { readonly data: TensorValues; readonly shape: readonly number[] } {
    return this.#usable();
  }

  /** The kind of memory: HOST_MEMORY. */
  getBufferType(): TensorBufferType {
    return this.bufferType;
  }

  /**
   * Rejected: the values are in JavaScript's memory.
   *
   * @throws LiteRtUnsupportedError
   */
  toGpuBuffer(): WebGpuBuffer {
    throw new LiteRtUnsupportedError('Tensors have no GPUBuffer: write toTypedArray() into one.');
  }

  /** Rejected: values are not in LiteRT's wasm module. @throws LiteRtUnsupportedError */
  get liteRtTensorBuffer(): never {
    throw new LiteRtUnsupportedError("tflite-webnn has no TensorBuffer of LiteRT's: read toTypedArray().");
  }

  /**
   * Copies the tensor.
   *
   * @param destination - `wasm`; `webgpu`, which remains in JavaScript's memory; or a kind of memory.
   * @param options - The copy's environment.
   * @throws TensorError where there is no such destination; ModelDisposedError.
   */
  async copyTo(destination: Accelerator | TensorBufferType, options?: CopyOptions): Promise<Tensor> {
    return this.#copyFunction('copyTo', destination)(this, options);
  }

  /**
   * Copies the tensor and deletes it.
   *
   * @param destination - As for `copyTo()`.
   * @param options - The new tensor's environment.
   * @throws TensorError where there is no such destination; ModelDisposedError.
   */
  async moveTo(destination: Accelerator | TensorBufferType, options?: CopyOptions): Promise<Tensor> {
    return this.#copyFunction('moveTo', destination)(this, options);
  }

  /** The kind of memory: HOST_MEMORY. */
  get bufferType(): TensorBufferType {
    this.#usable();
    return TensorBufferType.HOST_MEMORY;
  }

  /** Where it is: `wasm`. */
  get accelerator(): Accelerator {
    this.#usable();
    return 'wasm';
  }

  /** Whether `delete()` was called. */
  get deleted(): boolean {
    return this.#values === null;
  }

  /** Releases the values. */
  delete(): void {
    if (this.#values === null) return;
    this.#values = null;
    this.#onDelete?.();
  }

  #usable(): OwnValues {
    if (this.#values === null) throw new ModelDisposedError('The tensor is deleted and cannot be used.');
    return this.#values;
  }

  #copyFunction(kind: keyof CopyFunctionSet, destination: Accelerator | TensorBufferType): TensorCopyFn {
    const destinations = Tensor.copyFunctions.get(this.bufferType);
    const type = bufferTypeOf(destination);
    const found = type === undefined ? undefined : destinations?.get(type)?.[kind];
    if (found !== undefined) return found;
    const names = [...(destinations?.keys() ?? [])].map(bufferTypeName).join(', ');
    throw new TensorError(
      'LITERT_TENSOR',
      `A tensor has no ${kind}() for ${bufferTypeName(destination as TensorBufferType)}: it is wasm, webgpu, or one of ${names}.`,
      { details: { destination } },
    );
  }
}

function copied(data: TensorValues | WebGpuBuffer, provided: Rest[number]): OwnValues {
  if (!isTypedArray(data)) throw wrongData(data);
  const dtype = dtypeOf(data);
  if (dtype === null)
    throw new TensorError('LITERT_TENSOR', `A ${data[Symbol.toStringTag]} holds no element type of a tensor.`);
  const isList = provided instanceof Int32Array || Array.isArray(provided);
  const shape: unknown[] = isList ? [...provided] : [provided ?? data.length];
  if ((!isList && provided != null) || !isShape(shape)) {
    throw new TensorError(
      'LITERT_TENSOR',
      `A shape is a list of integers, 0 or more; got [${shape.map(textOf).join(', ')}].`,
    );
  }
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length === count) return new OwnValues(plainCopy(data), dtype, shape);
  throw new TensorError(
    'LITERT_TENSOR',
    `The shape [${shape.join(', ')}] has ${count} elements; the array has ${data.length}.`,
    {
      details: { shape, length: data.length },
    },
  );
}

function isShape(sizes: readonly unknown[]): sizes is number[] {
  return sizes.every((size) => Number.isInteger(size) && Number(size) >= 0);
}

/** Not `slice()`: that of Node's Buffer shares its memory. */
function plainCopy(data: TensorValues): TensorValues {
  const ArrayOf: new (values: TensorValues) => TensorValues =
    Reflect.get(globalThis, data[Symbol.toStringTag]) ?? data.constructor;
  return new ArrayOf(data);
}

function wrongData(data: unknown): Error {
  const name = kindOf(data);
  if (name !== 'GPUBuffer')
    return new TensorError('LITERT_TENSOR', `A tensor is created from a typed array; got ${name}.`);
  return new LiteRtUnsupportedError('A tensor cannot be created from a GPUBuffer: read it into a typed array.');
}

/** Values are shared, not copied: nobody writes them. */
function copyTensor(tensor: Tensor, options?: CopyOptions): Tensor {
  const environment = options?.environment ?? tensor.environment;
  const { data, shape } = tensor.values();
  return Tensor.owning(data, tensor.type.dtype, shape, environment);
}

function moveTensor(tensor: Tensor, options?: CopyOptions): Tensor {
  const moved = copyTensor(tensor, options);
  tensor.delete();
  return moved;
}

const WITHIN_HOST: CopyFunctionSet = { copyTo: copyTensor, moveTo: moveTensor };
Tensor.copyFunctions.set(
  TensorBufferType.HOST_MEMORY,
  new Map([
    [TensorBufferType.HOST_MEMORY, WITHIN_HOST],
    [TensorBufferType.WEB_GPU_BUFFER_PACKED, WITHIN_HOST],
  ]),
);
