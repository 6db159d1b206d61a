/** predict() of tfjs-tflite: what goes in and comes out in kind. */

import type { TensorInfo } from '../description.js';
import type { TypedArray } from '../dtypes.js';
import { type InputRules, inputsByPosition, type ModelInputs, type TensorInput } from './inputs.js';
import { distinct, type TensorResult } from './results.js';
import {
  fromTfValues,
  isTfTensor,
  type TfLibrary,
  type TfTensor,
  type TfValues,
  tfLibrary,
  toTfTensor,
} from './tf_tensors.js';

/** Tensors of TensorFlow.js for a model: the only one, all in the model's order, or by name. */
export type TfInputs<T extends TfTensor = TfTensor> = T | readonly T[] | Readonly<Record<string, T>>;

/** One result by itself, several by the names of the outputs. */
export type InKind<T> = T | Record<string, T>;

/** Whether all inputs are tensors of TensorFlow.js; a mixture is taken for typed arrays, and refused. */
export function areTfInputs(inputs: ModelInputs | TfInputs): inputs is TfInputs {
  if (isTfTensor(inputs)) return true;
  if (typeof inputs !== 'object' || inputs === null || ArrayBuffer.isView(inputs)) return false;
  const values = Object.values(inputs);
  return values.length > 0 && values.every(isTfTensor);
}

/** Values of tensors in the model's order, converted; their shapes are checked later, with all the rest. */
export function takeTfInputs(inputs: TfInputs, rules: InputRules): TensorInput[] {
  const tensors = tensorsOf(inputs, rules);
  return tensors.map((tensor, position) => converted(tensor, tensor.dataSync(), rules.inputs[position] as TensorInfo));
}

/** The same for tensors whose values are still to come, as of a GPU. */
export async function awaitTfInputs(inputs: TfInputs, rules: InputRules): Promise<TensorInput[]> {
  const tensors = tensorsOf(inputs, rules);
  const values = await Promise.all(tensors.map((tensor) => tensor.data()));
  return tensors.map((tensor, position) =>
    converted(tensor, values[position] as TfValues, rules.inputs[position] as TensorInfo),
  );
}

function tensorsOf(inputs: TfInputs, rules: InputRules): readonly TfTensor[] {
  return inputsByPosition<TfTensor>(isTfTensor(inputs) ? [inputs] : inputs, rules);
}

function converted({ dtype, shape }: TfTensor, values: TfValues, info: TensorInfo): TensorInput {
  return { data: fromTfValues(values, dtype, info), shape };
}

/** Results as arrays: the only one, or all by name. */
export function arraysInKind(results: readonly TensorResult[], outputs: readonly TensorInfo[]): InKind<TypedArray> {
  return onlyOrByName(
    results.map(({ data }) => data),
    outputs,
  );
}

/** Results as tensors. */
export function tensorsInKind(
  results: readonly TensorResult[],
  outputs: readonly TensorInfo[],
  given: TfLibrary | undefined,
): InKind<TfTensor> {
  const tf = tfLibrary(given);
  return onlyOrByName(
    results.map(({ data, shape }, position) => toTfTensor(tf, data, shape, outputs[position] as TensorInfo)),
    outputs,
  );
}

/** As tfjs-tflite names them: by the tensors' own names, whatever signatures call them. */
function onlyOrByName<T>(results: readonly T[], outputs: readonly TensorInfo[]): InKind<T> {
  if (results.length === 1) return results[0] as T;
  const names = distinct(outputs.map(({ name }) => name));
  return Object.fromEntries(results.map((result, position) => [names[position] as string, result]));
}
