/** Inputs and outputs of a model, as its graphs have them: conversion of values, limits of ids, MLTensors. */

import type { GraphPort, ModelDescription, QuantizationInfo, TensorInfo, WebnnGraph } from '../description.js';
import {
  bytesOf,
  type DType,
  elementCount,
  fixedValues,
  newArray,
  type TypedArray,
  typedArrayConstructor,
} from '../dtypes.js';
import { InputError } from '../errors.js';
import { NUMBERS } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';
import type { MLContext, MLTensor } from '../webnn_types.js';
import { float16Bits } from './float16.js';

/** An input of a model. It is plain data, but for quantize(): it can be cloned and posted. */
export class InputInfo implements TensorInfo {
  /** TFLite's tensor index. */
  declare readonly index: number;
  /** The tensor's name in the file; not always unique. */
  declare readonly name: string;
  /** Element type. Nothing is converted silently: an array of another type is rejected. */
  declare readonly dtype: DType;
  /** Its shape now, outermost dimension first; `[]` for a scalar. */
  declare readonly shape: readonly number[];
  /** The shape as the model declares it: -1 where a dimension may vary. */
  declare readonly shapeSignature: readonly number[];
  /** Size of its values in bytes; 0 for strings. */
  declare readonly sizeBytes: number;
  /** How integers stand for real numbers; null where they do not. */
  declare readonly quantization: QuantizationInfo | null;

  /** @internal */
  private constructor() {}

  /**
   * Converts real numbers to the input's type: `round(value / scale) + zeroPoint` where it is quantized, per index of
   * `quantizedDimension` where it has several scales. Integers are rounded, halves away from zero, and stay in the
   * range of their type.
   *
   * @param values - In row-major order.
   * @returns A new array of the input's type.
   * @throws OptionError for anything but numbers; InputError where the input has strings, or JavaScript has no array
   *   for its type.
   */
  quantize(values: ArrayLike<number>): TypedArray {
    checkArguments('quantize', { values }, { values: NUMBERS });
    const { name, dtype, shape, quantization } = this;
    const array = typedArrayConstructor(dtype);
    if (array === null || dtype === 'string')
      throw new InputError('INPUT_DTYPE', `Input ${name} is ${dtype}, and no numbers.`);
    const { scales = [1], zeroPoints = [0], quantizedDimension = 0 } = quantization ?? {};
    const stride = elementCount(shape.slice(quantizedDimension + 1));
    const data = new array(values.length);
    const limits = dtype === 'float16' ? null : limitsOf(data);
    const floatOf = dtype === 'float16' && array.name === 'Uint16Array' ? float16Bits : Number;
    for (let i = 0; i < data.length; i++) {
      const channel = scales.length === 1 ? 0 : Math.floor(i / stride) % scales.length;
      const real = (values[i] as number) / (scales[channel] as number);
      if (limits === null) {
        data[i] = floatOf(real);
        continue;
      }
      const value = integerIn(limits, real, zeroPoints[channel] as number);
      if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(value);
      else data[i] = value;
    }
    return data;
  }
}

/** @internal Inputs of a description, which is plain data. */
export function asInputs(infos: readonly TensorInfo[]): readonly InputInfo[] {
  for (const info of infos) Object.setPrototypeOf(info, InputInfo.prototype);
  return infos as readonly InputInfo[];
}

/** Halves are rounded away from zero. */
function integerIn([min, max]: readonly [min: number, max: number], real: number, zeroPoint: number): number {
  const rounded = Math.sign(real) * Math.round(Math.abs(real)) + zeroPoint;
  return Math.min(max, Math.max(min, rounded || 0));
}

/** The range of integers; null for floats. */
function limitsOf(data: TypedArray): readonly [min: number, max: number] | null {
  const kind = data[Symbol.toStringTag];
  if (kind.startsWith('Float')) return null;
  const bits = 8 * data.BYTES_PER_ELEMENT;
  const isSigned = !kind.includes('Uint');
  const end = 2 ** (isSigned ? bits - 1 : bits);
  // Beyond 2^53, the number before is not the next one.
  return [isSigned ? -end : 0, bits === 64 ? end - 2 ** (isSigned ? 10 : 11) : end - 1];
}

/** The numbers that an input of ids may have: id number i is less than `sizes[i % sizes.length]`. */
export interface IdLimit {
  /** Position of the input. */
  readonly input: number;
  readonly sizes: readonly number[];
}

/** Operators that hand on all elements in their order, as the same numbers. */
const KEEPING: readonly string[] = ['reshape', 'cast', 'identity'];

/** The limits of ids that are inputs of the model, directly or reshaped, and that WebNN looks up. */
export function idLimitsOf({ inputs, graphs }: Pick<ModelDescription, 'inputs' | 'graphs'>): IdLimit[] {
  return graphs.flatMap((graph) => {
    const { indexLimits = [] } = graph;
    const tensorOf = indexLimits.length > 0 ? inputTensors(graph) : new Map<number, number>();
    return indexLimits.flatMap(({ operand, sizes }) => {
      const input = inputs.findIndex((info) => info.index === tensorOf.get(operand));
      return input < 0 ? [] : [{ input, sizes }];
    });
  });
}

/** The tensors of the graph's inputs, by each operand that has their elements. */
function inputTensors({ inputs, operators }: WebnnGraph): Map<number, number> {
  const tensors = new Map(inputs.map(({ id, tensor }) => [id, tensor]));
  for (const { op, args, outputs } of operators) {
    const tensor = KEEPING.includes(op) ? tensors.get((args[0] as { readonly operand: number }).operand) : undefined;
    if (tensor !== undefined) tensors.set(outputs[0] as number, tensor);
  }
  return tensors;
}

/**
 * Checks the ids that an input of a run has.
 *
 * @throws InputError
 */
export function checkIds(
  { input, sizes }: IdLimit,
  infos: readonly TensorInfo[],
  inputs: readonly (TypedArray | undefined)[],
): void {
  const ids = inputs[input] ?? []; // none of a tensor of a state
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number | bigint;
    const size = sizes[at % sizes.length] as number;
    if (id >= 0 && id < size) continue;
    const { name } = infos[input] as TensorInfo;
    throw new InputError(
      'INPUT_VALUE',
      `Input ${name} has the id ${id} at position ${at}: the model's table has those from 0 to ${size - 1}. Pass one of them.`,
      { details: { input: name, position: at } },
    );
  }
}

/** A tensor to make. */
export interface PortUse {
  readonly port: GraphPort;
  /** Whether it is written from JavaScript; no, unless provided. */
  readonly writable?: boolean;
  /** Whether it is read into JavaScript; no, unless provided. */
  readonly readable?: boolean;
}

/** Tensors by the names of a graph's inputs or outputs. */
export type NamedTensors = Readonly<Record<string, MLTensor>>;

/** The tensor of one port. Reads must not overlap: they share an array where the port's type is widened. */
export class PortTensor {
  readonly #widened: WidenedTensor | null;

  private constructor(
    private readonly context: MLContext,
    readonly port: GraphPort,
    readonly tensor: MLTensor,
  ) {
    this.#widened = WidenedTensor.of(port);
  }

  /**
   * Creates several tensors, in the order of `uses`.
   *
   * @throws what the browser rejects the first failing one with; the others are destroyed then.
   */
  static async createAll(context: MLContext, uses: readonly PortUse[]): Promise<PortTensor[]> {
    const creating = uses.map(async ({ port, writable = false, readable = false }) => {
      const { dataType, shape } = port;
      const tensor = await context.createTensor({ dataType, shape: [...shape], writable, readable });
      return new PortTensor(context, port, tensor);
    });
    const results = await Promise.allSettled(creating);
    const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure === undefined) return created;
    for (const tensor of created) tensor.destroy();
    throw failure.reason;
  }

  /** Copies values of the TFLite tensor, or their bytes; the array may be changed as soon as this returns. */
  write(values: TypedArray): void {
    this.context.writeTensor(this.tensor, this.#widened?.widen(values) ?? fixedValues(values));
  }

  /** Reads into an array of the TFLite tensor's size, once everything queued before has run. */
  read(output: TypedArray): Promise<void> {
    return readWidened(this.context, this.tensor, this.#widened, output);
  }

  destroy(): void {
    this.tensor.destroy();
  }
}

/** Reads a tensor that stands for a port. Reads may overlap: each has its own array to narrow from. */
export function readPort(context: MLContext, tensor: MLTensor, port: GraphPort, output: TypedArray): Promise<void> {
  return readWidened(context, tensor, WidenedTensor.of(port), output);
}

/** Reads a tensor into an array of its type and size, once everything queued before has run. */
export function readInto(context: MLContext, tensor: MLTensor, output: TypedArray): Promise<void> {
  return context.readTensor(tensor, output).catch(async (error) => {
    // Not every engine writes into any buffer, e.g. into WebAssembly memory. It says so by a TypeError.
    if (!(error instanceof TypeError)) throw error;
    bytesOf(output).set(new Uint8Array(await context.readTensor(tensor)));
  });
}

/** What a graph is dispatched with repeatedly. Frozen: the polyfill converts a record that cannot change only once. */
export function tensorsByName(entries: Iterable<readonly [name: string, tensor: PortTensor]>): NamedTensors {
  return Object.freeze(Object.fromEntries(Array.from(entries, ([name, { tensor }]) => [name, tensor])));
}

/** The same for tensors of inputs or outputs, by their names. */
export function tensorsByPort(tensors: readonly PortTensor[]): NamedTensors {
  return tensorsByName(tensors.map((tensor) => [tensor.port.name, tensor]));
}

function readWidened(
  context: MLContext,
  tensor: MLTensor,
  widened: WidenedTensor | null,
  output: TypedArray,
): Promise<void> {
  if (widened === null) return readInto(context, tensor, output);
  return readInto(context, tensor, widened.wide).then(() => widened.narrow(output));
}

/** Converts between the values of a TFLite tensor and those of its operand. One array serves all copies of a tensor. */
export class WidenedTensor {
  /** @returns null where the operand has the tensor's own type. */
  static of({ name, tensorType, shape }: GraphPort): WidenedTensor | null {
    return tensorType === undefined ? null : new WidenedTensor(newArray(Int32Array, elementCount(shape), name));
  }

  /** @param wide - The operand's values, as WebNN reads and writes them. */
  private constructor(readonly wide: Int32Array) {}

  /** Accepts the tensor's values, or their bytes. */
  widen(values: TypedArray): Int32Array {
    this.wide.set(int16View(values));
    return this.wide;
  }

  /** Writes the values into the tensor's array, or its bytes. */
  narrow(values: TypedArray): void {
    int16View(values).set(this.wide);
  }
}

function int16View(values: TypedArray): Int16Array {
  return new Int16Array(values.buffer, values.byteOffset, values.byteLength / Int16Array.BYTES_PER_ELEMENT);
}
