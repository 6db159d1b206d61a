/** The results of a run: what each is, and its values. */

import type { ModelDescription, QuantizationInfo, TensorInfo } from '../description.js';
import { type ArraysByDType, elementCount, type TypedArray } from '../dtypes.js';
import { OutputError } from '../errors.js';
import { floatOfBits } from './float16.js';
import { isTensorInput, type ModelInputs, namesOf, type TensorInput } from './inputs_outputs.js';

/**
 * One result of a run, of a known element type. It is plain data, but for dequantized(): it can be cloned and posted.
 *
 * @group Models
 */
export class ResultOf<Type extends keyof ArraysByDType> {
  /**
   * The signature's name of the output; its own where no signature names it. A second one of a name gets `:<position>`.
   */
  readonly name: string;
  /** Element type. */
  readonly dtype: Type;
  /** The shape of this run, outermost dimension first; `[]` for a scalar. */
  readonly shape: readonly number[];
  /**
   * The values in row-major order: an array for `dtype`, e.g. an Int8Array for `int8`; for strings the bytes that
   * decodeStrings() accepts; for complex numbers real and imaginary parts in turn. The caller's array where one was
   * provided for this output.
   */
  readonly data: ArraysByDType[Type];
  /** How integers stand for real numbers; null where they do not. */
  readonly quantization: QuantizationInfo | null;

  /** @internal */
  constructor(
    { dtype, quantization }: Pick<TensorInfo, 'dtype' | 'quantization'>,
    name: string,
    shape: readonly number[],
    data: TypedArray,
  ) {
    this.name = name;
    this.dtype = dtype as Type;
    this.shape = shape;
    this.data = data as ArraysByDType[Type];
    this.quantization = quantization;
  }

  /**
   * The real numbers that the values stand for: `scale * (value - zeroPoint)` where the output is quantized, per index
   * of `quantizedDimension` where it has several scales; else the values as they are.
   *
   * @returns As many floats as `data` has elements: `data` itself of float32, else a new array. Integers
   *   beyond 2^24 are rounded.
   * @throws OutputError where the output has strings.
   */
  dequantized(): Float32Array {
    const { name, data } = this;
    const dtype: string = this.dtype;
    if (dtype === 'string') {
      throw new OutputError(
        'OUTPUT_DTYPE',
        `Output ${name} has strings, and no numbers: read them with decodeStrings(data).`,
        {
          details: { output: name, dtype },
        },
      );
    }
    if (dtype === 'float32') return data as Float32Array;
    return realNumbers(this);
  }
}

/**
 * One result of a run. Its `dtype` tells which array `data` is: `if (result.dtype === 'float32')
 * Math.max(...result.data)`.
 *
 * @group Models
 */
export type TensorResult = { [Type in keyof ArraysByDType]: ResultOf<Type> }[keyof ArraysByDType];

/** @internal Makes a result. */
export function tensorResult(
  info: Pick<TensorInfo, 'dtype' | 'quantization'>,
  name: string,
  shape: readonly number[],
  data: TypedArray,
): TensorResult {
  return new ResultOf(info, name, shape, data) as TensorResult;
}

/** Results by name. */
export type NamedResults<Name extends string = string> = Record<Name, TensorResult>;

/** Results as a list: a model has an output at least. */
export type ListedResults = [TensorResult, ...TensorResult[]];

/** Results in the structure of the inputs: by name where the inputs are, else a list in the order of `outputs`. */
export type ResultsOf<Inputs extends ModelInputs> = Inputs extends TensorInput | readonly TensorInput[]
  ? ListedResults
  : NamedResults;

/** Puts results in the structure of the inputs. */
export function inSameStructure<Inputs extends ModelInputs>(
  results: readonly TensorResult[],
  inputs: Inputs,
): ResultsOf<Inputs> {
  const isList = Array.isArray(inputs) || isTensorInput(inputs);
  return (isList ? results : byName(results)) as ResultsOf<Inputs>;
}

function byName(results: readonly TensorResult[]): NamedResults {
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

/**
 * The results of a run.
 *
 * @param shapes - Those of outputs in this run, where they need not be the described ones.
 */
export function resultsOf(
  data: readonly TypedArray[],
  { outputs, signatures }: Pick<ModelDescription, 'outputs' | 'signatures'>,
  shapes: readonly (readonly number[] | undefined)[] = [],
): TensorResult[] {
  const names = resultNames(outputs, signatures);
  return outputs.map((info, position) => {
    const shape = shapes[position] ?? info.shape;
    return tensorResult(info, names[position] as string, shape, data[position] as TypedArray);
  });
}

const known = new WeakMap<readonly TensorInfo[], readonly string[]>();

/** The names of a model's results; computed once, because every run needs them. */
function resultNames(outputs: readonly TensorInfo[], signatures: ModelDescription['signatures']): readonly string[] {
  let names = known.get(outputs);
  if (names === undefined) {
    const list = { direction: 'output', signatures } as const;
    names = distinct(namesOf(outputs, list).map(([own, provided = own]) => provided as string));
    known.set(outputs, names);
  }
  return names;
}

/** TFLite does not require different names: a second one is followed by its position. */
export function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name, position) => (seen.size < seen.add(name).size ? name : `${name}:${position}`));
}

/** Values with what says how they stand for real numbers. */
export interface StoredValues {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: readonly number[];
  readonly dtype?: string;
  /** Its dimension is by default the last one, its zero points 0. */
  readonly quantization?: Partial<QuantizationInfo> | null;
}

/** The real numbers that values stand for; integers beyond 2^24 are rounded. */
export function realNumbers({ data, shape, dtype, quantization }: StoredValues): Float32Array {
  // Without a Float16Array the array for float16 holds bits.
  if (dtype === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, floatOfBits);
  const { scales = [1], zeroPoints = [0], quantizedDimension = shape.length - 1 } = quantization ?? {};
  const values = new Float32Array(data.length); // from() with a function takes many times as long
  const stride = scales.length === 1 ? values.length : elementCount(shape.slice(quantizedDimension + 1));
  for (let index = 0, channel = 0, end = stride; index < values.length; index++) {
    if (index === end) {
      channel = (channel + 1) % scales.length;
      end += stride;
    }
    values[index] = (Number(data[index]) - (zeroPoints[channel] ?? 0)) * (scales[channel] as number);
  }
  return values;
}
