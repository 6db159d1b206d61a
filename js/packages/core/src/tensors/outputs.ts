/** The arrays that results are written into. */

import type { ModelDescription, TensorInfo } from '../description.js';
import { holdsDType, newArray, type TypedArray, type TypedArrayConstructor, typedArrayConstructor } from '../dtypes.js';
import { OutputError } from '../errors.js';
import { type Ports, someInOrder } from './ports.js';

/** Arrays for outputs, in the model's order; where one is missing, the run makes it. */
export type OutputArrays = readonly (TypedArray | undefined)[];

/** Arrays that results are written into: in the order of `outputs`, or by name. */
export type OutputBuffers = OutputArrays | Readonly<Record<string, TypedArray | undefined>>;

/**
 * Brings output arrays into the model's order and checks them.
 *
 * @throws OutputError
 */
export function takeOutputs(
  given: OutputBuffers,
  { outputs, signatures }: Pick<ModelDescription, 'outputs' | 'signatures'>,
): OutputArrays {
  const nameError: Ports['nameError'] = (...given) => new OutputError('OUTPUT_BUFFER', ...given);
  const ports = { side: 'output', infos: outputs, signatures, nameError } as const;
  const arrays = someInOrder(given, ports);
  checkOutputs(arrays, outputs);
  return arrays;
}

/**
 * Checks the output arrays before a run, as far as their size is known.
 *
 * @throws OutputError
 */
export function checkOutputs(given: OutputArrays, infos: readonly TensorInfo[]): void {
  infos.forEach((info, position) => {
    const output = given[position];
    if (output === undefined) arrayFor(info);
    else checkOutput(info, output);
  });
}

function checkOutput(info: TensorInfo, output: TypedArray): void {
  checkOutputType(info, output);
  if (!info.shapeSignature.includes(-1) && info.dtype !== 'string') takeOutput(info, info.sizeBytes, output);
}

/** @throws OutputError where an array is of another type than the values for it. */
export function checkOutputType(info: Pick<TensorInfo, 'name' | 'dtype'>, output: TypedArray): void {
  if (holdsDType(output, info.dtype)) return;
  throw new OutputError('OUTPUT_BUFFER', `Output ${info.name} is ${info.dtype}: a ${arrayFor(info).name} is needed.`);
}

/** The constructor of an output's array. */
function arrayFor({ name, dtype }: Pick<TensorInfo, 'name' | 'dtype'>): TypedArrayConstructor {
  const array = typedArrayConstructor(dtype);
  if (array === null)
    throw new OutputError('OUTPUT_BUFFER', `Output ${name} is ${dtype}: JavaScript cannot take it yet.`);
  return array;
}

/**
 * The array for an output: the caller's where given, else a new one.
 *
 * @param sizeBytes - What the tensor holds now; it may differ from run to run where the shape is dynamic.
 * @throws OutputError where the caller's array has another size.
 */
export function takeOutput(
  info: Pick<TensorInfo, 'name' | 'dtype'>,
  sizeBytes: number,
  given: TypedArray | undefined,
): TypedArray {
  if (given === undefined) {
    const array = arrayFor(info);
    return newArray(array, sizeBytes / array.BYTES_PER_ELEMENT, `output ${info.name}`);
  }
  if (given.byteLength === sizeBytes) return given;
  throw new OutputError(
    'OUTPUT_BUFFER',
    `Output ${info.name} has ${sizeBytes / given.BYTES_PER_ELEMENT} elements, but the array for it has ${given.length}.`,
  );
}
